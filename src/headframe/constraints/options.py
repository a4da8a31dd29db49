"""What the impulse and position based formulations check of their options, all in one way."""

from __future__ import annotations

import math

import numpy as np

from ..errors import StateError

MOST = 2**31 - 1  # of a count


def count(name: str, value: object) -> int:
    """A whole number, at least 1.

    Raises:
        StateError: something else.
    """
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and 1 <= value <= MOST:
        return int(value)
    raise _unfit(name, value, f"a whole number from 1 to {MOST}")


def number(
    name: str, value: object, expected: str, *, zero: bool = False, most: float = math.inf
) -> float:
    """A finite number that is not negative.

    Args:
        name: of the option.
        value: what was found.
        expected: in words, for the error.
        zero: whether it may be 0.
        most: its upper bound.

    Raises:
        StateError: something else.
    """
    found = finite(value)
    if found is None or not (0.0 <= found <= most if zero else 0.0 < found <= most):
        raise _unfit(name, value, expected)
    return found


def flag(name: str, value: object) -> bool:
    """True or False.

    Raises:
        StateError: something else.
    """
    if not isinstance(value, bool | np.bool_):
        raise _unfit(name, value, "True or False")
    return bool(value)


def finite(value: object) -> float | None:
    """A finite number as a double; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return None
    try:
        found = float(value)
    except OverflowError:  # a whole number beyond all doubles
        return None
    return found if math.isfinite(found) else None


def _unfit(name: str, value: object, expected: str) -> StateError:
    return StateError(f"{name}: found {value!r}, expected {expected}")
