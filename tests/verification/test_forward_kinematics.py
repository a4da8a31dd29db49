"""Forward kinematics of the catalogue over the whole box of lengths: closed, exact, right branch.

Residuals are computed here from the poses of links and the description alone. The figures are
printed; `-rP` shows them.
"""

import itertools
from functools import cache

import numpy as np
import pytest

import headframe as hf
from headframe.bench.printed import ORDER
from headframe.kinematics.batch import lengths_batch
from headframe.mechanism import follow

SAMPLE, FULL, CHUNK = 200, 1_000_000, 50_000
WALKED, WALKED_IN_FULL = 40, 2000
EXACT = 1e-10  # [m], and of a sine
PARTS, WAYS = 16, 5000  # of a straight way from home; ways at a time
JUMP = 0.05  # [rad, m] between joints from part to part of a way; without jumps it is below 0.02
SAME = 1e-8  # [rad, m] within which joints are the same; other branches are far beyond
ANTAGONISTS = {("roadheader", "slew")}  # one shortens while the other lengthens


@cache
def loaded(name):
    return hf.load(name)


@pytest.fixture(params=ORDER)
def m(request):
    return loaded(request.param)


def drawn(m, count, seed):
    """Lengths of the first members, (count, n_groups)."""
    low, high = m.kinematics.usable
    return np.random.default_rng(seed).uniform(low, high, size=(count, low.size))


def corners(m):
    low, high = m.kinematics.usable
    choices = itertools.product((False, True), repeat=low.size)
    return np.array([np.where(corner, high, low) for corner in choices])


def pivots(m):
    """Both halves of every closure: their joints."""
    return [(m.joints[c.forward], m.joints[c.backward]) for c in m.topology.closures]


def worst(m, lengths):
    """Largest residuals over the rows: gap [m], sine between axes, length, partner's [m].

    A partner's is by how much it leaves its bounds, and how far a twin is from its first member.
    """
    halves = pivots(m)
    links = list(dict.fromkeys(joint.parent for pair in halves for joint in pair))
    batch = m.fk_batch(lengths, links)
    assert batch.joints.shape == (len(lengths), m.home.q.size)
    assert np.isfinite(batch.joints).all()
    assert np.isfinite(batch.poses).all()
    gap = sine = partner = 0.0
    for pair in halves:
        X = [batch.pose(joint.parent) @ joint.origin for joint in pair]
        gap = max(gap, np.abs(X[0][:, :3, 3] - X[1][:, :3, 3]).max())
        a, b = (x[:, :3, :3] @ np.array(joint.axis) for x, joint in zip(X, pair, strict=True))
        sine = max(sine, np.linalg.norm(np.cross(a, b), axis=1).max())
    found = lengths_batch(m.kinematics, batch.joints)
    wrong = np.abs(found[:, m.mechanism.first_members] - lengths).max()
    for name, members in zip(m.robot.group_names, m.robot.groups, strict=True):
        for act in members[1:]:
            bounds = m.actuators[act].bounds
            beyond = np.maximum(bounds.lower - found[:, act], found[:, act] - bounds.upper)
            partner = max(partner, beyond.max())
            if (m.name, name) not in ANTAGONISTS:
                partner = max(partner, np.abs(found[:, act] - found[:, members[0]]).max())
    return np.array([gap, sine, wrong, partner])


def check(m, chunks):
    figures, count = np.zeros(4), 0
    for lengths in chunks:
        figures = np.maximum(figures, worst(m, lengths))
        count += len(lengths)
    gap, sine, wrong, partner = figures
    print(
        f"{m.name}: {count} length vectors, loops {gap:.1e} m and {sine:.1e}, lengths "
        f"{wrong:.1e} m, partners {partner:.1e} m"
    )
    assert gap < EXACT
    assert sine < EXACT
    assert wrong < EXACT
    assert partner <= EXACT


def check_branch(m, rows):
    """Every row is where the straight way from home ends, by the general solver."""
    home, apart = m.home, 0.0
    for lengths, q in zip(rows, m.fk_batch(rows).joints, strict=True):
        target = home.lengths.copy()
        target[m.mechanism.first_members] = lengths
        end = follow(m.mechanism, home.q, home.lengths, target)
        assert end.solved, f"{m.name}: {lengths} reached to {end.reached:.3f} of the way"
        apart = max(apart, np.abs(q - end.q).max())
    print(f"{m.name}: {len(rows)} ways from home, joints differ by {apart:.1e}")
    assert apart < SAME


def largest_jump(m, rows):
    """Largest second difference of the joints on the straight ways from home, in PARTS parts.

    Without a jump it is what the motion's curvature makes of a part, a hundredth or two. Another
    assembly is a fold away, and going over to it would show as a jump as large as their distance.
    """
    home = m.home.lengths[m.mechanism.first_members]
    along = np.linspace(0.0, 1.0, PARTS + 1)[:, None]
    ways = home + along * (rows[:, None, :] - home)
    q = m.fk_batch(ways.reshape(-1, home.size)).joints.reshape(len(rows), PARTS + 1, -1)
    return float(np.abs(np.diff(q, 2, axis=1)).max())


def check_ways(m, chunks):
    jump = max(largest_jump(m, rows) for rows in chunks)
    print(f"{m.name}: joints turn by at most {jump:.3f} from one part of a way to the next")
    assert jump < JUMP


def test_the_whole_box_can_be_reached(m):
    """All bounds are usable and all blocks are one sheet: the answer depends on nothing else."""
    assert m.kinematics.regular
    low, high = m.kinematics.usable
    bounds = [m.actuators[act].bounds for act in m.mechanism.first_members]
    np.testing.assert_allclose(low, [b.lower for b in bounds], rtol=0, atol=1e-9)
    np.testing.assert_allclose(high, [b.upper for b in bounds], rtol=0, atol=1e-9)


def test_lengths_are_exact(m):
    check(m, [drawn(m, SAMPLE, seed=1)])


def test_corners_are_exact_and_on_the_branch(m):
    check(m, [corners(m)])
    check_branch(m, corners(m))


def test_answers_are_on_the_branch(m):
    check_branch(m, drawn(m, WALKED, seed=2))
    check_ways(m, [drawn(m, SAMPLE, seed=5)])


@pytest.mark.slow
def test_a_million_lengths_are_exact(m):
    random = np.random.default_rng(3)
    check(m, (drawn(m, CHUNK, random.integers(2**32)) for _ in range(FULL // CHUNK)))


@pytest.mark.slow
def test_thousands_of_answers_are_on_the_branch(m):
    check_branch(m, drawn(m, WALKED_IN_FULL, seed=4))


@pytest.mark.slow
def test_a_million_answers_are_on_the_branch(m):
    random = np.random.default_rng(6)
    check_ways(m, (drawn(m, WAYS, random.integers(2**32)) for _ in range(FULL // WAYS)))
