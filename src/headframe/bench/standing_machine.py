"""A machine that stands on wheels, for benchmarks: free base, 13 hinges, 19.5 t.

It has the shape of a wheeled excavator: a chassis with a swinging front axle, steering and four
wheels, a blade, two outriggers, and above a slewing ring house, boom, stick and bucket. Balls stand
for tyres, feet and edges; every hinge has a motor.
"""

from __future__ import annotations

from typing import Any

from ..description import Robot
from ..machine import Machine

TYRE = {
    "name": "tyre", "stiffness": 5e7, "exponent": 1.5, "restitution": 0.2,
    "friction": {"static": 0.9, "dynamic": 0.8}, "bristle": {"stiffness": 5e6, "damping": 1e5},
}  # fmt: skip
HEIGHT = 0.7996  # [m] of the chassis' origin above the ground where the tyres just touch it
Point = tuple[float, float, float]

# name, mass [kg], edges [m], centre of mass, balls (radius, place)
LINKS: tuple[tuple[str, float, Point, Point, tuple[tuple[float, Point], ...]], ...] = (
    ("chassis", 6000, (4.5, 2.2, 0.8), (0, 0, 0), (
        (0.3, (2.2, 1, -0.1)), (0.3, (2.2, -1, -0.1)), (0.3, (-2.2, 1, -0.1)),
        (0.3, (-2.2, -1, -0.1)),
    )),
    ("front_axle", 800, (0.4, 2.0, 0.4), (0, 0, 0), ()),
    ("steering_frame", 100, (0.3, 0.3, 0.3), (0, 0, 0), ()),
    ("wheel_front_left", 300, (0.8, 0.4, 0.8), (0, 0, 0), ((0.5, (0, 0, 0)),)),
    ("wheel_front_right", 300, (0.8, 0.4, 0.8), (0, 0, 0), ((0.5, (0, 0, 0)),)),
    ("wheel_rear_left", 300, (0.8, 0.4, 0.8), (0, 0, 0), ((0.5, (0, 0, 0)),)),
    ("wheel_rear_right", 300, (0.8, 0.4, 0.8), (0, 0, 0), ((0.5, (0, 0, 0)),)),
    ("blade", 500, (0.2, 2.4, 0.6), (0.6, 0, -0.2), (
        (0.1, (0.7, 1.1, -0.4)), (0.1, (0.7, -1.1, -0.4)),
    )),
    ("outrigger_left", 250, (0.3, 1, 0.2), (0, 0.5, 0), ((0.15, (0, 1.1, -0.1)),)),
    ("outrigger_right", 250, (0.3, 1, 0.2), (0, -0.5, 0), ((0.15, (0, -1.1, -0.1)),)),
    ("house", 7000, (3, 2.4, 1.4), (-0.8, 0, 0.7), (
        (0.4, (-2.3, 1, 0.4)), (0.4, (-2.3, -1, 0.4)), (0.3, (0.6, 1, 1.4)),
    )),
    ("boom", 1800, (5, 0.5, 0.6), (2.5, 0, 0), ((0.2, (4.5, 0, 0.3)),)),
    ("stick", 900, (2.5, 0.4, 0.4), (1.1, 0, 0), ()),
    ("bucket", 700, (1, 1.2, 1), (0.5, 0, 0), (
        (0.08, (1.2, 0.5, 0)), (0.08, (1.2, -0.5, 0)), (0.08, (1.2, 0, 0)), (0.2, (0.5, 0, -0.4)),
    )),
)  # fmt: skip
X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
# name, parent, child, place in the parent, axis, limits [rad]
HINGES: tuple[tuple[str, str, str, Point, Point, tuple[float, float] | None], ...] = (
    ("swing", "chassis", "front_axle", (1.3, 0, -0.3), X, (-0.1, 0.1)),
    ("steer", "front_axle", "steering_frame", (0, 0, 0), Z, (-0.6, 0.6)),
    ("roll_front_left", "steering_frame", "wheel_front_left", (0, 1.0, 0), Y, None),
    ("roll_front_right", "steering_frame", "wheel_front_right", (0, -1.0, 0), Y, None),
    ("roll_rear_left", "chassis", "wheel_rear_left", (-1.3, 1.0, -0.3), Y, None),
    ("roll_rear_right", "chassis", "wheel_rear_right", (-1.3, -1.0, -0.3), Y, None),
    ("blade_lift", "chassis", "blade", (2.2, 0, -0.2), Y, (-0.5, 0.5)),
    ("outrigger_left_lift", "chassis", "outrigger_left", (-2.2, 1.0, -0.2), X, (-1, 1)),
    ("outrigger_right_lift", "chassis", "outrigger_right", (-2.2, -1.0, -0.2), X, (-1, 1)),
    ("slew", "chassis", "house", (0, 0, 0.4), Z, None),
    ("boom_lift", "house", "boom", (0.5, 0, 0.6), Y, (-1.2, 0.6)),
    ("stick_lift", "boom", "stick", (5, 0, 0), Y, (0.2, 2.5)),
    ("bucket_tilt", "stick", "bucket", (2.4, 0, 0), Y, (-0.7, 2.2)),
)


def _link(
    name: str, mass: float, edges: Point, com: Point, balls: tuple[tuple[float, Point], ...]
) -> dict[str, Any]:
    x, y, z = edges
    moments = mass / 12 * (y * y + z * z), mass / 12 * (x * x + z * z), mass / 12 * (x * x + y * y)
    inertia = [[moments[i] if i == j else 0.0 for j in range(3)] for i in range(3)]
    shapes = [
        {"geometry": {"type": "sphere", "r": r}, "translation": place, "contact": "tyre"}
        for r, place in balls
    ]
    inertial = {"mass": mass, "com": com, "inertia": inertia}
    return {"name": name, "inertial": inertial, "collision": shapes}


def _hinge(
    name: str, parent: str, child: str, place: Point, axis: Point,
    limits: tuple[float, float] | None,
) -> dict[str, Any]:  # fmt: skip
    fields = {"name": name, "parent": parent, "child": child, "origin_translation": place}
    if limits is None:
        return {**fields, "type": "continuous", "axis": axis}
    limit = {"lower": limits[0], "upper": limits[1]}
    return {**fields, "type": "revolute", "axis": axis, "limit": limit}


def standing_machine() -> Machine:
    """The machine; its motors are named after their joints."""
    motors = [
        {"name": f"{hinge[0]}_motor", "joint": hinge[0], "max_torque": 2e6} for hinge in HINGES
    ]
    robot = Robot.make(
        name="standing_machine",
        base="free",
        links=tuple(_link(*link) for link in LINKS),
        joints=tuple(_hinge(*hinge) for hinge in HINGES),
        motors=tuple(motors),
        materials=(TYRE,),
    )
    return Machine(robot)
