"""The check that kernels know no offsets."""

import pytest

import record_check

REFUSED = [
    # numbers that no component has
    "parts[7]",
    "parts[6]",
    "x[-7]",
    "x[row, 31]",
    "x[at + 7]",
    "x[4 + k]",
    "x[at - 4]",
    "x[at + 3 + 1]",
    "x[7 if back else k]",
    "x[min(k, 8)]",
    "s.x[at + 7]",
    "x[0][at + 7]",
    # pieces of a flat array
    "link_f[at + 7:at + 9]",
    "x[at:at + 3]",
    "x[7:]",
    "x[:7]",
    "x[::6]",
    "x[k, 9:12]",
    # strides
    "x[6 * k + 5]",
    "x[at + 2 * k]",
    "x[k * 3]",
    "x[(k << 3) + 1]",
    "x[min(k, 2 * n - 1 - k)]",
    # named offsets
    "x[MASS]",
    "x[records.MASS]",
    "x[AT + 3]",
    "x[AT:AT + 3]",
    "x[AT:]",
    "x[records.OFF + 1]",
    "x[records.OFF:records.END]",
    "x[row, LOWER + end]",
    "x[V * nd + d]",
    "x[-AT + k]",
    "x[place + VELOCITIES * STRIDE]",
    # what lies behind something else
    "kept[rows.shape[0] + r]",
    "kept[r + rows.size]",
    "kept[len(rows) + r]",
    # rows of scratch memory
    "rows_work[0]",
    "work[5]",
    "theta_work[1, k]",
    # where a part begins
    "part(work, AT + 3, n)",
    "part(work, 6 * k, 6)",
    "jit.table(work, 12, n, 3)",
    "record(model, head.own + 7, OWN)",
]

LET_PASS = [
    "x[k]",
    "x[0]",
    "x[5]",
    "x[-1]",
    "X[2, 3]",
    "q[iq + 1]",
    "q[iq + 3]",
    "twist[3 + i]",
    "x[d, velocity]",
    "q[steps[s]]",
    "aims[VELOCITIES]",
    "aims[stage.PSEUDO]",
    "x[n - 1 - k if back else k]",
    "x[x.shape[0] - 1]",
    "x[(k + 1) % 3]",
    "x[i, j + 1:n]",
    "X[:3, 3]",
    "twist[3:6]",
    "q[one.position:]",
    "x[::-1]",
    "steps[way.first + k]",
    "x[K]",
    "motions_work[held.step]",
    "part(work, 0, 0)",
    "record(model, head.own, OWN)",
    "table[first + AT[k]]",
]


@pytest.mark.parametrize("text", REFUSED)
def test_offsets_are_found(text):
    assert [(one.line, one.text) for one in record_check.offsets(f"y = {text}")] == [(1, text)]


@pytest.mark.parametrize("text", LET_PASS)
def test_places_and_components_are_not(text):
    assert list(record_check.offsets(f"y = {text}")) == []


@pytest.mark.parametrize(
    "before",
    [
        "at = 6 * k",
        "n, at = 3, ACTS_AT + k",
        "at = first + 7",
        "at = rows.shape[0] + r",
        "for at in range(0, n, 6): pass",
    ],
)
@pytest.mark.parametrize("index", ["at", "at + 2", "at:"])
def test_offsets_are_found_behind_a_variable(before, index):
    source = f"def f(x, k):\n    {before}\n    return x[{index}]\n"
    assert [one.text for one in record_check.offsets(source)] == [f"x[{index}]"]


@pytest.mark.parametrize(
    "before",
    ["at = first + k", "at = at + 4", "at = k // BLOCK", "for at in range(n - 1, -1, -1): pass"],
)
def test_variables_that_are_places_are_not(before):
    source = f"def f(x, k):\n    {before}\n    return x[at]\n"
    assert list(record_check.offsets(source)) == []


def test_a_stride_of_another_function_is_not():
    source = "def f(k):\n    at = 6 * k\n    return at\ndef g(x, at):\n    return x[at]\n"
    assert list(record_check.offsets(source)) == []


@pytest.mark.parametrize(
    "text", ["tuple[int, FLOATS]", "NDArray[np.FLOATS]", "np.ndarray[tuple[int], FLOATS]"]
)
def test_types_are_not(text):
    assert list(record_check.offsets(f"def f() -> {text}: ...")) == []


def test_no_kernel_knows_an_offset(capsys):
    assert record_check.main() == 0, capsys.readouterr().out


def test_a_finding_is_printed_with_its_place(monkeypatch, capsys):
    monkeypatch.setattr(record_check, "EXCEPTIONS", {})
    assert record_check.main() == 1
    line = capsys.readouterr().out.splitlines()[0]
    assert line.startswith("src/headframe/")
    assert "is an offset" in line


@pytest.mark.parametrize(
    ("name", "array"),
    [(name, let.array) for name, lets in record_check.EXCEPTIONS.items() for let in lets],
)
def test_exceptions_are_needed(name, array):
    source = (record_check.PACKAGE / name).read_text(encoding="utf-8")
    found = {one.array for one in record_check.offsets(source)}
    assert array in found, f"strike {array} of {name} off the list"
