"""`inspect`: every figure of the solver against an independent way to find it."""

import math
from functools import cache

import numpy as np
import pytest
from linkages import support

import headframe as hf
from build import actuator, four_bar, joint, machine, stewart_platform
from headframe.errors import StateError
from headframe.jit import header, matrix, numbers, records
from headframe.kinematics.forward import block_solving as kernels
from headframe.kinematics.inspection import (
    branches,
    closure_errors,
    conditioning,
    count_steps,
    dead_centre,
    dead_centre_of,
    inspect,
    ring_corners,
)
from headframe.kinematics.records import CHAIN_STEP, LINKAGE, MOTION
from headframe.mechanism import State, solve


@cache
def loaded(name):
    return hf.load(name)


def arm(a=1.0, b=0.5, bounds=(0.1, 3.0), home=0.8):
    """A cylinder over one hinge, its mounts `a` and `b` from it: l^2 = a^2 + b^2 - 2 a b cos q."""
    return machine(
        [joint("hinge", "base", "arm", axis=[0, -1, 0])],
        [actuator("c", ("base", (a, 0, 0)), ("arm", (b, 0, 0)), bounds)],
        home={"joints": {"hinge": home}},
    )


def at_random(one, seed):
    """A state somewhere within all strokes."""
    low, high = one.kinematics.usable
    part = np.random.default_rng(seed).uniform(0.05, 0.95, low.size)
    return one.fk(low + part * (high - low))


# ----------------------------------------------------------------- residual


@pytest.mark.parametrize("name", hf.machines())
def test_home_is_closed(name):
    one = loaded(name)
    found = inspect(one.kinematics, one.home)
    assert max(found.gap, found.angle, found.length_error) < 1e-12
    assert found.problem == ""
    assert all(branch.as_home for branch in found.branches)


def test_gap_of_an_open_loop_is_the_distance_of_its_halves():
    one = loaded("sths")
    q = one.home.q.copy()
    q[one.mechanism.position_of_joint["base_front_link"].start] += 0.01
    opened = State(one.mechanism, q)
    gaps = []
    for closure in one.topology.closures:
        halves = [one.robot.joints[j] for j in (closure.forward, closure.backward)]
        a, b = (opened.pose(half.parent) @ half.origin for half in halves)
        gaps.append(np.abs(a[:3, 3] - b[:3, 3]).max())
    assert max(gaps) > 1e-3
    assert closure_errors(opened)[0] == pytest.approx(max(gaps), rel=1e-9)


def test_angle_of_a_loop_that_is_twisted():
    """The axis of one half of a pivot, turned by 0.02 rad away from the other."""

    def ring(axis):
        return machine(
            [
                joint("a", "ground", "crank"),
                joint("b", "crank", "coupler", at=[1.0, 0, 0]),
                joint("c", "coupler", "rocker", at=[2.0, 0, 0]),
                joint("d", "ground", "rocker", at=[1.2, 0, 0]),
                joint("e", "rocker", "ground", at=[1.0, 0, 0], axis=axis),
            ],
            home={"joints": {"a": 1.13}},
        )

    plane = ring([0, 1, 0])
    twisted = State(ring([math.sin(0.02), math.cos(0.02), 0]).mechanism, plane.home.q)
    gap, angle = closure_errors(twisted)
    axes = (
        twisted.pose("ground")[:3, 1],
        twisted.pose("rocker")[:3, :3] @ (math.sin(0.02), math.cos(0.02), 0),
    )
    assert gap < 1e-12
    assert angle == pytest.approx(np.abs(np.cross(*axes)).max(), rel=1e-9)
    assert math.asin(np.linalg.norm(np.cross(*axes))) == pytest.approx(0.02, rel=1e-9)
    assert angle > 1e-3


def test_length_error_is_what_a_length_misses():
    one = loaded("roadheader")
    wanted = one.home.lengths[one.mechanism.first_members].copy()
    wanted[1] += 2e-3
    found = inspect(one.kinematics, one.home, wanted)
    assert found.length_error == pytest.approx(2e-3, rel=1e-9)


def test_lengths_that_have_no_solution_are_a_problem_and_no_error():
    one = arm(bounds=(0.7, 1.4))
    found = inspect(one.kinematics, one.home, np.array([1.5]))
    assert found.length_error is None
    assert "'c'" in found.problem
    assert "1.5 m" in found.problem


def test_state_of_another_machine_is_refused():
    with pytest.raises(StateError, match="another machine"):
        inspect(loaded("door").kinematics, loaded("lhd").home)


# --------------------------------------------------------------- iterations


@pytest.mark.parametrize("name", ["tcchs", "sths", "sshs", "roadheader"])
@pytest.mark.parametrize("seed", [1, 2])
def test_steps_are_those_of_the_kernel(monkeypatch, name, seed):
    """The kernel's own loop, uncompiled, with a counter in the place of its step."""
    one = loaded(name)
    state = at_random(one, seed)
    kin, steps = one.kinematics, []
    step = kernels.newton_step.py_func

    def counted(*arguments):
        steps.append(1)
        return step(*arguments)

    work, at = kin.new_work(), header(kin.link, LINKAGE).work
    theta, A, weights = numbers(work, at.theta), matrix(work, at.A), matrix(work, at.weights)
    motions, chain = records(work, at.motions, MOTION), records(work, at.chain, CHAIN_STEP)
    monkeypatch.setattr(kernels, "newton_step", counted)
    monkeypatch.setattr(kernels, "newton", kernels.newton.py_func)
    monkeypatch.setattr(kernels, "look_up", kernels.look_up.py_func)
    expected = []
    for block in range(len(kin.plan.blocks)):
        steps.clear()
        status, _ = kernels.solve_block.py_func(
            kin.link, block, np.array(state.lengths), theta, motions, chain, A, weights
        )
        assert status == kernels.SOLVED
        expected.append(len(steps))
    monkeypatch.undo()
    found = count_steps(kin, state.lengths[kin.first_members], one.home)
    assert [part.iterations for part in found] == expected
    assert [part.groups for part in found] == [block.groups for block in kin.plan.blocks]
    for part in found:
        assert (part.iterations == 0) == (part.method == "closed form")


def test_steps_of_the_general_solver_are_counted_from_the_start():
    one = stewart_platform()
    moved = one.fk({"leg0": one.home.lengths[0] + 0.05})
    wanted = moved.lengths[one.mechanism.first_members]
    (far,) = count_steps(one.kinematics, wanted, one.home)
    (near,) = count_steps(one.kinematics, wanted, moved)
    assert far.method == "general"
    assert far.iterations > near.iterations
    m = one.mechanism
    rows = np.concatenate([m.closing_rows, m.length_rows[m.first_members]])
    early = solve(m, one.home.q, moved.lengths, rows, max_steps=1)
    late = solve(m, one.home.q, moved.lengths, rows, max_steps=far.iterations)
    assert early.residual > 1e-9 > late.residual


# ------------------------------------------------------------------ branches


def test_the_other_side_of_a_hinge_has_the_same_length():
    one = arm()
    mirrored = State(one.mechanism, -one.home.q)
    assert mirrored.lengths == pytest.approx(one.home.lengths)
    (home,), (other,) = (branches(one.kinematics, s) for s in (one.home, mirrored))
    assert (home.kind, home.name, home.as_home) == ("hinge", "c", True)
    assert {home.side, other.side} == {"positive", "negative"}
    assert not other.as_home


def test_the_other_side_of_a_slide_has_the_same_length():
    one = machine(
        [joint("slide", "base", "sledge", "prismatic", axis=[1, 0, 0])],
        [actuator("c", ("base", (0, 0, 0.6)), ("sledge", (0, 0, 0)), (0.1, 2.0))],
        home={"joints": {"slide": 0.8}},
    )
    behind = State(one.mechanism, -one.home.q)
    assert behind.lengths == pytest.approx(one.home.lengths)
    (home,), (other,) = (branches(one.kinematics, s) for s in (one.home, behind))
    assert (home.kind, home.as_home, other.as_home) == ("slide", True, False)
    assert home.side != other.side


def test_a_four_bar_closes_open_or_crossed():
    """With the crank held, it closes in two ways."""
    one = four_bar(2.0, 0.7, 1.8, 1.5)
    m = one.mechanism
    ring = one.topology.contraction.four_bars[0]
    names = [one.robot.joints[j].name for j in ring.joints if j >= 0]
    crank, coupler, rocker = (m.position_of_joint[name].start for name in names)
    free = np.array([v for v in range(m.nv) if v != crank])
    found = []
    for turns in np.random.default_rng(0).uniform(-3.0, 3.0, (20, 2)):
        q = one.home.q.copy()
        q[[coupler, rocker]] += turns
        other = solve(m, q, dofs=free)
        if other.solved and np.abs(np.sin((other.q - one.home.q) / 2)).max() > 0.05:
            found.append(State(m, other.q))
    assert found
    (home,), (there,) = (branches(one.kinematics, s) for s in (one.home, found[0]))
    assert (home.as_home, there.as_home) == (True, False)
    assert {home.side, there.side} == {"open", "crossed"}
    corners = ring_corners(found[0], ring)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    assert sorted(sides) == pytest.approx([0.7, 1.5, 1.8, 2.0], abs=1e-9)


# -------------------------------------------------------------- singularity


@pytest.mark.parametrize("angle", [0.2, 0.8, 1.6, 2.9])
def test_dead_centres_of_a_hinge_are_where_its_arms_are_in_line(angle):
    one = arm(home=angle)
    length = float(one.home.lengths[0])
    found = dead_centre(one.kinematics, one.home)
    assert found.left == pytest.approx(min(length - 0.5, 1.5 - length), abs=1e-12)
    assert found.towards == ("shorter" if length < 1.0 else "longer")
    assert (found.inside, found.exact, found.group) == (True, True, 0)
    outside = arm(bounds=(length - 1e-3, length + 1e-3), home=angle)
    assert not dead_centre(outside.kinematics, outside.home).inside


def test_driven_to_its_dead_centre_everything_goes_to_nothing():
    one = arm()
    last = None
    for left in (0.1, 1e-2, 1e-4, 1e-8):
        found = inspect(one.kinematics, one.fk([1.5 - left]))
        assert found.dead_centre.left == pytest.approx(left, rel=1e-6)
        lever = _hinge_lever(1.5 - left)
        assert found.lever == pytest.approx(lever, rel=1e-6)
        assert found.conditioning == pytest.approx(lever / _hinge_lever(), rel=1e-6)
        assert last is None or found.conditioning < last
        last = found.conditioning
    assert last < 1e-3


def _hinge_lever(length=None):
    """dl/dq of l^2 = 1.25 - cos q: sin q / (2 l), with sin^2 q = (2.25 - l^2) (l^2 - 0.25)."""
    l = math.sqrt(1.25 - math.cos(0.8)) if length is None else length
    return math.sqrt((1.5 - l) * (1.5 + l) * (l**2 - 0.25)) / (2 * l)


@pytest.mark.parametrize("name", ["tcchs", "lhd", "jumbo"])
def test_conditioning_by_finite_differences(name):
    """Singular values of the closing equations and lengths, differentiated numerically."""
    one = loaded(name)
    m = one.mechanism
    rows = np.concatenate([m.closing_rows, m.length_rows[m.first_members]])

    def left_hand_sides(q):
        """Of the same equations: gaps of pivots along all axes, axes' cross products, lengths."""
        state = State(m, q)
        values = []
        for closure in one.topology.closures:
            forward, backward = (one.robot.joints[j] for j in (closure.forward, closure.backward))
            a, b = (state.pose(j.parent) @ j.origin for j in (forward, backward))
            values += [*(b[:3, 3] - a[:3, 3])]
            values += [*np.cross(a[:3, :3] @ forward.axis, b[:3, :3] @ backward.axis)]
        return np.array([*values, *state.lengths[m.first_members]])

    def jacobian(state):
        step = 1e-6
        columns = []
        for k in range(m.nv):
            shift = np.zeros(m.nv)
            shift[k] = step
            columns.append(
                (left_hand_sides(state.q + shift) - left_hand_sides(state.q - shift)) / (2 * step)
            )
        return np.column_stack(columns)

    assert len(rows) == 5 * len(one.topology.closures) + len(m.first_members)
    state = at_random(one, 3)
    here, home = (np.linalg.svd(jacobian(s), compute_uv=False) for s in (state, one.home))
    rank = int((home > 1e-6 * home[0]).sum())
    assert conditioning(one.kinematics, state) == pytest.approx(here[rank - 1] / home[0], rel=1e-5)


@pytest.mark.parametrize("seed", [5, 7, 9])
def test_estimates_come_near_the_end_of_the_stroke(seed):
    """Coupled cylinders: near a dead centre the estimate is what `stroke` finds by halving."""
    one = support(np.random.default_rng(seed), 1.8).machine()
    assert not one.kinematics.regular
    checked = 0
    for act in one.actuators:
        stroke = one.stroke(one.home, act.name)
        now = float(one.home.lengths[one.robot.actuator_index[act.name]])
        for end, reason in ((stroke.low, stroke.low_reason), (stroke.high, stroke.high_reason)):
            if reason != "singularity" or abs(end - now) < 1e-3:
                continue
            left = 1e-3 * abs(end - now)
            near = one.fk({act.name: end - math.copysign(left, end - now)})
            group = one.kinematics.group_of(one.robot.actuator_index[act.name])
            found = dead_centre_of(one.kinematics, near, group)
            # the estimate leaves out what is beyond the square: some per cent of so short a way
            assert found.left == pytest.approx(left, rel=0.05)
            assert found.towards == ("longer" if end > now else "shorter")
            assert found.inside
            assert dead_centre(one.kinematics, near).left <= found.left
            checked += 1
    assert checked


def test_a_machine_without_cylinders_has_no_dead_centre():
    one = loaded("peaucellier")
    found = inspect(one.kinematics, one.home)
    assert (found.dead_centre, found.lever, found.weakest) == (None, None, -1)
    assert 0.0 < found.conditioning <= 1.0
