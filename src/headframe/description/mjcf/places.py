"""Places of MJCF's elements: a position, and an orientation in one of five forms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from ...errors import ValueRangeError
from ...spatial import axis_angle_matrix, compose, matrix_from_quaternion, rpy_from_matrix
from .compiler import Settings
from .defaults import ORIENTATIONS
from .values import MjcfValues

Floats = NDArray[np.float64]
AXES = {"x": np.array([1.0, 0, 0]), "y": np.array([0, 1.0, 0]), "z": np.array([0, 0, 1.0])}
NUMBERS = {"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}


class Places:
    """Reads places."""

    def __init__(self, settings: Settings, values: MjcfValues) -> None:
        self.settings, self.values = settings, values

    def pose(self, element: Element, place: str, soft: bool = False) -> Floats:
        """X_PE of an element in what it lies in, (4, 4); `soft` if mistakes are only noted."""
        instead = "zeros are taken" if soft else ""
        pos = self.values.numbers(element, place, "pos", 3, 3, instead) or [0.0, 0.0, 0.0]
        return compose(self.rotation(element, place, soft), pos)

    def rotation(self, element: Element, place: str, soft: bool = False) -> Floats:
        """Orientation of an element, (3, 3)."""
        given = [key for key in ORIENTATIONS if key in element.attrib]
        if not given:
            return np.eye(3)
        instead = "no turn is taken" if soft else ""
        if len(given) > 1:
            self._complain(element, place, f"found {' and '.join(given)}, expected one", instead)
        key = given[0]
        count = NUMBERS[key]
        found = self.values.numbers(element, place, key, count, count, instead)
        if found is None:
            return np.eye(3)
        R = self._matrix(key, np.array(found))
        if R is None:
            message = f"found {key} {element.get(key)}, expected vectors with a length"
            self._complain(element, f"{place}@{key}", message, instead)
            return np.eye(3)
        return R

    def quaternion(self, numbers: Sequence[float]) -> Floats:
        """The turn of a quaternion wxyz of any length but 0, (3, 3)."""
        quat = unit(np.array(numbers))
        return np.eye(3) if quat is None else matrix_from_quaternion(quat)

    def _complain(self, element: Element, place: str, message: str, instead: str) -> None:
        if instead:
            self.values.forgive(ValueRangeError, place, element, message, instead)
        else:
            self.values.complain(ValueRangeError, place, element, message)

    def _matrix(self, key: str, numbers: Floats) -> Floats | None:
        if key == "quat":
            quat = unit(numbers)
            return None if quat is None else matrix_from_quaternion(quat)
        if key == "axisangle":
            axis = unit(numbers[:3])
            angle = numbers[3] * self.settings.angle
            return None if axis is None else axis_angle_matrix(axis, angle)
        if key == "zaxis":
            return z_along(numbers)
        if key == "xyaxes":
            x = unit(numbers[:3])
            y = None if x is None else unit(numbers[3:] - (numbers[3:] @ x) * x)
            if x is None or y is None:
                return None
            return np.stack([x, y, np.cross(x, y)], axis=1)
        R = np.eye(3)
        for letter, angle in zip(self.settings.eulerseq, numbers, strict=True):
            turn = axis_angle_matrix(AXES[letter.lower()], angle * self.settings.angle)
            R = R @ turn if letter.islower() else turn @ R
        return R


def unit(vector: Floats) -> Floats | None:
    """A vector with length 1; None if it has none."""
    largest = float(np.abs(vector).max())
    if largest < 1e-14 or not math.isfinite(largest):
        return None
    scaled: Floats = vector / largest
    return scaled / np.linalg.norm(scaled)


def z_along(vector: Floats) -> Floats | None:
    """The smallest turn that takes z along a vector, (3, 3); about x where it points down."""
    direction = unit(vector)
    if direction is None:
        return None
    across = np.cross(AXES["z"], direction)
    sine = float(np.linalg.norm(across))
    if sine < 1e-10:
        return np.diag([1.0, 1.0, 1.0] if direction[2] > 0 else [1.0, -1.0, -1.0])
    return axis_angle_matrix(across / sine, math.atan2(sine, direction[2]))


def moved(p: Floats) -> Floats:
    """A pose that only shifts, (4, 4)."""
    return compose(np.eye(3), p)


def as_fields(X: Floats, prefix: str = "") -> dict[str, list[float]]:
    """Translation and roll-pitch-yaw of a pose, as MRDF has them."""
    return {
        f"{prefix}translation": [float(value) for value in X[:3, 3]],
        f"{prefix}orientation": list(rpy_from_matrix(X[:3, :3])),
    }
