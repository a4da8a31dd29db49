"""Records in kernels: what is cut from a buffer, how it is packed, and what is refused."""

import numba
import numpy as np
import pytest

from headframe.jit import (
    SPAN,
    TABLE,
    Packing,
    Scratch,
    all_records,
    doubles,
    header,
    indices,
    layout,
    matrix,
    new_records,
    numbers,
    record,
    records,
)

SHARE = layout(part="f8", of="i8")
WHEEL = layout(
    turns="i8", radius="f8", share=SHARE, place=("f8", (3,)), axes=("f8", (2, 3)), ways=("i8", (2,))
)
RIM = layout(width="f8", bolts=SPAN)
CART = layout(
    number="i8", mass="f8", share=SHARE, wheels=SPAN, loads=SPAN, order=SPAN, table=TABLE, rim="i8"
)


def wheels(count):
    """Records of which every number is another."""
    made = new_records(count, WHEEL)
    for n, wheel in enumerate(made):
        wheel.turns, wheel.radius = n, 0.5 + n
        wheel.share.part, wheel.share.of = 0.25 * n, 10 + n
        wheel.place, wheel.axes, wheel.ways = n + np.arange(3.0), np.arange(6.0).reshape(2, 3), n
    return made


def cart(count=3):
    """A buffer with all kinds of parts behind its header."""
    packing = Packing(CART, number=7, mass=2.5, share=(0.5, 4))
    packing.add("wheels", wheels(count))
    packing.add("loads", np.array([1.5, 2.5, 3.5, 4.5]))
    packing.add("order", np.array([2, 0, 1]))
    packing.add("table", np.arange(6.0).reshape(2, 3))
    rim = packing.within("rim", RIM, width=0.125)
    rim.add("bolts", np.array([8, 9]))
    return packing.buffer()


# ------------------------------------------------------------------------------------- in kernels


def read(buffer):
    """A number made of every part and every kind of field."""
    head = header(buffer, CART)
    rows, loads = records(buffer, head.wheels, WHEEL), numbers(buffer, head.loads)
    order, table = indices(buffer, head.order), matrix(buffer, head.table)
    rim = record(buffer, head.rim, RIM)
    bolts = indices(buffer, rim.bolts)
    total = head.mass * head.number + head.share.part * head.share.of + rim.width
    for n in range(rows.shape[0]):
        wheel = rows[n]
        total += wheel.turns * wheel.radius + wheel.share.part * wheel.share.of
        total += wheel.place[1] * wheel.axes[1, 2] + wheel.ways[1]
    for n in range(order.shape[0]):
        total += loads[order[n]] * (n + 1)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            total += (1 + i) * (2 + j) * table[i, j]
    for n in range(bolts.shape[0]):
        total += 100.0 * (n + 1) * bolts[n]
    return total


def add_turns(buffer):
    """Of a buffer of nothing but wheels."""
    total = 0.0
    rows = all_records(buffer, WHEEL)
    for n in range(rows.shape[0]):
        rows[n].radius += 1.0
        total += 10.0**n * rows[n].turns
    return total


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("function", [add_turns, numba.njit(add_turns)])
def test_a_buffer_of_records_alone(function, count):
    made = wheels(count)
    assert function(made.view(np.float64)) == sum(n * 10.0**n for n in range(count))
    assert made.radius.tolist() == [1.5 + n for n in range(count)]


def write(buffer):
    """Write through every part and every kind of field."""
    head = header(buffer, CART)
    rows, loads = records(buffer, head.wheels, WHEEL), numbers(buffer, head.loads)
    order, table = indices(buffer, head.order), matrix(buffer, head.table)
    rim = record(buffer, head.rim, RIM)
    head.number, head.mass, head.share.part = 8, 3.5, 0.75
    last = rows[rows.shape[0] - 1]
    last.turns, last.share.of, last.place[2], last.axes[0, 1], last.ways[0] = 40, 41, 4.25, 4.5, 42
    loads[0], order[2], table[1, 0] = -1.0, -3, -2.0
    rim.width, indices(buffer, rim.bolts)[1] = 0.5, 11
    rows[0] = last


COMPILED = {function: numba.njit(function) for function in (read, write)}


def test_plain_python_and_compiled_read_the_same():
    found = read(cart())
    assert COMPILED[read](cart()) == found
    wanted = 2.5 * 7 + 0.5 * 4 + 0.125
    for n in range(3):
        wanted += n * (0.5 + n) + 0.25 * n * (10 + n) + (n + 1.0) * 5.0 + n
    wanted += 3.5 + 2 * 1.5 + 3 * 2.5
    wanted += sum((1 + i) * (2 + j) * (3.0 * i + j) for i in range(2) for j in range(3))
    assert found == pytest.approx(wanted + 100.0 * (8 + 2 * 9), rel=1e-15)


def test_plain_python_and_compiled_write_the_same():
    """Nothing is a copy: all that is written is in the buffer, and nothing else changes."""
    buffers = [cart(), cart(), cart()]
    write(buffers[0])
    COMPILED[write](buffers[1])
    assert buffers[0].tobytes() == buffers[1].tobytes()
    before, after = (header(buffer, CART) for buffer in (buffers[2], buffers[0]))
    assert (after.number, after.mass, after.share.part, after.share.of) == (8, 3.5, 0.75, 4)
    found = records(buffers[0], after.wheels, WHEEL)
    old = records(buffers[2], before.wheels, WHEEL)
    assert found[1] == old[1]
    assert found[0] == found[2] != old[2]
    last = found[2]
    assert (last.turns, last.radius, last.share.of, last.ways.tolist()) == (40, 2.5, 41, [42, 2])
    assert (last.place.tolist(), last.axes.tolist()) == ([2, 3, 4.25], [[0, 4.5, 2], [3, 4, 5]])
    assert numbers(buffers[0], after.loads).tolist() == [-1.0, 2.5, 3.5, 4.5]
    assert indices(buffers[0], after.order).tolist() == [2, 0, -3]
    assert matrix(buffers[0], after.table).tolist() == [[0, 1, 2], [-2, 4, 5]]
    rim = record(buffers[0], after.rim, RIM)
    assert (rim.width, indices(buffers[0], rim.bolts).tolist()) == (0.5, [8, 11])


def test_machines_of_any_size_share_one_compiled_kernel():
    kernel = numba.njit(read)
    for count in (1, 2, 5):
        assert kernel(cart(count)) == read(cart(count))
    assert len(kernel.overloads) == 1


def test_parts_of_nothing_are_empty():
    def sizes(buffer):
        head = header(buffer, CART)
        rows, table = records(buffer, head.wheels, WHEEL), matrix(buffer, head.table)
        return rows.shape[0], numbers(buffer, head.loads).shape[0], table.shape

    packing = Packing(CART)
    packing.add("wheels", new_records(0, WHEEL))
    packing.add("table", np.zeros((0, 4)))
    for function in (sizes, numba.njit(sizes)):
        assert function(packing.buffer()) == (0, 0, (0, 4))


# ---------------------------------------------------------------------------------------- packing


def test_a_layout_takes_whole_doubles():
    assert WHEEL.names == ("turns", "radius", "share", "place", "axes", "ways")
    assert [doubles(one) for one in (SHARE, WHEEL, RIM, CART)] == [2, 15, 3, 14]
    assert WHEEL.isalignedstruct


def test_parts_follow_each_other_and_their_spans_say_where():
    buffer = cart(2)
    head = header(buffer, CART)
    at = doubles(CART)
    assert head.wheels.tolist() == [at, 2]
    assert head.loads.tolist() == [at + 2 * doubles(WHEEL), 4]
    assert head.order.tolist() == [at + 2 * doubles(WHEEL) + 4, 3]
    assert head.table.tolist() == [at + 2 * doubles(WHEEL) + 7, 2, 3]
    assert head.rim == at + 2 * doubles(WHEEL) + 13
    assert record(buffer, head.rim, RIM).bolts.tolist() == [head.rim + doubles(RIM), 2]
    assert buffer.size == head.rim + doubles(RIM) + 2
    assert (buffer.dtype, buffer.flags.c_contiguous) == (np.float64, True)


def test_the_outer_header_may_have_more_parts_behind_an_inner_one():
    packing = Packing(CART)
    inner = packing.within("rim", RIM)
    packing.add("loads", np.array([1.0, 2.0]))
    inner.add("bolts", np.array([3]))
    packing.header["mass"] = 4.0  # a header can be written until the buffer is made
    buffer = packing.buffer()
    head = header(buffer, CART)
    assert (head.mass, numbers(buffer, head.loads).tolist()) == (4.0, [1.0, 2.0])
    assert indices(buffer, record(buffer, head.rim, RIM).bolts).tolist() == [3]
    assert packing.end == inner.end == buffer.size


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ([True, False], [1, 0]),
        (np.array([3, 4], dtype=np.int32), [3, 4]),
        (np.array([5], dtype=np.uint8), [5]),
    ],
)
def test_whole_numbers_of_any_kind_are_packed_as_such(given, wanted):
    packing = Packing(CART)
    packing.add("order", np.array(given))
    buffer = packing.buffer()
    assert indices(buffer, header(buffer, CART).order).tolist() == wanted


def test_what_is_packed_need_not_lie_in_one_piece():
    packing = Packing(CART)
    packing.add("loads", np.arange(6.0)[::2])
    packing.add("table", np.arange(6.0).reshape(3, 2).T)
    packing.add("wheels", wheels(4)[::2])
    buffer = packing.buffer()
    head = header(buffer, CART)
    assert numbers(buffer, head.loads).tolist() == [0.0, 2.0, 4.0]
    assert matrix(buffer, head.table).tolist() == [[0, 2, 4], [1, 3, 5]]
    assert records(buffer, head.wheels, WHEEL).turns.tolist() == [0, 2]


def test_a_buffer_is_a_copy():
    loads = np.array([1.0, 2.0])
    packing = Packing(CART)
    packing.add("loads", loads)
    first, second = packing.buffer(), packing.buffer()
    loads[0] = first[-1] = 9.0
    assert numbers(second, header(second, CART).loads).tolist() == [1.0, 2.0]


def test_names_that_a_header_has_not_are_refused():
    with pytest.raises(ValueError, match="no field of name weight"):
        Packing(CART, weight=1.0)
    packing = Packing(CART)
    with pytest.raises(ValueError, match="no field of name load"):
        packing.add("load", np.zeros(3))
    with pytest.raises(ValueError, match="no field of name tyre"):
        packing.within("tyre", RIM)
    assert packing.end == doubles(CART)  # and nothing has been laid


def test_shapes_that_a_span_has_no_room_for_are_refused():
    packing = Packing(CART)
    with pytest.raises(ValueError, match="broadcast"):
        packing.add("loads", np.zeros((2, 3)))
    with pytest.raises(ValueError, match="broadcast"):
        packing.add("table", np.zeros(6))
    assert packing.end == doubles(CART)


# ---------------------------------------------------------------------------------------- scratch

WORK = layout(wheels=SPAN, force=SPAN, M=TABLE)


def test_scratch_reserves_one_part_behind_the_other():
    scratch = Scratch()
    first = scratch.spans(WORK, wheels=(3, WHEEL), force=4, M=(2, 5))
    at = 3 * doubles(WHEEL)
    assert first["wheels"].tolist() == [0, 3]
    assert first["force"].tolist() == [at, 4]
    assert first["M"].tolist() == [at + 4, 2, 5]
    assert scratch.size == at + 14
    assert scratch.reserve(2) == (at + 14, 2)
    assert scratch.reserve((0, WHEEL)) == (at + 16, 0)
    assert scratch.size == at + 16
    work = np.zeros(scratch.size)
    matrix(work, first["M"])[:] = 1.0
    records(work, first["wheels"], WHEEL).radius = 2.0
    assert work.sum() == 10.0 + 6.0


@pytest.mark.parametrize(
    "wrong",
    [
        {"wheels": (3, WHEEL), "force": 4},
        {"wheels": (3, WHEEL), "force": 4, "M": (2, 5), "N": 1},
        {"wheels": (3, WHEEL), "forces": 4, "M": (2, 5)},
    ],
)
def test_scratch_refuses_names_that_are_not_those_of_its_record(wrong):
    scratch = Scratch()
    with pytest.raises(TypeError, match=r"found .*, expected .*'wheels', 'force', 'M'"):
        scratch.spans(WORK, **wrong)
    assert scratch.size == 0


def test_new_records_are_empty_and_their_fields_attributes():
    made = new_records(2, WHEEL)
    assert made.tobytes() == bytes(2 * WHEEL.itemsize)
    made[1].share.part = 3.0
    made.radius = 1.5
    assert (made["share"]["part"].tolist(), made[0].radius) == ([0.0, 3.0], 1.5)
