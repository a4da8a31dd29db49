"""Frames: as the module says they lie, and back."""

import dataclasses
import math
import struct

import numpy as np
import pytest

from headframe.errors import ProtocolError
from headframe.protocol import STRONGEST, VERSION, Frame, decode, encode
from headframe.protocol.frame import Units, bodies_of, header_of, whole
from headframe.protocol.frame_layout import HEADER, HEADER_FIELDS


def example(links=3, cylinders=2, motors=1, joints=5):
    random = np.random.default_rng(1)
    return Frame(
        7, 2, 12.345, 1.5, 20.25, 5, 3e-5, 1e-3, 4,
        random.normal(size=(links, 7)), random.normal(size=cylinders),
        random.normal(size=cylinders), 1e5 * random.normal(size=cylinders),
        random.normal(size=(motors, 2)), random.normal(size=joints), random.normal(size=4),
    )  # fmt: skip


@pytest.mark.parametrize("counts", [(3, 2, 1, 4), (0, 0, 0, 0), (33, 11, 3, 1)])
def test_frames_come_back_as_they_were(counts):
    frame = example(*counts)
    found = decode(encode(frame))
    for field in dataclasses.fields(Frame):
        np.testing.assert_allclose(
            getattr(found, field.name), getattr(frame, field.name), rtol=1e-7
        )


def crowded():
    random = np.random.default_rng(3)
    crowd = (
        Units(np.array([4, 90, 17]), random.normal(size=(3, 5, 7))),
        Units(np.array([100]), random.normal(size=(1, 2, 7))),
        Units(np.array([], dtype=int), random.normal(size=(0, 2, 7))),
    )
    return dataclasses.replace(example(), unit=90, crowd=crowd)


def test_other_units_come_back_as_they_were():
    frame = crowded()
    data = encode(frame)
    found = decode(data)
    assert found.unit == 90
    assert len(data) == len(encode(example())) + 4 * (2 + 3 * 36 + 2 + 15 + 2)
    for units, wanted in zip(found.crowd, frame.crowd, strict=True):
        np.testing.assert_array_equal(units.numbers, wanted.numbers)
        np.testing.assert_allclose(units.poses, wanted.poses, rtol=1e-7)
    assert decode(encode(example())).crowd == ()


def touching():
    random = np.random.default_rng(5)
    bodies = np.column_stack([[4, 1], random.normal(size=(2, 7))])
    return dataclasses.replace(crowded(), bodies=bodies, contacts=random.normal(size=(3, 12)))


def test_bodies_and_contacts_come_back_as_they_were():
    frame = touching()
    data = encode(frame)
    found = decode(data)
    assert len(data) == len(encode(crowded())) + 4 * (2 * 8 + 3 * 12)
    np.testing.assert_allclose(found.bodies, frame.bodies, rtol=1e-7)
    np.testing.assert_allclose(found.contacts, frame.contacts, rtol=1e-7)
    np.testing.assert_array_equal(bodies_of(data), found.bodies)
    assert len(found.crowd) == 3
    assert len(decode(encode(example())).bodies) == 0


def test_a_whole_frame_has_all_bodies_and_room_for_all_contacts_but_no_crowd():
    bodies = np.arange(40, dtype=np.float32).reshape(5, 8)
    data = whole(encode(touching()), bodies)
    found = decode(data)
    np.testing.assert_array_equal(found.bodies, bodies)
    assert found.contacts.shape == (STRONGEST, 12)
    np.testing.assert_allclose(found.contacts[:3], touching().contacts, rtol=1e-7)
    assert not found.contacts[3:].any()
    assert found.crowd == ()
    assert header_of(data)["unit"] == 90
    np.testing.assert_allclose(found.poses, touching().poses, rtol=1e-7)
    assert len(data) == len(whole(encode(example()), bodies))


@pytest.mark.parametrize(
    ("at", "number"),
    [(0, 4.0), (0, -1.0), (1, 6.0), (2 + 3 * 36, 99.0)]
    + [(at, number) for at in (0, 1) for number in (-3.0, math.nan, math.inf, -math.inf, 1e30)],
)
def test_a_crowd_that_does_not_fit_is_refused(at, number):
    data = bytearray(encode(crowded()))
    begin = len(encode(example()))
    struct.pack_into("<f", data, begin + 4 * at, number)
    with pytest.raises(ProtocolError, match="crowd that is cut off"):
        decode(bytes(data))


def test_numbers_lie_where_the_layout_says():
    frame = example()
    data = encode(frame)
    assert HEADER % 4 == 0
    assert len(data) == HEADER + 4 * (3 * 7 + 3 * 2 + 2 + 5 + 4)
    assert struct.unpack_from("<d", data, 16) == (12.345,)
    assert struct.unpack_from("<7f", data, HEADER) == pytest.approx(frame.poses[0])
    assert struct.unpack_from("<f", data, HEADER + 4 * (21 + 2))[0] == pytest.approx(
        frame.speeds[0]
    )
    assert struct.unpack_from("<5f", data, len(data) - 36) == pytest.approx(frame.joints)
    assert struct.unpack_from("<4f", data, len(data) - 16) == pytest.approx(frame.energy)


def test_positions_are_exact_to_a_micrometre():
    frame = example()
    frame.poses[:, :3] = np.random.default_rng(2).uniform(-15, 15, (3, 3))
    np.testing.assert_allclose(decode(encode(frame)).poses, frame.poses, atol=1e-6)


@pytest.mark.parametrize("length", [0, HEADER - 1, HEADER, 100])
def test_cut_frames_are_refused(length):
    with pytest.raises(ProtocolError, match="bytes"):
        decode(encode(example())[:length])


def test_other_versions_are_refused():
    data = bytearray(encode(example()))
    at = HEADER_FIELDS[0].size
    struct.pack_into("<H", data, at, VERSION + 1)
    with pytest.raises(ProtocolError, match=f"found version {VERSION + 1}"):
        decode(bytes(data))
    with pytest.raises(ProtocolError, match="do not begin"):
        decode(b"\0" * 200)
