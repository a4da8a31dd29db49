"""Random plane machines in disguise, for comparing solvers on what no catalogue has.

A `Linkage` is drawn in the x-z plane at its home pose, with points as complex numbers x + i z. It
becomes a machine in disguise: every link and joint has a frame of its own, axes are flipped, joints
stand at values other than 0, and the whole is turned in space. None of that changes the motion.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.random import Generator

from build import actuator, machine
from headframe.machine import Machine
from headframe.spatial import axis_angle_matrix, compose, invert, rpy_from_matrix, transform_points

Y = np.array([0.0, 1.0, 0.0])
RING = ("base", "crank", "coupler", "rocker")
PAIRS = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3))


class Linkage:
    """Joints and cylinders at home; `machine` puts them into a file."""

    def __init__(self, random: Generator) -> None:
        self.random = random
        self.links = ["base"]
        self.joints: list[dict[str, Any]] = []
        self.cylinders: list[dict[str, Any]] = []

    def hinge(self, parent: str, child: str, at: complex) -> None:
        self._joint(f"{parent}_{child}", parent, child, "revolute", at, Y)

    def slide(self, parent: str, child: str, at: complex, angle: float) -> None:
        axis = np.array([math.cos(angle), 0.0, math.sin(angle)])
        self._joint(f"{parent}_{child}", parent, child, "prismatic", at, axis)

    def close(self, a: str, b: str, at: complex) -> None:
        """Both halves of a pivot."""
        self._joint("half_a", a, b, "revolute", at, Y, closing=True)
        self._joint("half_b", b, a, "revolute", at, Y, closing=True)

    def _joint(
        self,
        name: str,
        parent: str,
        child: str,
        kind: str,
        at: complex,
        axis: np.ndarray,
        closing: bool = False,
    ) -> None:
        if child not in self.links:
            self.links.append(child)
        X = compose(np.eye(3), (at.real, 0.0, at.imag))
        self.joints.append(
            {
                "name": name, "parent": parent, "child": child, "type": kind, "X": X,
                "axis": axis, "closing": closing,
            }
        )  # fmt: skip

    def cylinder(
        self,
        a: str,
        b: str,
        tube: complex,
        rod: complex,
        shrink: float,
        grow: float,
        out: tuple[float, float] = (0.0, 0.0),
        **fields: Any,
    ) -> None:
        """From `shrink` to `grow` times its length at home; mounts `out` of the plane."""
        p, r = np.array([tube.real, out[0], tube.imag]), np.array([rod.real, out[1], rod.imag])
        length = float(np.linalg.norm(r - p))
        self.cylinders.append(
            {
                "name": f"cylinder_{len(self.cylinders)}", "a": a, "b": b, "p": p, "r": r,
                "bound": (shrink * length, grow * length), "fields": fields,
            }
        )  # fmt: skip

    def machine(self) -> Machine:
        """The linkage in disguise.

        A joint's place in the plane at home is X; its frame is X own with a random rotation `own`.
        The file's origin is that without the joint's motion at home, and what is left between the
        joint's frame and the child's is the child's own pose.
        """
        frames = {link: self._frame() for link in self.links}
        frames["base"] = np.eye(4)
        poses = {"base": self._frame()}
        joints, home = [], {}
        for j in self.joints:
            own = compose(self._rotation(), (0.0, 0.0, 0.0))
            value = float(self.random.uniform(-1.0, 1.0))
            axis = own[:3, :3].T @ (float(self.random.choice((-1.0, 1.0))) * j["axis"])
            back = compose(np.eye(3), -value * axis)
            if j["type"] == "revolute":
                back = compose(axis_angle_matrix(axis, -value), (0.0, 0.0, 0.0))
            origin = invert(frames[j["parent"]]) @ j["X"] @ own @ back
            joints.append(
                {
                    "name": j["name"], "parent": j["parent"], "child": j["child"],
                    "type": j["type"], "axis": axis.tolist(),
                    "origin_translation": origin[:3, 3].tolist(),
                    "origin_orientation": list(rpy_from_matrix(origin[:3, :3])),
                }
            )  # fmt: skip
            if not j["closing"]:
                home[j["name"]] = value
                poses[j["child"]] = invert(j["X"] @ own) @ frames[j["child"]]
        links = [
            {
                "name": link, "translation": poses[link][:3, 3].tolist(),
                "orientation": list(rpy_from_matrix(poses[link][:3, :3])),
            }
            for link in self.links
        ]  # fmt: skip
        cylinders = [
            actuator(
                c["name"],
                (c["a"], transform_points(invert(frames[c["a"]]), c["p"])),
                (c["b"], transform_points(invert(frames[c["b"]]), c["r"])),
                c["bound"],
                **c["fields"],
            )
            for c in self.cylinders
        ]
        return machine(joints, cylinders, links=links, home={"joints": home})

    def _frame(self) -> np.ndarray:
        return compose(self._rotation(), self.random.uniform(-1.0, 1.0, 3))

    def _rotation(self) -> np.ndarray:
        axis = self.random.normal(size=3)
        return axis_angle_matrix(axis / np.linalg.norm(axis), self.random.uniform(-3.0, 3.0))


def point(random: Generator, wide: float = 1.0) -> complex:
    return complex(*random.normal(scale=wide, size=2))


def strokes(random: Generator, widest: float) -> tuple[float, float]:
    """How far a cylinder shrinks and grows, up to the factor `widest` both ways."""
    return float(random.uniform(1.0 / widest, 1.0)), float(random.uniform(1.0, widest))


def pivots(random: Generator, kind: str) -> tuple[complex, complex, complex, complex]:
    """Pivots base-crank, crank-coupler, coupler-rocker and rocker-base of a four-bar at home.

    "drag": the ground is the shortest, so that crank and rocker go all the way round;
    "parallelogram" and "deltoid" have poses in which all pivots are in one line and two branches
    cross; "nearly parallelogram" and "nearly deltoid" have two branches that nearly do.
    """
    A, angle = point(random), random.uniform(-math.pi, math.pi)
    crank = random.uniform(0.3, 2.0) * complex(math.cos(angle), math.sin(angle))
    B = A + crank
    slip = 1e-3 if kind.startswith("nearly") else 0.0
    if "parallelogram" in kind:
        D = A + point(random)
        return A, B, B + D - A + slip * point(random), D
    if "deltoid" in kind:
        angle = random.uniform(-math.pi, math.pi)
        D = A + abs(crank) * (1.0 + slip * random.normal()) * complex(
            math.cos(angle), math.sin(angle)
        )
        return A, B, 0.5 * (B + D) + 1j * (D - B) * random.uniform(-2.0, 2.0), D
    if kind == "drag":
        D = A + 0.3 * abs(crank) * np.exp(1j * random.uniform(-3.0, 3.0))
        return A, B, D + 1.2 * crank * np.exp(1j * random.uniform(-0.8, 0.8)), D
    return A, B, B + point(random), A + point(random)


def ring(random: Generator, kind: str) -> Linkage:
    """A four-bar without a cylinder."""
    A, B, C, D = pivots(random, kind)
    linkage = Linkage(random)
    linkage.hinge("base", "crank", A)
    linkage.hinge("crank", "coupler", B)
    linkage.hinge("coupler", "rocker", C)
    linkage.close("rocker", "base", D)
    return linkage


def driven_four_bar(random: Generator, kind: str, pair: tuple[int, int]) -> Linkage:
    """A four-bar with one cylinder between two of its members."""
    linkage = ring(random, kind)
    a, b = random.permutation(pair)
    out = tuple(random.uniform(-0.5, 0.5, 2) * random.integers(0, 2, 2))
    linkage.cylinder(RING[a], RING[b], point(random), point(random), *strokes(random, 2.5), out=out)
    return linkage


def chain(random: Generator) -> Linkage:
    """One to three hinges and slides in a row, and as many cylinders over some of them."""
    n = int(random.integers(1, 4))
    linkage = Linkage(random)
    names, at = ["base", *(f"link_{k}" for k in range(n))], point(random)
    for parent, child in pairwise(names):
        if random.random() < 0.3:
            linkage.slide(parent, child, at, random.uniform(-3.0, 3.0))
        else:
            linkage.hinge(parent, child, at)
        at += point(random)
    for k in range(n):
        a, b = int(random.integers(0, k + 1)), k + 1
        if random.random() < 0.4:
            a, b = sorted(random.choice(n + 1, 2, replace=False))
        widest = float(random.choice((1.1, 1.6, 2.5)))
        out = tuple(random.uniform(-0.5, 0.5, 2))
        linkage.cylinder(
            names[a], names[b], point(random), point(random), *strokes(random, widest), out=out
        )
    return linkage


def support(random: Generator, widest: float) -> Linkage:
    """A four-bar that carries a canopy, and two cylinders, at least one of them to the canopy."""
    linkage = ring(random, "any")
    linkage.hinge(str(random.choice(RING[1:])), "canopy", point(random, 1.5))
    for k in range(2):
        a, b = str(random.choice(RING)), "canopy"
        if k and random.random() < 0.3:
            a, b = (str(name) for name in random.choice(RING, 2, replace=False))
        out = tuple(random.uniform(-0.5, 0.5, 2))
        linkage.cylinder(
            a, b, point(random, 2.0), point(random, 2.0), *strokes(random, widest), out=out
        )
    return linkage
