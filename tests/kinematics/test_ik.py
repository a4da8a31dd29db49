"""`Machine.ik`: targets reached, closest poses that are minima, weights, and exact derivatives."""

import math
from functools import cache

import numpy as np
import pytest

import headframe as hf
from build import actuator, joint, machine
from finite_differences import central
from headframe.bench.printed import ORDER
from headframe.errors import StateError, UnknownElementError
from headframe.jit import header, indices, matrix, numbers
from headframe.kinematics.inverse import objective as kernels
from headframe.kinematics.inverse.solve import EVEN_WEIGHTS
from headframe.kinematics.records import PROBLEM
from headframe.mechanism import State
from headframe.spatial import exp_pose, pose

X_WB = pose((3.0, -2.0, 1.0), (0.4, -1.1, 2.0))
POINT, TURN = [0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0]


@cache
def loaded(name):
    return hf.load(name)


@pytest.fixture(params=ORDER)
def m(request):
    return loaded(request.param)


def drawn(m, random):
    """A state somewhere in the box."""
    return m.fk(random.uniform(*m.kinematics.usable))


def moved_links(m):
    """Main links that cylinders move."""
    return [
        link for link in m.mechanism.body_of_link if m.kinematics.inverse_solver(link).problem.n
    ]


def effector_and_farthest(m):
    """The end effector and the link that most groups move."""
    groups = {link: m.kinematics.inverse_solver(link).problem.n for link in moved_links(m)}
    return list(dict.fromkeys([m.robot.end_effector, max(groups, key=groups.get)]))


def psi(m, lengths, link, Y, weights=EVEN_WEIGHTS):
    """The objective, by its definition, for every row of lengths (n, n_groups)."""
    X = m.fk_batch(lengths, [link]).pose(link)
    return np.linalg.norm(weights * errors(X, Y, weights), axis=-1)


def errors(X, Y, weights):
    if np.any(weights[:3]):
        return hf.pose_error(X, np.broadcast_to(Y, X.shape))
    apart = np.einsum("nji,nj->ni", X[:, :3, :3], Y[:3, 3] - X[:, :3, 3])
    return np.concatenate([np.zeros_like(apart), apart], axis=1)


def by_group(m, result):
    return result.lengths[m.mechanism.first_members]


# -- targets that can be reached --------------------------------------------------------


def test_reachable_targets_are_reached(m):
    """From random starts, for every link that anything moves."""
    random = np.random.default_rng(1)
    for link in moved_links(m):
        for _ in range(20):
            Y, start = drawn(m, random).pose(link), drawn(m, random)
            result = m.ik(link, Y, start)
            if (m.name, link) == ("tcchs", "insert_plate") and result.objective > 1e-9:
                continue  # four lengths for three freedoms: the next test counts
            assert result.objective < 1e-9, f"{link}: {result.objective}"
            assert result.reachable
            np.testing.assert_allclose(result.state.pose(link), Y, rtol=0, atol=2e-9)


def test_one_length_too_many_is_no_hindrance():
    """Four lengths move the insert plate in three freedoms: its minima lie in long valleys."""
    m, random = loaded("tcchs"), np.random.default_rng(2)
    objectives = np.array(
        [
            m.ik("insert_plate", drawn(m, random).pose("insert_plate"), drawn(m, random)).objective
            for _ in range(400)
        ]
    )
    assert (objectives < 1e-6).mean() >= 0.995
    assert objectives.max() < 0.05


def test_the_answer_is_a_state_of_the_machine(m):
    """Lengths inside their bounds, and forward kinematics leads to the same joints."""
    random = np.random.default_rng(3)
    link = m.robot.end_effector
    low, high = np.array([(a.bounds.lower, a.bounds.upper) for a in m.actuators]).T
    for _ in range(10):
        Y = drawn(m, random).pose(link) @ exp_pose(random.uniform(-0.5, 0.5, 6))
        result = m.ik(link, Y, drawn(m, random))
        assert (result.lengths >= low - 1e-9).all()
        assert (result.lengths <= high + 1e-9).all()
        again = m.fk(np.clip(by_group(m, result), *m.kinematics.usable))
        np.testing.assert_allclose(again.q, result.state.q, rtol=0, atol=1e-9)


def test_the_result_tells_what_there_is_to_tell():
    m = loaded("tcchs")
    Y = m.home.pose("canopy") @ pose((0.1, 0.2, 0.05), (0.02, 0.03, -0.01))
    result = m.ik("canopy", Y)
    assert isinstance(result, hf.IKResult)
    assert result.link == "canopy"
    np.testing.assert_array_equal(result.target, Y)
    assert isinstance(result.state, State)
    np.testing.assert_array_equal(result.lengths, result.state.lengths)
    X = result.state.pose("canopy")
    np.testing.assert_array_equal(result.error, hf.pose_error(X, Y))
    assert result.objective == pytest.approx(np.linalg.norm(result.error), abs=1e-12)
    assert result.position_error == pytest.approx(np.linalg.norm(X[:3, 3] - Y[:3, 3]), abs=1e-12)
    angle = math.acos((np.trace(X[:3, :3].T @ Y[:3, :3]) - 1) / 2)
    assert result.angle_error == pytest.approx(angle, abs=1e-9)
    assert result.reachable is False, "0.2 m to the side no cylinder goes"
    assert result.iterations >= 1
    home = m.ik("canopy", m.home.pose("canopy"))
    assert home.reachable is True
    assert home.iterations == 0
    assert home.objective < 1e-12


def test_the_result_does_not_change_with_the_callers_array():
    m = loaded("tcchs")
    Y = m.home.pose("canopy")
    result = m.ik("canopy", Y)
    Y[0, 3] += 1.0
    assert result.position_error < 1e-9


def test_the_same_question_has_the_same_answer():
    """To the last bit, whatever was asked in between: scratch memory holds nothing over."""
    m, random = loaded("tcchs"), np.random.default_rng(4)
    for link in ("canopy", "insert_plate", "guard_plate"):
        Y, start = drawn(m, random).pose(link) @ exp_pose(np.full(6, 0.1)), drawn(m, random)
        first = m.ik(link, Y, start)
        m.ik(link, drawn(m, random).pose(link), drawn(m, random))
        m.ik(link, Y, start, mask=POINT)
        again, other = m.ik(link, Y, start), hf.load("tcchs")
        np.testing.assert_array_equal(first.state.q, again.state.q)
        assert (first.objective, first.iterations) == (again.objective, again.iterations)
        elsewhere = other.ik(link, Y, State(other.mechanism, start.q))
        np.testing.assert_array_equal(first.state.q, elsewhere.state.q)


# -- targets that cannot ----------------------------------------------------------------


def slope(m, lengths, group, link, Y, weights, h=1e-5):
    """Derivative of half the objective's square with one length; from inside where at a bound."""
    low, high = (usable[group] for usable in m.kinematics.usable)

    def at(change):
        row = lengths.copy()
        row[group] += change
        return 0.5 * psi(m, row[None], link, Y, weights)[0] ** 2

    if lengths[group] - h < low:
        return (4 * at(h) - at(2 * h) - 3 * at(0.0)) / (2 * h)
    if lengths[group] + h > high:
        return -(4 * at(-h) - at(-2 * h) - 3 * at(0.0)) / (2 * h)
    return central(at, h)


def assert_minimum(m, result, link, Y, weights=EVEN_WEIGHTS):
    """At a bound the objective falls outwards only; off bounds it is level."""
    lengths = np.clip(by_group(m, result), *m.kinematics.usable)
    low, high = m.kinematics.usable
    assert psi(m, lengths[None], link, Y, weights)[0] == pytest.approx(result.objective, abs=1e-9)
    for group in m.kinematics.inverse_solver(link).problem.groups:
        falls = slope(m, lengths, group, link, Y, weights)
        if lengths[group] - low[group] < 1e-9:
            assert falls > -1e-5
        elif high[group] - lengths[group] < 1e-9:
            assert falls < 1e-5
        else:
            assert abs(falls) < 1e-5


@pytest.mark.parametrize("mask", [None, POINT], ids=["pose", "point"])
def test_closest_poses_are_minima(m, mask):
    """Targets off what can be reached: a stationary point, and no sampled one is better."""
    weights = EVEN_WEIGHTS if mask is None else np.array(mask, dtype=float)
    random = np.random.default_rng(5)
    samples = random.uniform(*m.kinematics.usable, size=(2000, len(m.robot.groups)))
    met = worse = spare = 0
    for link in effector_and_farthest(m):
        # four lengths and more for a point in a plane: rarely, a local minimum is all that is found
        spare += mask is not None and m.kinematics.inverse_solver(link).problem.n > 3
        for _ in range(6):
            off = random.uniform(-1.0, 1.0, 6) * [0.5, 0.5, 0.5, 2.0, 2.0, 2.0]
            Y = drawn(m, random).pose(link) @ exp_pose(off)
            result = m.ik(link, Y, drawn(m, random), mask=mask)
            if result.reachable:
                continue
            met += 1
            assert_minimum(m, result, link, Y, weights)
            worse += result.objective > psi(m, samples, link, Y, weights).min() + 1e-6
    assert met >= 3
    assert worse <= spare


def test_minima_at_corners_edges_and_inside():
    """Among these targets some hold both lengths at bounds, some one, some none."""
    m, random = loaded("tcchs"), np.random.default_rng(6)
    low, high = m.kinematics.usable
    at_bounds = set()
    for _ in range(60):
        Y = drawn(m, random).pose("canopy") @ exp_pose(random.uniform(-0.4, 0.4, 6))
        result = m.ik("canopy", Y)
        assert_minimum(m, result, "canopy", Y)
        lengths = by_group(m, result)[:2]
        at_bounds.add(int(((lengths - low[:2] < 1e-9) | (high[:2] - lengths < 1e-9)).sum()))
    assert at_bounds == {0, 1, 2}


def test_far_away_targets_are_answered_too(m):
    for distance in (10.0, 1e3, 1e6):
        Y = pose((distance, -distance, distance), (1.0, 2.0, 3.0))
        result = m.ik(m.robot.end_effector, Y)
        assert math.isfinite(result.objective)
        assert not result.reachable
        assert result.position_error > 0.5 * distance


def test_half_a_turn_away_is_answered_too(m):
    """Where the logarithm has two values, and next to it."""
    link = m.robot.end_effector
    for angle in (math.pi, math.pi - 1e-9, math.pi - 1e-3, -math.pi):
        for axis in np.eye(3):
            Y = m.home.pose(link) @ exp_pose(np.concatenate([angle * axis, np.zeros(3)]))
            result = m.ik(link, Y)
            assert math.isfinite(result.objective)
            # home is angle away; what is found is no worse
            assert result.objective <= abs(angle) + 1e-9


# -- weights and mask -------------------------------------------------------------------


def test_position_alone_is_the_plain_distance(m):
    """However the target is turned."""
    random = np.random.default_rng(7)
    link = m.robot.end_effector
    for _ in range(5):
        Y, start = drawn(m, random).pose(link), drawn(m, random)
        Y[:3, 3] += random.uniform(-0.5, 0.5, 3)
        result = m.ik(link, Y, start, mask=POINT)
        assert result.objective == pytest.approx(result.position_error, abs=1e-12)
        turned = Y @ pose((0, 0, 0), random.uniform(-3, 3, 3))
        other = m.ik(link, turned, start, mask=POINT)
        assert other.objective == pytest.approx(result.objective, abs=1e-9)
        np.testing.assert_allclose(other.lengths, result.lengths, atol=1e-6)


def test_a_reachable_position_is_reached(m):
    random = np.random.default_rng(8)
    link = m.robot.end_effector
    for _ in range(10):
        Y = drawn(m, random).pose(link) @ pose((0, 0, 0), random.uniform(-3, 3, 3))
        result = m.ik(link, Y, drawn(m, random), mask=POINT)
        assert result.position_error < 1e-9
        assert result.reachable


def test_orientation_alone(m):
    random = np.random.default_rng(9)
    link = m.robot.end_effector
    for _ in range(5):
        Y, start = drawn(m, random).pose(link), drawn(m, random)
        Y[:3, 3] += random.uniform(-5, 5, 3)
        result = m.ik(link, Y, start, mask=TURN)
        assert result.objective == pytest.approx(result.angle_error, abs=1e-12)
        assert result.angle_error < 1e-9, "it can be turned so; where it stands does not count"


@pytest.mark.parametrize("axis", range(3))
def test_one_axis_alone(axis):
    """The distance along one axis of the link, whatever the others do."""
    m, random = loaded("roadheader"), np.random.default_rng(10)
    mask = np.eye(6)[3 + axis]
    for _ in range(5):
        Y = drawn(m, random).pose("cutter_head")
        Y[:3, 3] += random.uniform(-3, 3, 3)
        result = m.ik("cutter_head", Y, drawn(m, random), mask=mask)
        X = result.state.pose("cutter_head")
        along = X[:3, axis] @ (Y[:3, 3] - X[:3, 3])
        assert result.objective == pytest.approx(abs(along), abs=1e-12)
        assert_minimum(m, result, "cutter_head", Y, mask)


def test_one_angle_and_one_distance():
    """Mixed masks use the logarithm's components."""
    m, random = loaded("tcchs"), np.random.default_rng(11)
    mask = np.array([0, 1, 0, 0, 0, 1])
    for _ in range(5):
        Y = drawn(m, random).pose("canopy") @ exp_pose(random.uniform(-0.3, 0.3, 6))
        result = m.ik("canopy", Y, mask=mask)
        assert result.objective == pytest.approx(np.linalg.norm(mask * result.error), abs=1e-12)
        assert_minimum(m, result, "canopy", Y, mask.astype(float))


@pytest.mark.parametrize("weights", [[1, 1, 1, 10, 10, 10], [5, 5, 5, 1, 1, 1], [3, 2, 1, 0, 1, 2]])
def test_weights_are_those_of_the_objective(weights):
    m, random = loaded("tcchs"), np.random.default_rng(12)
    w = np.array(weights, dtype=float)
    answers = []
    for _ in range(5):
        Y = drawn(m, random).pose("canopy") @ exp_pose(random.uniform(-0.3, 0.3, 6))
        result = m.ik("canopy", Y, weights=weights)
        assert result.objective == pytest.approx(np.linalg.norm(w * result.error), abs=1e-12)
        assert_minimum(m, result, "canopy", Y, w)
        answers.append(np.abs(result.lengths - m.ik("canopy", Y).lengths).max())
    assert max(answers) > 1e-4, "weights change which pose is closest"


def test_weights_of_ones_and_a_full_mask_change_nothing():
    m = loaded("tcchs")
    Y = m.home.pose("canopy") @ exp_pose(np.full(6, 0.2))
    plain = m.ik("canopy", Y)
    for more in (
        {"weights": np.ones(6)},
        {"weights": [1] * 6},
        {"mask": [True] * 6},
        {"mask": np.ones(6, dtype=bool)},
        {"mask": [1] * 6, "weights": (1.0,) * 6},
    ):
        np.testing.assert_array_equal(m.ik("canopy", Y, **more).state.q, plain.state.q)


def test_a_mask_takes_weights_away():
    m = loaded("tcchs")
    Y = m.home.pose("canopy") @ exp_pose(np.full(6, 0.2))
    both = m.ik("canopy", Y, weights=[1, 2, 3, 4, 5, 6], mask=[1, 0, 1, 0, 1, 0])
    alone = m.ik("canopy", Y, weights=[1, 0, 3, 0, 5, 0])
    np.testing.assert_array_equal(both.state.q, alone.state.q)
    assert both.objective == alone.objective


# -- what stays -------------------------------------------------------------------------


def test_groups_that_do_not_move_the_link_stay(m):
    random = np.random.default_rng(13)
    for link in moved_links(m):
        start = drawn(m, random)
        result = m.ik(link, drawn(m, random).pose(link), start)
        groups = m.kinematics.inverse_solver(link).problem.groups
        others = [g for g in range(len(m.robot.groups)) if g not in groups]
        first = m.mechanism.first_members[others]
        np.testing.assert_allclose(result.lengths[first], start.lengths[first], atol=1e-12)


def test_a_link_that_no_cylinder_moves_is_refused(m):
    """With the links that can be moved, and whatever is asked of it."""
    moved = moved_links(m)
    for link in set(m.mechanism.body_of_link) - set(moved):
        for target in (m.home.pose(link), pose((9.0, 0.0, 0.0), (0.0, 0.0, 0.0))):
            with pytest.raises(StateError, match=f"{link!r}: no cylinder moves it") as caught:
                m.ik(link, target)
            assert repr(moved[0]) in str(caught.value)
            assert repr(link) not in str(caught.value).partition("expected")[2]
        with pytest.raises(StateError, match="no cylinder moves it"):
            m.ik_batch(link, m.home.pose(link)[None])


def test_a_link_that_only_a_motor_moves_is_refused():
    one = machine(
        [joint("spin", "base", "drum", "continuous"), joint("hinge", "base", "arm", at=[1, 0, 0])],
        [actuator("c", ("base", (0, 0, 1)), ("arm", (0.5, 0, 0)), (1.0, 1.9))],
        motors=[{"name": "motor", "joint": "spin"}],
    )
    with pytest.raises(StateError, match=r"'drum': no cylinder moves it.*: 'arm'$"):
        one.ik("drum", one.home.pose("drum"))


# -- how the search ended ---------------------------------------------------------------


def test_a_search_that_ran_out_of_steps_says_so():
    """With positions weighted so much the valleys are long: from its end it still goes down."""
    m, random = loaded("tcchs"), np.random.default_rng(16)
    weights, kinds = [1, 1, 1, 1e4, 1e4, 1e4], set()
    for _ in range(12):
        Y, start = drawn(m, random).pose("insert_plate"), drawn(m, random)
        result = m.ik("insert_plate", Y, start, weights)
        again = m.ik("insert_plate", Y, result.state, weights)
        kinds.add(result.converged)
        batch = m.ik_batch("insert_plate", Y[None], start, weights)
        assert batch.converged.tolist() == [result.converged]
        assert (again.objective < result.objective * (1 - 1e-8)) == (not result.converged)
    assert kinds == {True, False}


def test_out_of_reach_is_an_end_too(m):
    link = m.robot.end_effector
    far = m.ik(link, pose((20.0, 1.0, 2.0), (0.1, 0.2, 0.3)))
    assert (far.reachable, far.converged) == (False, True)
    near = m.ik(link, m.home.pose(link))
    assert (near.reachable, near.converged) == (True, True)


@pytest.mark.parametrize(
    ("name", "joint", "link"),
    [("roadheader", "cutting", "cutting_drum"), ("shearer", "cutting_left", "drum_left")],
)
def test_links_that_motors_spin(name, joint, link):
    """The drum stands as the start has it: with that it is reached, and it stays so."""
    m, random = loaded(name), np.random.default_rng(14)
    at = m.mechanism.position_of_joint[joint]
    for spin in (0.0, 1.3, -20.0):
        q = np.array(drawn(m, random).q)
        q[at] = spin
        start = State(m.mechanism, q)
        Y = m.fk(random.uniform(*m.kinematics.usable), start).pose(link)
        result = m.ik(link, Y, start)
        assert result.objective < 1e-9
        assert result.state.joints[joint] == spin
        other = m.ik(link, Y, State(m.mechanism, np.where(np.arange(q.size) == at.start, 0.5, q)))
        turned = abs(math.remainder(spin - 0.5, math.tau))
        assert other.angle_error <= turned + 1e-9
        assert other.objective > 0.1, "cylinders do not turn the drum"


def test_the_base_moves_everything_along(m):
    random = np.random.default_rng(15)
    link = m.robot.end_effector
    for _ in range(5):
        Y, start = drawn(m, random).pose(link), drawn(m, random)
        Y = Y @ exp_pose(random.uniform(-0.2, 0.2, 6))
        here, there = m.ik(link, Y, start), m.ik(link, X_WB @ Y, start.moved(X_WB))
        assert there.objective == pytest.approx(here.objective, abs=1e-9)
        np.testing.assert_allclose(there.lengths, here.lengths, atol=1e-7)
        np.testing.assert_allclose(there.state.base, X_WB)
        assert np.linalg.norm(there.error) == pytest.approx(there.objective, abs=1e-9)


# -- what is refused --------------------------------------------------------------------

BAD_TARGETS = {
    "nothing": None,
    "text": "home",
    "ragged": [[1, 2], [3]],
    "complex": np.eye(4) * 1j,
    "3 x 3": np.eye(3),
    "3 x 4": np.eye(4)[:3],
    "a stack": np.eye(4)[None],
    "six numbers": np.zeros(6),
    "NaN": np.diag([1, 1, math.nan, 1]),
    "NaN away": np.array([[1, 0, 0, math.nan], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
    "infinitely far": np.array([[1, 0, 0, math.inf], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
    "scaled": np.diag([1.1, 1.1, 1.1, 1.0]),
    "stretched a little": np.diag([1.00001, 1.0, 1.0, 1.0]),
    "left-handed": np.diag([1.0, 1.0, -1.0, 1.0]),
    "last row": np.diag([1.0, 1.0, 1.0, 2.0]),
    "zeros": np.zeros((4, 4)),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_TARGETS)
def test_targets_that_are_no_poses(case):
    m = loaded("tcchs")
    with pytest.raises(StateError, match="target"):
        m.ik("canopy", BAD_TARGETS[case])
    with pytest.raises(StateError, match="target"):
        m.ik("canopy", BAD_TARGETS[case], mask=POINT)
    m.ik("canopy", m.home.pose("canopy"))  # and the next one is answered


def test_targets_that_are_infinitely_far_from_a_machine_that_stands_elsewhere():
    m = loaded("tcchs")
    with pytest.raises(StateError, match="target"):
        m.ik("canopy", BAD_TARGETS["infinitely far"], m.home.moved(X_WB))


def test_any_real_matrix_serves():
    m = loaded("tcchs")
    Y = m.fk(np.mean(m.kinematics.usable, axis=0)).pose("canopy")
    expected = m.ik("canopy", Y).state.q
    frozen = Y.copy()
    frozen.flags.writeable = False
    for given in (Y.tolist(), np.asfortranarray(Y), Y.T.copy().T, frozen, Y.astype(">f8")):
        np.testing.assert_array_equal(m.ik("canopy", given).state.q, expected)
    assert m.ik("canopy", np.eye(4, dtype=int)).objective > 0.1
    single = m.ik("canopy", Y.astype(np.float32))
    assert single.objective < 1e-6


@pytest.mark.parametrize("link", ["canpy", "", "front_leg_left_tube", None, 3])
def test_unknown_links(link):
    m = loaded("tcchs")
    with pytest.raises(UnknownElementError, match="main link"):
        m.ik(link, m.home.pose("canopy"))


@pytest.mark.parametrize("link", [["canopy"], {"canopy": 1}, np.array(["canopy"]), 3, None])
def test_links_that_are_no_names(link):
    m = loaded("tcchs")
    Y = m.home.pose("canopy")
    calls = (
        lambda: m.ik(link, Y),
        lambda: m.ik_batch(link, Y[None]),
        lambda: m.ik_batch("canopy", Y[None], links=[link]),
        lambda: m.fk_batch(m.home.lengths[None], links=[link]),
        lambda: m.jacobian(link),
        lambda: m.stroke(m.home, link),
        lambda: m.home.pose(link),
        lambda: m.fk_batch(m.home.lengths[None], ["canopy"]).pose(link),
        lambda: m.robot.link(link),
        lambda: hf.workspace(m, link if link is not None else 3),
        lambda: hf.trajectory(m, link if link is not None else 3, [Y, Y]),
    )
    for call in calls:
        with pytest.raises(UnknownElementError, match=r"found .*, expected its name \(str\)"):
            call()


def test_links_that_are_no_list_of_names():
    m = loaded("tcchs")
    with pytest.raises(StateError, match="links: found 3, expected names"):
        m.fk_batch(m.home.lengths[None], links=3)


def test_unknown_links_are_answered_with_the_nearest():
    m = loaded("tcchs")
    with pytest.raises(UnknownElementError, match="did you mean 'canopy'"):
        m.ik("canpy", m.home.pose("canopy"))


@pytest.mark.parametrize(
    "weights",
    [
        np.zeros(6), -np.ones(6), [1, 1, 1, 1, 1, -1e-9], [1, 1, 1, 1, 1, math.nan], [math.inf] * 6,
        [1] * 5, [1] * 7, np.ones((6, 1)), 1.0, "ones", "abcdef", [None] * 6, [1j] * 6, {1, 2},
    ],
)  # fmt: skip
def test_weights_that_are_none(weights):
    m = loaded("tcchs")
    with pytest.raises(StateError, match="weights"):
        m.ik("canopy", m.home.pose("canopy"), weights=weights)


@pytest.mark.parametrize("name", ["weights", "mask"])
def test_weights_have_no_unit(name):
    m = loaded("tcchs")
    with pytest.raises(StateError, match=f"{name}: found .*, expected six finite numbers$"):
        m.ik("canopy", m.home.pose("canopy"), **{name: ["heavy"] * 6})


@pytest.mark.parametrize("mask", [np.zeros(6), [False] * 6, [1] * 5, np.ones((2, 6)), True])
def test_masks_that_are_none(mask):
    m = loaded("tcchs")
    with pytest.raises(StateError, match="mask"):
        m.ik("canopy", m.home.pose("canopy"), mask=mask)


@pytest.mark.parametrize("mask", ["xyz", ["a"] * 6, [1j] * 6, {1, 2}, [None] * 6, [math.nan] * 6])
def test_masks_that_are_no_numbers(mask):
    m = loaded("tcchs")
    with pytest.raises(StateError, match="mask"):
        m.ik("canopy", m.home.pose("canopy"), mask=mask)


def test_weights_and_mask_that_leave_nothing():
    m = loaded("tcchs")
    with pytest.raises(StateError, match="nothing that counts"):
        m.ik("canopy", m.home.pose("canopy"), weights=[1, 1, 1, 0, 0, 0], mask=POINT)


@pytest.mark.parametrize("method", ["", "Newton", "exact", None])
def test_unknown_methods(method):
    m = loaded("tcchs")
    with pytest.raises(StateError, match="method: found"):
        m.ik("canopy", m.home.pose("canopy"), method=method)


def test_starts_of_another_machine():
    m = loaded("tcchs")
    for start in (hf.load("tcchs").home, loaded("roadheader").home, m.home.q, "home"):
        with pytest.raises(StateError, match="start"):
            m.ik("canopy", m.home.pose("canopy"), start)


# -- derivatives ------------------------------------------------------------------------


class Objective:
    """The kernel that Newton's method uses: f, gradient and Hessian over the lengths."""

    def __init__(self, m, link, Y, weights):
        self.kinematics = m.kinematics
        solver = m.kinematics.inverse_solver(link)
        self.problem = solver.packed(m.home, weights)
        self.n, self.Y, self.weights = solver.problem.n, Y, weights
        self.work = np.zeros_like(solver.work)
        self.head = header(self.problem, PROBLEM)
        place = indices(self.work, self.head.work.place)
        place[:] = -1
        place[self.head.variables[: self.n]] = np.arange(self.n)
        self.groups = list(solver.problem.groups)

    def at(self, lengths):
        link = self.kinematics.link
        assert kernels.go_to(link, self.problem, np.array(lengths), self.work)
        ok, f = kernels.evaluate(link, self.problem, self.Y, self.weights, self.work)
        assert ok
        g, H = numbers(self.work, self.head.work.g), matrix(self.work, self.head.work.H)
        return f, g[: self.n].copy(), H[: self.n, : self.n].copy()


DERIVED = [
    ("tcchs", "canopy", 2), ("tcchs", "insert_plate", 4), ("roadheader", "cutter_head", 3),
    ("sshs", "face_guard", 5), ("sths", "guard_plate", 3), ("jumbo", "rock_drill", 3),
    ("lhd", "bucket", 2), ("door", "leaf_right", 1),
]  # fmt: skip
WEIGHTS = {
    "pose": EVEN_WEIGHTS,
    "weighted": np.array([3.0, 2.0, 1.0, 0.5, 1.0, 2.0]),
    "one angle": np.array([0.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
    "point": np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]),
    "one axis": np.array([0.0, 0.0, 0.0, 2.0, 0.0, 0.5]),
}


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize(("name", "link", "n"), DERIVED)
def test_gradient_and_hessian_are_derivatives(name, link, n, kind):
    """Against differences of f and of the gradient, with steps of 1e-6 m: about 1e-9 of the size.

    f itself is that of the pose, by its definition.
    """
    m, random = loaded(name), np.random.default_rng(16)
    low, high = m.kinematics.usable
    for size in (0.05, 1.0):
        state = drawn(m, random)
        Y = state.pose(link) @ exp_pose(size * random.uniform(-1, 1, 6))
        problem = Objective(m, link, Y, WEIGHTS[kind])
        assert problem.n == n
        inside = low + random.uniform(0.1, 0.9, low.size) * (high - low)
        lengths = inside[problem.groups]
        f, g, H = problem.at(lengths)
        assert math.sqrt(2 * f) == pytest.approx(
            psi(m, inside[None], link, Y, WEIGHTS[kind])[0], rel=1e-9, abs=1e-12
        )

        def f_and_g(change, lengths=lengths, problem=problem):
            f, g, _ = problem.at(lengths + change)
            return np.array([f, *g])

        differences = [central(lambda h, k=k: f_and_g(h * np.eye(n)[k])) for k in range(n)]
        by_f, by_g = np.array(differences)[:, 0], np.array(differences)[:, 1:]
        scale = 1.0 + np.abs(g).max() + np.abs(H).max()
        np.testing.assert_allclose(g, by_f, rtol=0, atol=3e-8 * scale)
        np.testing.assert_allclose(H, by_g, rtol=0, atol=3e-8 * scale)
        np.testing.assert_allclose(H, H.T, rtol=0, atol=1e-12 * scale)
        assert np.abs(g).max() > 1e-3 or kind == "one angle"
