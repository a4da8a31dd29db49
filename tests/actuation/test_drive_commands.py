"""Commands: what they say, and what is no command."""

import math
from fractions import Fraction

import numpy as np
import pytest

import headframe as hf
from headframe.actuation import Command
from headframe.actuation import guiding as kernels

NUMBERED = {"length": hf.length, "speed": hf.speed, "force": hf.force, "torque": hf.torque}
PLAIN = {"locked": hf.locked, "floating": hf.floating}
MODES = {
    "length": kernels.LENGTH,
    "speed": kernels.SPEED,
    "force": kernels.FORCE,
    "torque": kernels.FORCE,
    "locked": kernels.LOCKED,
    "floating": kernels.FLOATING,
}


@pytest.mark.parametrize("name", NUMBERED)
@pytest.mark.parametrize(
    "value", [1.5, -2, 0, np.float32(0.25), np.int64(3), np.float64(1e-9), Fraction(1, 4)]
)
def test_numbers_are_kept_as_floats(name, value):
    command = NUMBERED[name](value)
    assert command == Command(name, float(value))
    assert type(command.value) is float


@pytest.mark.parametrize("name", [*NUMBERED, *PLAIN])
def test_modes(name):
    command = NUMBERED[name](1.0) if name in NUMBERED else PLAIN[name]()
    assert command.kind == name
    assert command.mode == MODES[name]


@pytest.mark.parametrize("name", NUMBERED)
@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf, True, False, "1", None, [1.0], np.array([1.0]), 1j]
)
def test_what_is_no_number_is_refused(name, value):
    with pytest.raises(hf.CommandError, match=rf"^{name}: found .*, expected a finite number"):
        NUMBERED[name](value)


def test_how_commands_are_shown():
    assert str(hf.speed(-0.05)) == "speed(-0.05)"
    assert str(hf.locked()) == "locked()"
    assert str(hf.floating()) == "floating()"


def test_commands_do_not_change():
    command = hf.force(5.0)
    with pytest.raises(AttributeError):
        command.value = 6.0
    assert hf.force(5.0) == command
    assert hf.torque(5.0) != command
    assert len({hf.force(5.0), command, hf.locked()}) == 2
