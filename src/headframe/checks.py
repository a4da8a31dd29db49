"""What functions for people ask of their arguments, each answered in the same words.

    NAME: found WHAT WAS GIVEN, expected WHAT IS ALLOWED

An argument that is not what it should be raises `StateError`, whatever it is: text, None, an array
of another shape, NaN, or a whole number beyond all doubles.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from .errors import HeadframeError, StateError, suggest

Floats = NDArray[np.float64]
T = TypeVar("T")
WORDS = {3: "three", 6: "six"}
LONGEST = 80  # letters of what was given that are shown
# what a unit of length, speed or mass can be at most, so that no product of a few overflows
LARGEST = 1e30


def shown(value: object) -> str:
    """What was given, in one line of bounded length."""
    try:
        text = repr(value)
    except Exception:  # a class of the user's own, or a whole number of many thousand digits
        text = f"a {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def refuse(name: str, value: object, expected: str) -> NoReturn:
    """Raise the error for an argument."""
    raise StateError(f"{name}: found {shown(value)}, expected {expected}") from None


def finite(value: object) -> float | None:
    """A finite number as a double; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return None
    try:
        found = float(value)
    except OverflowError:  # a whole number beyond all doubles
        return None
    return found if math.isfinite(found) else None


def number(
    name: str,
    value: object,
    above: float = -math.inf,
    least: float = -math.inf,
    most: float = LARGEST,
    unit: str = "",
) -> float:
    """A finite number that is more than `above`, at least `least` and at most `most`."""
    found = finite(value)
    if found is not None and found > above and least <= found <= most:
        return found
    words = ["a finite number" if above == least == -math.inf else "a number"]
    if above > -math.inf:
        words.append(f"above {above:g}")
    if least > -math.inf:
        words.append(f"of {least:g} or more")
    if most < LARGEST:
        words.append(f"up to {most:g}")
    elif found is not None and abs(found) > LARGEST:
        words.append(f"not beyond {LARGEST:g}")
    refuse(name, value, " ".join(words) + (f" [{unit}]" if unit else ""))


def whole(name: str, value: object, least: int = 1, most: int = 2**31 - 1) -> int:
    """A whole number from `least` to `most`; True and False are none."""
    plain = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not plain or not least <= int(value) <= most:  # type: ignore[call-overload]
        refuse(name, value, f"a whole number from {least} to {most}")
    return int(value)  # type: ignore[call-overload, no-any-return]


def numbers(name: str, value: object, expected: str = "finite numbers") -> Floats:
    """Finite numbers of any shape, as an array of doubles that is the caller's own."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        refuse(name, value, expected)
    if not np.isfinite(array).all():
        raise StateError(f"{name}: found numbers that are not finite, expected {expected}")
    if (np.abs(array) > LARGEST).any():
        raise StateError(f"{name}: found numbers too large, beyond {LARGEST:g}")
    return array


def vector(name: str, value: object, size: int, unit: str = "") -> Floats:
    """So many finite numbers."""
    expected = f"{WORDS.get(size, size)} finite numbers" + (f" [{unit}]" if unit else "")
    array = numbers(name, value, expected)
    if array.shape != (size,):
        refuse(name, value, expected)
    return array


def choice(name: str, value: object, choices: Iterable[str]) -> str:
    """One of some words."""
    known = tuple(choices)
    if isinstance(value, str) and value in known:
        return value
    listed = ", ".join(repr(word) for word in known)
    near = suggest(value, known) if isinstance(value, str) else ""
    hint = f"; {near}" if near.startswith("did") else ""
    raise StateError(f"{name}: found {shown(value)}, expected one of {listed}{hint}")


def flag(name: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool | np.bool_):
        refuse(name, value, "True or False")
    return bool(value)


def mapping(name: str, value: object, of: str) -> Mapping[Any, Any]:
    """Something by name; None is nothing."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        refuse(name, value, f"{of} by name")
    return value


def function(name: str, value: Callable[..., Any] | None) -> None:
    """Something that can be called, or None."""
    if value is not None and not callable(value):
        refuse(name, value, "a function or None")


def instance(
    name: str, value: object, kind: type[T], expected: str, error: type[HeadframeError] = StateError
) -> T:
    """An object of a class."""
    if not isinstance(value, kind):
        raise error(f"{name}: found {shown(value)}, expected {expected}")
    return value


def path(name: str, value: object) -> Path:
    """The path of a file: a text or a `pathlib.Path`."""
    if isinstance(value, str | os.PathLike):
        try:
            return Path(value)
        except TypeError:  # a path of bytes
            pass
    refuse(name, value, "the path of a file")


def folder(name: str, value: object) -> Path | None:
    """The path of a folder, or None."""
    return None if value is None else path(name, value)
