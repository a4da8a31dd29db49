"""The check that kernels know no offsets."""

import pytest

import record_check


@pytest.mark.parametrize(
    "index",
    ["6 * k + 5", "AT + 3", "MASS", "V * nd + 6 * d", "row, LOWER + end", "31", "at + 2 * k"],
)
def test_offsets_are_found(index):
    assert list(record_check.offsets(f"x = work[{index}]")) == [(1, f"work[{index}]")]


@pytest.mark.parametrize(
    "index", ["k", "0", "iq + 1", "3 + i", "d, velocity", "steps[s]", "stage", "VELOCITIES", "20"]
)
def test_places_and_components_are_not(index):
    assert list(record_check.offsets(f"x = work[{index}]")) == []


def test_types_are_not():
    assert list(record_check.offsets("def f() -> tuple[int, FLOATS]: ...")) == []


def test_no_kernel_knows_an_offset(capsys):
    assert record_check.main() == 0, capsys.readouterr().out


def test_exceptions_are_files_that_need_one():
    for name in record_check.EXCEPTIONS:
        source = (record_check.PACKAGE / name).read_text(encoding="utf-8")
        assert list(record_check.offsets(source)), f"strike {name} off the list"
