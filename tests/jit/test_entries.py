"""Kernels that declare their types: compiled ahead of use, and locked against others."""

from types import ModuleType

import numba
import numpy as np
import pytest

from headframe.jit import (
    MATRICES,
    MATRIX,
    NUMBER,
    TRUTH,
    VECTOR,
    WHOLE,
    WHOLE_MATRIX,
    WHOLES,
    array_of,
    compile_entry,
    entry,
    layout,
    lock,
    new_records,
    record_of,
    tuple_of,
)
from headframe.jit.entries import entries_of

WHEEL = layout(turns="i8", radius="f8")


def total(values, factor):
    return values.sum() * factor


@pytest.fixture
def scaled():
    """A kernel of a vector and a number that nobody has called."""
    return entry(VECTOR, NUMBER)(numba.njit(total))


def test_declared_types_are_compiled_ahead(scaled):
    assert not scaled.overloads
    compile_entry(scaled)
    assert list(scaled.overloads) == [(VECTOR, NUMBER)]
    assert scaled(np.array([1.0, 2.0]), 2.0) == 6.0
    assert len(scaled.overloads) == 1  # what was compiled ahead was used


def test_a_kernel_that_is_not_locked_takes_others_too(scaled):
    compile_entry(scaled)
    assert scaled(np.array([1, 2]), 2) == 6
    assert len(scaled.overloads) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        (np.array([1, 2]), 2.0),
        (np.zeros((2, 2)), 2.0),
        (np.zeros(4)[::2], 2.0),
        (np.zeros(2, dtype=np.float32), 2.0),
        ([1.0, 2.0], 2.0),
        (None, 2.0),
        (np.zeros(2), "x"),
        (np.zeros(2),),
    ],
)
def test_a_locked_kernel_refuses_other_types(scaled, wrong):
    lock(scaled)
    with pytest.raises(TypeError):
        scaled(*wrong)
    assert scaled(np.array([1.0, 2.0]), 2.0) == 6.0
    assert list(scaled.overloads) == [(VECTOR, NUMBER)]


def test_locking_and_compiling_again_change_nothing(scaled):
    """As where all is warmed up in a process that has used some of it."""
    for again in (lock, lock, compile_entry):
        again(scaled)
        assert list(scaled.overloads) == [(VECTOR, NUMBER)]
    with pytest.raises(TypeError):
        scaled([1.0], 2.0)


def test_plain_python_is_left_alone():
    """Kernels that run uncompiled in a test are functions."""
    plain = entry(VECTOR, NUMBER)(lambda values, factor: total(values, factor))
    compile_entry(plain)
    lock(plain)
    assert plain(np.array([1, 2]), 2) == 6


def test_entries_of_a_module_are_its_own():
    """Not those that it takes from others, which are compiled there."""
    here, there = ModuleType("here"), ModuleType("there")
    for module in (here, there):
        for name in ("first", "second"):
            kernel = entry(NUMBER)(numba.njit(lambda x: x))
            kernel.__module__ = module.__name__
            setattr(module, name, kernel)
    here.imported, here.plain, here.number = there.first, numba.njit(lambda x: x), 3
    assert list(entries_of(here)) == [here.first, here.second]


FITTING = {
    "number": (NUMBER, 1.5),
    "whole": (WHOLE, 3),
    "truth": (TRUTH, True),
    "vector": (VECTOR, np.zeros(2)),
    "matrix": (MATRIX, np.zeros((2, 3))),
    "matrices": (MATRICES, np.zeros((2, 3, 4))),
    "wholes": (WHOLES, np.zeros(2, dtype=np.int64)),
    "matrix of wholes": (WHOLE_MATRIX, np.zeros((2, 2), dtype=np.int64)),
    "records": (array_of(WHEEL), new_records(2, WHEEL)),
    "records of NumPy": (array_of(WHEEL), np.zeros(2, WHEEL)),
    "no records": (array_of(WHEEL), new_records(0, WHEEL)),
    "a record": (record_of(WHEEL), new_records(1, WHEEL)[0]),
    "a tuple": (tuple_of(WHOLE, NUMBER), (1, 2.0)),
    "a tuple of likes": (tuple_of(NUMBER, NUMBER), (1.0, 2.0)),
}


@pytest.mark.parametrize("name", FITTING)
def test_every_type_is_that_of_what_it_stands_for(name):
    kind, value = FITTING[name]
    kernel = entry(kind)(numba.njit(lambda one: 1))
    lock(kernel)
    assert kernel(value) == 1
    assert list(kernel.overloads) == [(kind,)]
