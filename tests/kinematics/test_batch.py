"""Many problems in one call give what each of them gives alone."""

import math
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest

import headframe as hf
from build import actuator, joint, machine, stewart_platform
from headframe.bench.printed import ORDER
from headframe.errors import (
    LengthError,
    PartnerError,
    SingularityError,
    StateError,
    UnknownElementError,
)
from headframe.kinematics.batch import lengths_batch
from headframe.kinematics.inverse.general import general_ik
from headframe.mechanism import State
from headframe.spatial import exp_pose, pose
from servo_machines import elbow_arm

X_WB = pose((3.0, -2.0, 1.0), (0.4, -1.1, 2.0))
POINT = [0, 0, 0, 1, 1, 1]


@cache
def loaded(name):
    return hf.load(name)


@pytest.fixture(params=ORDER)
def m(request):
    return loaded(request.param)


def drawn(m, count, seed=1):
    """Lengths of the first members, (count, n_groups)."""
    low, high = m.kinematics.usable
    return np.random.default_rng(seed).uniform(low, high, size=(count, low.size))


# -- forward ----------------------------------------------------------------------------


def test_rows_are_what_each_gives_alone(m):
    rows = drawn(m, 20)
    links = list(m.mechanism.body_of_link)
    start = m.fk(drawn(m, 1, seed=2)[0])
    batch = m.fk_batch(rows, links, start)
    assert len(batch) == 20
    assert batch.links == tuple(links)
    assert batch.joints.shape == (20, m.home.q.size)
    assert batch.poses.shape == (20, len(links), 4, 4)
    for row, lengths in enumerate(rows):
        state = m.fk(lengths, start)
        np.testing.assert_allclose(batch.joints[row], state.q, rtol=0, atol=1e-13)
        for link in links:
            np.testing.assert_allclose(batch.pose(link)[row], state.pose(link), rtol=0, atol=1e-13)


def test_lengths_of_all_actuators_serve_too(m):
    rows = drawn(m, 10)
    joints = m.fk_batch(rows).joints
    lengths = lengths_batch(m.kinematics, joints)
    assert lengths.shape == (10, len(m.actuators))
    for q, found in zip(joints, lengths, strict=True):
        np.testing.assert_allclose(found, State(m.mechanism, q).lengths, rtol=0, atol=1e-13)
    np.testing.assert_allclose(m.fk_batch(lengths).joints, joints, rtol=0, atol=1e-12)
    np.testing.assert_allclose(m.fk_batch(lengths.tolist()).joints, joints, rtol=0, atol=1e-12)


def test_any_real_array_serves():
    """Strided, read-only, of single precision: read, never written."""
    m = loaded("tcchs")
    rows = drawn(m, 5)
    expected = m.fk_batch(rows).joints
    wide = np.zeros((5, 2 * rows.shape[1]))
    wide[:, ::2] = rows
    frozen = rows.copy()
    frozen.flags.writeable = False
    for given in (wide[:, ::2], np.asfortranarray(rows), rows[::-1].copy()[::-1], frozen):
        before = given.copy()
        np.testing.assert_allclose(m.fk_batch(given).joints, expected, rtol=0, atol=1e-14)
        np.testing.assert_array_equal(given, before)
    full = np.array([m.fk(row).lengths for row in rows])
    full.flags.writeable = False
    np.testing.assert_allclose(m.fk_batch(full).joints, expected, rtol=0, atol=1e-12)
    single = rows.astype(np.float32)
    np.testing.assert_allclose(
        m.fk_batch(single).joints, m.fk_batch(single.astype(float)).joints, atol=1e-14
    )


def test_links_come_in_the_order_asked_for():
    m = loaded("tcchs")
    rows = drawn(m, 3)
    batch = m.fk_batch(rows, ["guard_plate", "base", "canopy", "guard_plate"])
    assert batch.links == ("guard_plate", "base", "canopy", "guard_plate")
    for place, link in enumerate(batch.links):
        for row in range(3):
            expected = m.fk(rows[row]).pose(link)
            np.testing.assert_allclose(batch.poses[row, place], expected, rtol=0, atol=1e-13)
    alone = m.fk_batch(rows, "canopy")
    assert alone.links == ("canopy",)
    np.testing.assert_array_equal(alone.pose("canopy"), batch.pose("canopy"))
    assert m.fk_batch(rows).poses.shape == (3, 0, 4, 4)
    assert m.fk_batch(rows, ()).links == ()
    assert m.fk_batch(rows, iter(["canopy"])).links == ("canopy",)


def test_bases_of_all_and_of_each_row():
    m = loaded("lhd")
    rows, links = drawn(m, 4), ["bucket", "body"]
    bases = np.array([pose((k, 2.0 * k, 0.1), (0.1 * k, 0.2, 0.3)) for k in range(4)])
    plain = m.fk_batch(rows, links)
    each, every = m.fk_batch(rows, links, base=bases), m.fk_batch(rows, links, base=X_WB)
    from_start = m.fk_batch(rows, links, start=m.home.moved(X_WB))
    one = m.fk_batch(rows[:1], links, base=bases[1:2])
    for row in range(4):
        for k in range(2):
            X = plain.poses[row, k]
            np.testing.assert_allclose(each.poses[row, k], bases[row] @ X, atol=1e-12)
            np.testing.assert_allclose(every.poses[row, k], X_WB @ X, atol=1e-12)
            np.testing.assert_allclose(from_start.poses[row, k], X_WB @ X, atol=1e-12)
    np.testing.assert_allclose(one.poses[0, 0], bases[1] @ plain.poses[0, 0], atol=1e-12)
    np.testing.assert_array_equal(each.joints, plain.joints)


def test_what_motors_spin_stays_as_at_the_start():
    m = loaded("roadheader")
    q = m.home.q.copy()
    q[m.mechanism.position_of_joint["cutting"]] = 1.3
    start = State(m.mechanism, q)
    batch = m.fk_batch(drawn(m, 3), ["cutting_drum"], start)
    assert (batch.joints[:, m.mechanism.position_of_joint["cutting"]] == 1.3).all()
    expected = m.fk(drawn(m, 3)[2], start).pose("cutting_drum")
    np.testing.assert_allclose(batch.pose("cutting_drum")[2], expected, rtol=0, atol=1e-13)


def test_no_rows_are_no_trouble():
    m = loaded("tcchs")
    for width in (len(m.robot.groups), len(m.actuators)):
        batch = m.fk_batch(np.zeros((0, width)), ["canopy"])
        assert len(batch) == 0
        assert batch.joints.shape == (0, m.home.q.size)
        assert batch.poses.shape == (0, 1, 4, 4)
        assert batch.pose("canopy").shape == (0, 4, 4)


def test_a_longwall_is_one_call():
    """A hundred supports side by side, poses of all links, each where it stands."""
    m = loaded("tcchs")
    n, links = 100, list(m.mechanism.body_of_link)
    bases = np.array([pose((0.0, 1.75 * k, 0.02 * k), (0.0, 0.01 * k, 0.0)) for k in range(n)])
    rows = drawn(m, n, seed=3)
    wall = m.fk_batch(rows, links, base=bases)
    assert wall.poses.shape == (n, len(links), 4, 4)
    for k in (0, 17, 99):
        state = m.fk(rows[k]).moved(bases[k])
        for place, link in enumerate(links):
            np.testing.assert_allclose(wall.poses[k, place], state.pose(link), atol=1e-12)
    np.testing.assert_allclose(
        wall.pose("base")[:, :3, 3], (bases @ m.home.pose("base"))[:, :3, 3], atol=1e-12
    )


def test_threads_share_a_machine():
    """Each part of the rows on a thread of its own gives what one call gives."""
    m = loaded("sshs")
    rows = drawn(m, 4000, seed=4)
    whole = m.fk_batch(rows, ["canopy"])
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda part: m.fk_batch(part, ["canopy"]), np.split(rows, 8)))
    np.testing.assert_array_equal(np.concatenate([p.joints for p in parts]), whole.joints)
    np.testing.assert_array_equal(np.concatenate([p.poses for p in parts]), whole.poses)


# -- what is refused --------------------------------------------------------------------


def test_errors_name_the_row_and_carry_their_fields():
    m = loaded("roadheader")
    good = np.array([m.fk(row).lengths for row in drawn(m, 5)])
    bad = good.copy()
    bad[3, 4] = 9.0
    bad[4, 4] = 9.5
    with pytest.raises(LengthError, match="row 3: 'telescope'") as found:
        m.fk_batch(bad)
    assert (found.value.actuator, found.value.length) == ("telescope", 9.0)
    bounds = m.robot.actuator("telescope").bounds
    assert found.value.expected == (bounds.lower, bounds.upper)
    bad = good.copy()
    bad[2, 1] += 2e-9
    with pytest.raises(PartnerError, match="row 2: 'slew_right'") as found:
        m.fk_batch(bad)
    assert found.value.length == bad[2, 1]
    assert found.value.expected == pytest.approx((good[2, 1],) * 2, abs=1e-11)
    bad[2, 1] = good[2, 1] + 5e-10
    m.fk_batch(bad)
    bad[1, 0] = math.nan
    with pytest.raises(StateError, match="row 1: 'slew_left': found nan"):
        m.fk_batch(bad)


@pytest.mark.parametrize("shape", [(), (9,), (6,), (2, 8), (2, 3, 9), (0,), (0, 5)])
def test_lengths_of_another_shape(shape):
    with pytest.raises(StateError, match=r"found shape .*expected \(n, 9\).*\(n, 6\)"):
        loaded("roadheader").fk_batch(np.full(shape, 1.5))


@pytest.mark.parametrize("bad", [None, "x", [["a"] * 9], [[1j] * 9], [[1.0] * 9, [1.0] * 8]])
def test_lengths_that_are_no_numbers(bad):
    with pytest.raises(StateError, match="lengths: found"):
        loaded("roadheader").fk_batch(bad)


def test_links_and_bases_that_are_none():
    m = loaded("roadheader")
    rows = drawn(m, 2)
    with pytest.raises(UnknownElementError, match="did you mean 'boom'"):
        m.fk_batch(rows, ["bom"])
    with pytest.raises(UnknownElementError, match="main link"):
        m.fk_batch(rows, [m.actuators[0].tube])
    with pytest.raises(UnknownElementError, match="link of this batch"):
        m.fk_batch(rows, ["boom"]).pose("turret")
    with pytest.raises(StateError, match="found 3 poses, expected 2"):
        m.fk_batch(rows, base=np.repeat(np.eye(4)[None], 3, axis=0))
    for base in (np.eye(3), 2 * np.eye(4), np.full((4, 4), math.nan), np.eye(4)[None, None]):
        with pytest.raises(StateError, match="base"):
            m.fk_batch(rows, base=base)
    for start in (loaded("tcchs").home, m.home.q):
        with pytest.raises(StateError, match="start"):
            m.fk_batch(rows, start=start)


# -- machines that are not one sheet ----------------------------------------------------


def two_sheets():
    """Both dead centres, 0.5 m and 1.5 m, inside the bounds."""
    return machine(
        [joint("hinge", "base", "arm", axis=[0, -1, 0])],
        [actuator("c", ("base", (1.0, 0, 0)), ("arm", (0.5, 0, 0)), (0.2, 2.0))],
        home={"joints": {"hinge": 0.8}},
    )


def test_other_machines_row_by_row():
    one = two_sheets()
    rows = np.array([[0.6], [1.0], [1.4]])
    below = State(one.mechanism, np.array([-0.8]), X_WB)
    for start in (None, below):
        batch = one.fk_batch(rows, ["arm"], start)
        for row in range(3):
            state = one.fk(rows[row], start)
            np.testing.assert_allclose(batch.joints[row], state.q, rtol=0, atol=1e-13)
            np.testing.assert_allclose(batch.pose("arm")[row], state.pose("arm"), atol=1e-12)
    with pytest.raises(SingularityError, match="row 1: 'c'") as found:
        one.fk_batch([[1.0], [0.3], [5.0]])
    assert found.value.reachable == pytest.approx((0.5, 1.5), abs=1e-9)
    with pytest.raises(LengthError, match="row 2: 'c'"):
        one.fk_batch([[1.0], [1.1], [5.0]])


def test_a_stewart_platform_in_batches():
    one = stewart_platform()
    rows = np.array(one.home.lengths) + np.random.default_rng(5).uniform(-0.1, 0.1, (4, 6))
    batch = one.fk_batch(rows, ["platform"])
    np.testing.assert_allclose(lengths_batch(one.kinematics, batch.joints), rows, atol=1e-10)
    targets = batch.pose("platform")
    for chained in (True, False):
        found = one.ik_batch("platform", targets, chained=chained)
        assert found.reachable.all()
        np.testing.assert_allclose(found.lengths, rows, rtol=0, atol=1e-8)
        assert (found.objective < 1e-9).all()
        assert found.iterations.shape == (4,)


@pytest.mark.parametrize("chained", [True, False])
def test_no_targets_for_other_machines(chained):
    one = two_sheets()
    found = one.ik_batch("arm", np.zeros((0, 4, 4)), chained=chained)
    assert len(found) == 0
    assert found.objective.shape == (0,)


# -- inverse ----------------------------------------------------------------------------


def targets(m, link, count, seed=6):
    """Some can be reached, some not."""
    random = np.random.default_rng(seed)
    Y = m.fk_batch(drawn(m, count, seed), [link]).pose(link)
    for row in range(0, count, 3):
        Y[row] = Y[row] @ exp_pose(random.uniform(-0.3, 0.3, 6))
    return Y


@pytest.mark.parametrize("more", [{}, {"mask": POINT}, {"weights": [1, 2, 3, 4, 5, 6]}])
@pytest.mark.parametrize("chained", [True, False])
def test_targets_are_what_each_gives_alone(m, chained, more):
    """Chained, each starts where the one before ended; else all start from the start.

    On a machine with spinning joints a chain takes the link's place behind them from its first
    start, alone each takes it from its own: the same but for rounding, to which a flat minimum is
    known to a root only.
    """
    link = m.robot.end_effector
    atol = 1e-8 if m.topology.spinning and chained else 1e-13
    start = m.fk(drawn(m, 1, seed=7)[0])
    Y = targets(m, link, 9)
    batch = m.ik_batch(link, Y, start, chained=chained, **more)
    assert len(batch) == 9
    now = start
    for row in range(9):
        result = m.ik(link, Y[row], now, **more)
        np.testing.assert_allclose(batch.joints[row], result.state.q, rtol=0, atol=atol)
        np.testing.assert_allclose(batch.lengths[row], result.lengths, rtol=0, atol=atol)
        assert batch.objective[row] == pytest.approx(result.objective, abs=1e-12)
        assert batch.reachable[row] == result.reachable
        if atol < 1e-12:
            assert batch.iterations[row] == result.iterations
        now = result.state if chained else start


def test_chained_is_the_default_and_matters():
    m = loaded("tcchs")
    Y = targets(m, "insert_plate", 12)
    default, chained = m.ik_batch("insert_plate", Y), m.ik_batch("insert_plate", Y, chained=True)
    np.testing.assert_array_equal(default.joints, chained.joints)
    apart = m.ik_batch("insert_plate", Y, chained=False)
    assert np.abs(default.joints - apart.joints).max() > 1e-3


@pytest.mark.parametrize("chained", [True, False])
@pytest.mark.parametrize("count", [0, 1])
def test_none_and_one_target(count, chained):
    m = loaded("tcchs")
    Y = targets(m, "canopy", 3)[1 : 1 + count]
    batch = m.ik_batch("canopy", Y, chained=chained)
    assert batch.joints.shape == (count, m.home.q.size)
    assert batch.lengths.shape == (count, len(m.actuators))
    for field in (batch.objective, batch.reachable, batch.iterations):
        assert field.shape == (count,)
    if count:
        np.testing.assert_allclose(batch.joints[0], m.ik("canopy", Y[0]).state.q, atol=1e-13)


def test_targets_of_a_machine_that_stands_elsewhere():
    m = loaded("jumbo")
    Y = targets(m, "rock_drill", 6)
    here = m.ik_batch("rock_drill", Y)
    there = m.ik_batch("rock_drill", X_WB @ Y, m.home.moved(X_WB))
    np.testing.assert_allclose(there.lengths, here.lengths, rtol=0, atol=1e-7)
    np.testing.assert_allclose(there.objective, here.objective, rtol=0, atol=1e-9)


def test_targets_of_machines_that_stand_apart():
    """One base for each row: every target is seen from its own machine."""
    m = loaded("jumbo")
    Y = targets(m, "rock_drill", 4)
    bases = np.array([pose((k, 2.0 * k, 0.1), (0.1 * k, 0.2, 0.3 * k)) for k in range(4)])
    here = m.ik_batch("rock_drill", Y, links=["rock_drill"])
    there = m.ik_batch("rock_drill", bases @ Y, links=["rock_drill"], base=bases)
    np.testing.assert_allclose(there.lengths, here.lengths, rtol=0, atol=1e-7)
    np.testing.assert_allclose(there.objective, here.objective, rtol=0, atol=1e-9)
    np.testing.assert_allclose(there.poses[:, 0], bases @ here.poses[:, 0], rtol=0, atol=1e-7)


def test_only_the_first_target_of_a_path_is_looked_for_elsewhere():
    """An arm caught at an end of its joints begins anew, but a path does not jump."""
    arm, caught = elbow_arm(), [-2.3, -2.42]
    Y = np.array([np.eye(4)] * 2)
    Y[:, :2, 3] = [(1.066, 0.281), (0.078, -1.102)]
    start = arm.fk(caught)
    assert not general_ik(arm.kinematics, "hand", Y[0], start, np.array(POINT, float), 0).reachable
    path = arm.ik_batch("hand", Y[:1], start, mask=POINT)
    assert path.reachable.tolist() == [True]
    behind = arm.fk([2.14, 2.34]).pose("hand")
    order = np.array([behind, Y[1]])
    path = arm.ik_batch("hand", order, arm.fk([2.14, 2.34]), mask=POINT)
    assert path.reachable.tolist() == [True, False]
    apart = arm.ik_batch("hand", order, arm.fk([2.14, 2.34]), mask=POINT, chained=False)
    assert apart.reachable.tolist() == [True, True]


def test_batch_targets_that_are_none():
    m = loaded("tcchs")
    Y = m.home.pose("canopy")
    for bad in (Y, Y[None, None], np.zeros((2, 3, 3)), 2 * Y[None], np.full((1, 4, 4), math.nan)):
        with pytest.raises(StateError, match="targets"):
            m.ik_batch("canopy", bad)
    with pytest.raises(UnknownElementError, match="did you mean 'canopy'"):
        m.ik_batch("canpy", Y[None])
    for more in ({"weights": np.zeros(6)}, {"weights": -np.ones(6)}, {"mask": [0] * 6}):
        with pytest.raises(StateError, match=next(iter(more))):
            m.ik_batch("canopy", Y[None], **more)
    with pytest.raises(StateError, match="start"):
        m.ik_batch("canopy", Y[None], loaded("roadheader").home)


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1e3, 1e9])
def test_what_is_reached_does_not_depend_on_the_size_of_the_weights(scale):
    """Neither does the pose; the objective alone is larger by that factor."""
    m = loaded("roadheader")
    link = m.robot.end_effector
    Y = m.fk_batch(drawn(m, 6, seed=3), [link]).pose(link)
    Y[::2, 0, 3] += 0.01  # off the surface of poses that it has: out of reach by about that
    even = m.ik_batch(link, Y, chained=False)
    assert even.reachable.tolist() == [False, True] * 3
    found = m.ik_batch(link, Y, chained=False, weights=scale * np.ones(6))
    assert found.reachable.tolist() == even.reachable.tolist()
    np.testing.assert_allclose(found.lengths, even.lengths, atol=1e-12)
    np.testing.assert_allclose(found.objective, scale * even.objective, atol=1e-12 * scale)
    for row, target in enumerate(Y):
        alone = m.ik(link, target, weights=scale * np.ones(6))
        assert alone.reachable == even.reachable[row]
        assert alone.objective == pytest.approx(found.objective[row], abs=1e-12 * scale)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
@pytest.mark.parametrize("general", [True, False])
def test_other_solvers_do_not_mind_the_size_of_the_weights(scale, general):
    one = two_sheets() if general else loaded("lhd")
    link, more = ("arm", {}) if general else (one.robot.end_effector, {"method": "bfgs"})
    near = one.fk([1.1] if general else drawn(one, 1)[0]).pose(link)
    for target, reached in ((near, True), (near @ pose((0.0, 0.2, 0.0), (0.0, 0.0, 0.0)), False)):
        even = one.ik(link, target, **more)
        found = one.ik(link, target, weights=np.full(6, scale), **more)
        assert found.reachable == even.reachable == reached
        np.testing.assert_allclose(found.lengths, even.lengths, atol=1e-9)
        assert found.objective == pytest.approx(scale * even.objective, abs=1e-6 * scale)


@pytest.mark.parametrize("chained", [True, False])
def test_general_solver_starts_where_it_is_told_to(chained):
    """Bit for bit as each alone, from where the one before ended or from home."""
    one = stewart_platform()
    rows = np.array(one.home.lengths) + np.random.default_rng(8).uniform(-0.15, 0.15, (3, 6))
    Y = one.fk_batch(rows, ["platform"]).pose("platform")
    batch = one.ik_batch("platform", Y, chained=chained)
    now = one.home
    for row in range(3):
        alone = one.ik("platform", Y[row], now)
        np.testing.assert_array_equal(batch.joints[row], alone.state.q)
        assert batch.iterations[row] == alone.iterations
        now = alone.state if chained else one.home
    assert (one.ik_batch("platform", Y, chained=not chained).joints != batch.joints).any()


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_bases_are_one_for_all_or_one_for_each(count):
    m = loaded("lhd")
    rows, bases = drawn(m, 3), np.tile(X_WB, (count, 1, 1))
    with pytest.raises(StateError, match=f"base: found {count} poses, expected 3"):
        m.fk_batch(rows, ["bucket"], base=bases)
    Y = m.fk_batch(rows, ["bucket"]).pose("bucket")
    with pytest.raises(StateError, match=f"base: found {count} poses, expected 3"):
        m.ik_batch("bucket", Y, base=bases)
