"""A manipulator of five motor-driven hinges with a gripper of two fingers.

The scene of Figure 6 of the paper on sequential impulses: one motor closes finger 1, and a repeater
lets finger 2 follow it the other way round. `bench/dynamics/grasping.py` lets it grasp.

The arm stands on the floor and reaches along +x; joint values are 0 with the arm straight up, the
gripper too, and the fingers parallel.
"""

from __future__ import annotations

import math

import kit as k

from headframe.description import Joint, Link, Motor, Repeater, Robot

SHOULDER, UPPER, FORE, WRIST = 0.42, 0.55, 0.48, 0.16  # heights of joints over each other [m]
PALM = 0.10  # from the wrist's roll to the fingers' hinges [m]
SPREAD = 0.055  # of the fingers' hinges from the middle [m]
FINGER = 0.15  # length of a finger [m]
OPEN = 0.45  # of finger 1 [rad]; closed fingers stand at a little less than 0


def base() -> Link:
    """Make the base on the floor."""
    shapes: k.Shapes = [
        k.rod((0, 0, 0), (0, 0, 0.05), 0.24, k.DARK_GREY, "flange"),
        k.rod((0, 0, 0.05), (0, 0, 0.20), 0.16, k.GREY, "pedestal", end_radius=0.13),
        [
            k.rod((0.2 * math.cos(a), 0.2 * math.sin(a), 0.05),
                  (0.2 * math.cos(a), 0.2 * math.sin(a), 0.075), 0.018, k.CHROME, "bolt")
            for a in (math.tau * n / 6 for n in range(6))
        ],
        k.box((0.16, 0.12, 0.10), (-0.19, 0, 0.11), k.LIGHT_GREY, "terminal box", 0.3),
    ]  # fmt: skip
    touch = [k.rod((0, 0, 0), (0, 0, 0.20), 0.20)]
    return k.link("base", shapes, mass=28.0, collision=touch)


def turret() -> Link:
    """Make the turret: frame on top of the base; the shoulder is SHOULDER above the floor."""
    z = SHOULDER - 0.20
    shapes: k.Shapes = [
        k.rod((0, 0, 0), (0, 0, 0.06), 0.135, k.ORANGE, "ring"),
        k.both(
            k.beam((0, 0.095, 0.04), (0, 0.095, z), 0.05, 0.17, k.ORANGE, "cheek_left", side=k.Y)
        ),
        k.both(k.pin((0, 0.095, z), 0.088, 0.052, k.ORANGE, "boss_left")),
        k.rod((0, 0.12, z), (0, 0.21, z), 0.06, k.DARK_GREY, "shoulder motor"),
    ]
    touch = [k.box((0.17, 0.24, z + 0.08), (0, 0, (z + 0.08) / 2))]
    return k.link("turret", shapes, mass=14.0, collision=touch)


def upper_arm() -> Link:
    """Make the upper arm: frame at the shoulder, along +z."""
    shapes: k.Shapes = [
        k.pin((0, 0, 0), 0.082, 0.13, k.DARK_GREY, "shoulder"),
        k.beam((0, 0, 0.02), (0, 0, UPPER - 0.02), 0.10, 0.13, k.ORANGE, "arm", side=k.Y),
        k.box((0.05, 0.104, 0.26), (0.055, 0, UPPER / 2), k.DARK_GREY, "cover", 0.2),
        k.pin((0, 0, UPPER), 0.07, 0.13, k.ORANGE, "elbow"),
        k.rod((0, 0.06, UPPER), (0, 0.15, UPPER), 0.05, k.DARK_GREY, "elbow motor"),
    ]
    touch = [k.capsule((0, 0, 0), (0, 0, UPPER), 0.075)]
    return k.link("upper_arm", shapes, mass=9.0, collision=touch)


def forearm() -> Link:
    """Make the forearm: frame at the elbow, beside the upper arm's fork, along +z."""
    shapes: k.Shapes = [
        k.both(k.pin((0, 0.085, 0), 0.066, 0.04, k.GREY, "cheek_left")),
        k.both(k.beam((0, 0.085, 0), (0, 0.05, 0.14), 0.035, 0.10, k.GREY, "fork_left", side=k.Y)),
        k.rod((0, 0, 0.12), (0, 0, FORE - 0.03), 0.062, k.ORANGE, "tube", end_radius=0.046),
        k.pin((0, 0, FORE), 0.05, 0.10, k.ORANGE, "wrist"),
        k.rod((0, 0.045, FORE), (0, 0.11, FORE), 0.036, k.DARK_GREY, "wrist motor"),
    ]
    touch = [k.capsule((0, 0, 0.05), (0, 0, FORE), 0.06)]
    return k.link("forearm", shapes, mass=5.5, collision=touch)


def wrist() -> Link:
    """Make the wrist: frame at its pitch joint, along +z to its roll joint."""
    shapes: k.Shapes = [
        k.both(k.pin((0, 0.062, 0), 0.046, 0.024, k.GREY, "cheek_left")),
        k.both(k.beam((0, 0.062, 0), (0, 0.045, 0.09), 0.022, 0.07, k.GREY, "fork_left", side=k.Y)),
        k.rod((0, 0, 0.08), (0, 0, WRIST), 0.055, k.DARK_GREY, "roll motor"),
    ]
    touch = [k.capsule((0, 0, 0.02), (0, 0, WRIST - 0.03), 0.05)]
    return k.link("wrist", shapes, mass=2.2, collision=touch)


def palm() -> Link:
    """Make the palm: frame at the roll joint; the fingers' hinges are PALM above it."""
    shapes: k.Shapes = [
        k.rod((0, 0, 0), (0, 0, 0.03), 0.05, k.LIGHT_GREY, "flange"),
        k.box((0.05, 2 * SPREAD + 0.05, 0.05), (0, 0, 0.055), k.BLUE, "palm"),
        k.both(
            k.beam((0.021, SPREAD, 0.06), (0.021, SPREAD, PALM), 0.014, 0.04, k.BLUE, side=k.X),
            k.beam((-0.021, SPREAD, 0.06), (-0.021, SPREAD, PALM), 0.014, 0.04, k.BLUE, side=k.X),
            k.pin((0, SPREAD, PALM), 0.010, 0.075, k.CHROME, "pin_left", axis=k.X),
        ),
        k.rod((-0.03, SPREAD, PALM), (-0.075, SPREAD, PALM), 0.024, k.DARK_GREY, "finger motor"),
    ]
    touch = [k.box((0.06, 2 * SPREAD + 0.05, 0.09), (0, 0, 0.055))]
    return k.link("palm", shapes, mass=1.3, collision=touch)


def finger(name: str, side: float) -> Link:
    """Make a finger: frame at its hinge; it goes up and out, then inwards to its pad.

    `side` is +1 for the finger on the left, whose pad looks to the right, and -1 for the other.
    """
    knee, tip = (0.0, 0.030 * side, 0.55 * FINGER), (0.0, -0.032 * side, FINGER)
    shapes: k.Shapes = [
        k.pin((0, 0, 0), 0.020, 0.024, k.YELLOW, "hub", axis=k.X),
        k.beam((0, 0, 0), knee, 0.022, 0.024, k.YELLOW, "lower", side=k.X),
        k.beam(knee, tip, 0.022, 0.022, k.YELLOW, "upper", side=k.X),
        k.box((0.030, 0.010, 0.045), (0, -0.036 * side, FINGER), k.RUBBER, "pad"),
    ]
    touch = [k.box((0.030, 0.016, 0.045), (0, -0.033 * side, FINGER))]
    return k.link(name, shapes, mass=0.25, collision=touch)


DRIVES = {  # torque [N m], speed [rad/s], damping [N m s], dry friction [N m]
    "turn": (180.0, 2.0, 2.0, 1.5),
    "shoulder": (320.0, 1.6, 4.0, 2.5),
    "elbow": (160.0, 2.0, 2.0, 1.5),
    "pitch": (50.0, 3.0, 0.5, 0.5),
    "roll": (20.0, 4.0, 0.1, 0.2),
    "finger_1": (6.0, 3.0, 0.02, 0.02),
}


def joints() -> list[Joint]:
    """Make the joints; finger 1 is the left one and opens to the left."""

    def hinge(
        name: str, parent: str, child: str, at: k.Point, axis: k.Point, limit: float
    ) -> Joint:
        _, _, damping, friction = DRIVES[name]
        ends = (-limit, limit)
        return k.revolute(
            name, parent, child, at, axis=axis, limit=ends, damping=damping, friction=friction
        )

    _, _, damping, friction = DRIVES["finger_1"]
    shut = (-0.12, OPEN)
    return [
        hinge("turn", "base", "turret", (0, 0, 0.20), k.Z, 3.0),
        hinge("shoulder", "turret", "upper_arm", (0, 0, SHOULDER - 0.20), k.Y, 1.7),
        hinge("elbow", "upper_arm", "forearm", (0, 0, UPPER), k.Y, 2.5),
        hinge("pitch", "forearm", "wrist", (0, 0, FORE), k.Y, 2.0),
        hinge("roll", "wrist", "palm", (0, 0, WRIST), k.Z, 3.0),
        k.revolute("finger_1", "palm", "left_finger", (0, SPREAD, PALM), axis=(-1.0, 0.0, 0.0),
                   limit=shut, damping=damping, friction=friction),
        k.revolute("finger_2", "palm", "right_finger", (0, -SPREAD, PALM), axis=(-1.0, 0.0, 0.0),
                   limit=(-OPEN, 0.12), damping=damping, friction=friction),
    ]  # fmt: skip


def build() -> Robot:
    """Build the model."""
    motors: list[Motor] = [
        k.motor(f"{joint}_motor", joint, torque, speed)
        for joint, (torque, speed, _, _) in DRIVES.items()
    ]
    follower = Repeater.make(
        name="finger_gear", joint="finger_2", follows="finger_1", ratio=-1.0, offset=0.0
    )
    return k.robot(
        "gripper",
        "model",
        "palm",
        home={
            "turn": 0.0, "shoulder": 0.35, "elbow": 1.35, "pitch": 1.1, "roll": 0.0,
            "finger_1": 0.30, "finger_2": -0.30,
        },
        links=[
            base(), turret(), upper_arm(), forearm(), wrist(), palm(),
            finger("left_finger", 1.0), finger("right_finger", -1.0),
        ],
        joints=joints(),
        motors=motors,
        repeaters=[follower],
        provenance=[
            k.estimated(
                "everything",
                "model of Figure 6 of Mikhaylyuk, Strashnov and Timokhin (2017), which prints no "
                "sizes: an arm of 1.2 m reach and 60 kg, of the size of small industrial ones",
            ),
            k.estimated("motors", "hold the arm stretched out, with a margin of more than two"),
        ],
    )  # fmt: skip
