"""PyBullet: an arm in generalized coordinates, and the roadheader's boom in maximal ones."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...machine import Machine
from ...mechanism import Floats
from ...spatial import compose, invert, matrix_from_quaternion, quaternion_from_matrix

GRAVITY = 9.81
ITERATIONS = 50  # of Bullet's solver, its own default
HOLD = 1e15  # most force of a constraint [N]
SHAPE = 0.01  # of the little box without which Bullet makes no body [m]
REACH = 0.3  # points that hold a hinge or a fixed body are so far from its origin [m]


class BulletArm:
    """An arm in generalized coordinates (Bullet's multibody), without motors and damping."""

    def __init__(
        self, bullet: Any, urdf: str, names: Sequence[str], start: Sequence[float], step: float
    ) -> None:
        self.client = BulletClient(bullet, step)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "arm.urdf"
            path.write_text(urdf, encoding="utf-8")
            self.body = self.client(
                "loadURDF", str(path), useFixedBase=True, flags=bullet.URDF_USE_INERTIA_FROM_FILE
            )
        self.start = list(start)
        count = range(self.client("getNumJoints", self.body))
        places = {self.client("getJointInfo", self.body, i)[1].decode(): i for i in count}
        self.joints = [places[name] for name in names]
        for i in range(-1, len(count)):
            self.client(
                "changeDynamics", self.body, i, linearDamping=0.0, angularDamping=0.0,
                jointDamping=0.0, maxJointVelocity=1e9,
            )  # fmt: skip
        self.client("setCollisionFilterGroupMask", self.body, -1, 0, 0)
        for i in count:
            self.client("setCollisionFilterGroupMask", self.body, i, 0, 0)
        self.client(
            "setJointMotorControlArray", self.body, self.joints, bullet.VELOCITY_CONTROL,
            forces=[0.0] * len(self.joints),
        )  # fmt: skip

    def reset(self) -> None:
        """Back to the start, at rest."""
        for joint, value in zip(self.joints, self.start, strict=True):
            self.client("resetJointState", self.body, joint, value, 0.0)

    def step(self) -> None:
        """One step."""
        self.client.step()

    def velocities(self) -> Floats:
        """Of the joints [rad/s]."""
        return np.array([s[1] for s in self.client("getJointStates", self.body, self.joints)])


class BulletClient:
    """A world of its own."""

    def __init__(self, bullet: Any, step: float) -> None:
        self.bullet = bullet
        self.number = bullet.connect(bullet.DIRECT)
        self("setTimeStep", step)
        self("setGravity", 0.0, 0.0, -GRAVITY)
        self("setPhysicsEngineParameter", numSolverIterations=ITERATIONS)

    def __call__(self, name: str, *values: Any, **named: Any) -> Any:
        """A function of PyBullet in this world."""
        return getattr(self.bullet, name)(*values, **named, physicsClientId=self.number)

    def step(self) -> None:
        """One step."""
        self.bullet.stepSimulation(physicsClientId=self.number)


# ------------------------------------------------------------- maximal coordinates


@dataclass(frozen=True)
class Member:
    """A link as a rigid body: its number, and where its link's frame stands in it, (4, 4)."""

    number: int
    X_BL: Floats


class BulletBoom:
    """Turret, boom, cutter head and drum of the roadheader as rigid bodies tied by constraints.

    PyBullet can load a URDF in maximal coordinates, but then shows and drives no link of it but the
    base; and of the constraints between such bodies only those of points work for bodies that are
    turned. So the same bodies, with the masses of the file, are made one by one: the turret is held
    to the ground by three points, the boom to the turret by two points on the pitching axis, the
    head to the boom and the drum to the head by three. Cylinders are left out. A torque on the boom
    drives the pitch; its reaction goes to the ground: on the turret it tears the points apart.
    """

    BODIES = ("turret", "boom", "cutter_head", "cutting_drum")
    JOINT = "pitching"
    # torque [N m] for an error of the pitch [rad] and of its rate [rad/s]
    STIFFNESS, DAMPING = 2e7, 2e6

    def __init__(self, bullet: Any, machine: Machine, step: float) -> None:
        self.client, home = BulletClient(bullet, step), machine.home
        self.box = self.client("createCollisionShape", bullet.GEOM_BOX, halfExtents=[SHAPE] * 3)
        self.members = {name: self._body(machine, name) for name in self.BODIES}
        ground = self.client("createMultiBody", 0.0, self.box, -1, useMaximalCoordinates=True)
        self.client("setCollisionFilterGroupMask", ground, -1, 0, 0)
        base = Member(ground, np.eye(4))
        turret, boom, head, drum = (self.members[name] for name in self.BODIES)
        joint = machine.robot.joint(self.JOINT)
        X_WJ = home.pose(joint.parent) @ joint.origin
        self.pivot: Floats = X_WJ[:3, 3].copy()
        self.axis: Floats = X_WJ[:3, :3] @ np.asarray(joint.axis)
        self.first = home.pose("boom")[:3, :3].copy()
        self.angle, self.rate = 0.0, 0.0
        poses = {name: home.pose(name) for name in self.BODIES}
        self._fix(base, turret, np.eye(4), poses["turret"])
        for reach in (REACH, -REACH):
            self._tie(turret, boom, poses["turret"], poses["boom"], self.pivot + reach * self.axis)
        self._fix(boom, head, poses["boom"], poses["cutter_head"])
        self._fix(head, drum, poses["cutter_head"], poses["cutting_drum"])

    def _body(self, machine: Machine, name: str) -> Member:
        inertial = machine.robot.link(name).inertial
        assert inertial is not None
        moments, R = np.linalg.eigh(np.asarray(inertial.inertia))
        if np.linalg.det(R) < 0.0:
            R[:, 0] = -R[:, 0]
        X_LB = compose(R, np.asarray(inertial.com))
        X_WB = machine.home.pose(name) @ X_LB
        number = self.client(
            "createMultiBody", inertial.mass, self.box, -1, basePosition=X_WB[:3, 3].tolist(),
            baseOrientation=_xyzw(X_WB[:3, :3]), useMaximalCoordinates=True,
        )  # fmt: skip
        self.client(
            "changeDynamics", number, -1, mass=inertial.mass,
            localInertiaDiagonal=moments.tolist(), linearDamping=0.0, angularDamping=0.0,
            activationState=self.client.bullet.ACTIVATION_STATE_DISABLE_SLEEPING,
        )  # fmt: skip
        self.client("setCollisionFilterGroupMask", number, -1, 0, 0)
        return Member(number, invert(X_LB))

    def _fix(self, a: Member, b: Member, X_WA: Floats, X_WB: Floats) -> None:
        """The link of B stays where it stands on the link of A: three points of both stay one."""
        for axis in np.eye(3):
            self._tie(a, b, X_WA, X_WB, X_WB[:3, 3] + REACH * axis)

    def _tie(self, a: Member, b: Member, X_WA: Floats, X_WB: Floats, point: Floats) -> None:
        """One point of both links stays one; it is given in the world."""
        p = np.append(point, 1.0)
        ends = a.X_BL @ invert(X_WA) @ p, b.X_BL @ invert(X_WB) @ p
        number = self.client(
            "createConstraint", a.number, -1, b.number, -1, self.client.bullet.JOINT_POINT2POINT,
            [0.0, 0.0, 0.0], ends[0][:3].tolist(), ends[1][:3].tolist(),
        )  # fmt: skip
        self.client("changeConstraint", number, maxForce=HOLD)

    def pose(self, link: str) -> Floats:
        """X_world_link, (4, 4)."""
        member = self.members[link]
        place, (x, y, z, w) = self.client("getBasePositionAndOrientation", member.number)
        return (
            compose(matrix_from_quaternion(np.array([w, x, y, z])), np.array(place)) @ member.X_BL
        )

    def pitch(self) -> tuple[float, float]:
        """Angle since the start [rad] and rate [rad/s] of the boom about the pivot."""
        R = self.pose("boom")[:3, :3] @ self.first.T
        turn = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
        angle = float(np.arctan2(turn @ self.axis, np.trace(R) - 1.0))
        _, spin = self.client("getBaseVelocity", self.members["boom"].number)
        return angle, float(np.asarray(spin) @ self.axis)

    def step(self, angle: float, rate: float) -> None:
        """One step, driven towards an angle since the start [rad] and a rate [rad/s]."""
        now, speed = self.pitch()
        torque = self.STIFFNESS * (angle - now) + self.DAMPING * (rate - speed)
        self.client(
            "applyExternalTorque", self.members["boom"].number, -1,
            (torque * self.axis).tolist(), self.client.bullet.WORLD_FRAME,
        )  # fmt: skip
        self.client.step()


def _xyzw(R: Floats) -> list[float]:
    w, x, y, z = quaternion_from_matrix(R).tolist()
    return [x, y, z, w]
