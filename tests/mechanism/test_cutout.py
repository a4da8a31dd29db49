"""Blocks of loops as machines of their own: as small as they are, and with the same answers."""

import numpy as np
import pytest

import headframe as hf
from build import (
    actuator,
    joint,
    machine,
    peaucellier,
    row_of_four_bars,
    row_of_windows,
    rssr,
    stewart_platform,
)
from headframe.mechanism import loop_gaps
from headframe.mechanism.blocks import find_blocks
from headframe.mechanism.cutout import Cutout
from headframe.mechanism.request import HomeRequest
from headframe.mechanism.search import MANY, STARTS, Search, starts_for
from headframe.mechanism.solver import residuals


def parts_of(m):
    return [Cutout(m.mechanism, block) for block in find_blocks(m.mechanism)]


def bandwidth(part):
    """How far a row of the normal equations reaches before its diagonal, at most."""
    place = {int(v): k for k, v in enumerate(part.velocities[part.dofs])}
    known = [
        [place[int(v)] for v in part.mechanism.velocities_in(int(row)) if int(v) in place]
        for row in part.block.closing
    ]
    return max(max(row) - min(row) for row in known)


@pytest.mark.parametrize("driven", [True, False])
def test_blocks_of_a_row_are_as_small_as_in_a_machine_of_one(driven):
    """Before, each of n blocks was solved with all 3 n freedoms of the machine around it."""
    (alone,) = parts_of(row_of_four_bars(1, driven))
    in_a_row = parts_of(row_of_four_bars(12, driven))
    assert len(in_a_row) == 12
    for part in in_a_row:
        assert len(part.freedoms) == len(alone.freedoms) == 3
        assert len(part.constraints) == len(alone.constraints)


@pytest.mark.parametrize("driven", [True, False])
def test_work_for_a_row_grows_with_its_length_and_not_with_its_square(monkeypatch, driven):
    """Counted are the freedoms that are placed, once for each solution and way."""
    placed = 0

    def counting(method):
        def counted(self, *args):
            nonlocal placed
            placed += len(self.freedoms)
            return method(self, *args)

        return counted

    for name in ("solve", "follow"):
        monkeypatch.setattr(Cutout, name, counting(getattr(Cutout, name)))
    counts = []
    for n in (2, 4, 6):
        placed = 0
        assert max(loop_gaps(row_of_four_bars(n, driven).home).values()) < 1e-12
        counts.append(placed)
    assert counts[2] - counts[1] == counts[1] - counts[0] > 0


@pytest.mark.parametrize("driven", [True, False])
def test_forty_loops_assemble(driven):
    """This took 10 s and minutes; where no clock is looked at, the test's own time shows it."""
    for make in (row_of_four_bars, row_of_windows):
        m = make(40, driven)
        assert max(loop_gaps(m.home).values()) < 1e-12
        for length, one in zip(m.home.lengths, m.actuators, strict=True):
            assert one.bounds.lower <= length <= one.bounds.upper


def test_one_block_of_many_loops_has_equations_in_a_narrow_band():
    """Two neighbouring windows share a post: a loop knows four velocities, wherever it is."""
    few, many = (parts_of(row_of_windows(n))[0] for n in (5, 30))
    assert many.dofs.size == 61
    assert bandwidth(many) == bandwidth(few) <= 4


def test_large_blocks_get_fewer_starts_but_never_none():
    assert starts_for(0) == 0
    assert starts_for(3) == 3 * STARTS
    assert starts_for(MANY) == MANY * STARTS
    assert starts_for(2 * MANY) == MANY // 2 * STARTS
    assert starts_for(1000) == STARTS


def carried_zoo():
    """A ball, and two hinges that a repeater ties, on an arm that turns and slides."""
    return machine(
        [
            joint("turn", "base", "mast", axis=[0, 0, 1], rpy=[0.2, -0.1, 0.3]),
            joint("slide", "mast", "arm", "prismatic", axis=[1, 0, 0], at=[0.4, 0, 1]),
            joint("ball", "arm", "stick", "spherical", at=[0.5, 0, 0]),
            joint("wheel", "arm", "disc", axis=[0, 1, 0], at=[0, 0.4, 0]),
            joint("lever", "disc", "tip", axis=[0, 1, 0], at=[0.3, 0, 0]),
        ],
        [
            actuator("one", ("arm", (0, 0.3, 1.0)), ("stick", (0.9, 0.2, 0.1)), (0.2, 3.0)),
            actuator("two", ("arm", (0, -0.3, 1.0)), ("stick", (0.9, -0.2, 0.1)), (0.2, 3.0)),
            actuator("three", ("arm", (0, 0.4, -1.0)), ("tip", (0.6, 0.0, 0.1)), (0.2, 3.0)),
        ],
        repeaters=[{"name": "r", "joint": "lever", "follows": "wheel", "ratio": 0.5}],
    )


@pytest.mark.parametrize(
    "make",
    [rssr, stewart_platform, peaucellier, carried_zoo, lambda: row_of_four_bars(3),
     lambda: hf.load("tcchs"), lambda: hf.load("roadheader")],
)  # fmt: skip
def test_a_part_has_the_residuals_and_lengths_of_its_machine(make):
    """At any pose, closed or not: what carries all of a block does not show in them."""
    m = make().mechanism
    random = np.random.default_rng(5)
    q = m.q_zero + random.normal(size=m.q_zero.size)
    for at in m.quaternions:
        q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
    whole = hf.State(m, q)
    for block in find_blocks(m):
        part = Cutout(m, block)
        own = q[part.positions]
        np.testing.assert_allclose(part.lengths(own), whole.lengths[block.actuators], atol=1e-13)
        sizes = np.abs(residuals(whole, block.closing))
        gaps = np.abs(part.residuals(own, part.closing_rows))
        worst = max(sizes.max(initial=0.0), 1.0)
        assert np.linalg.norm(gaps) == pytest.approx(np.linalg.norm(sizes), abs=1e-12 * worst)


def test_angles_of_screws_are_not_turned_back():
    """A whole turn moves what a screw carries along its axis."""
    cylinder = actuator("cyl", ("base", (3, 0, 0)), ("arm", (1, 0, 0)), (0.1, 9.0))
    m = machine([joint("thread", "base", "arm")], [cylinder])
    (block,) = find_blocks(m.mechanism)
    search = Search(Cutout(m.mechanism, block), HomeRequest(m.mechanism))
    assert search._fresh(np.array([7.0]))[0] == pytest.approx(7.0 - 2 * np.pi)
    m.mechanism.freedoms["pitch"] = 0.1
    search = Search(Cutout(m.mechanism, block), HomeRequest(m.mechanism))
    assert search._fresh(np.array([7.0]))[0] == 7.0
