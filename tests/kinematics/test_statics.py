"""Holding forces against energy, power and closed forms."""

import math

import numpy as np
import pytest

import headframe as hf
from build import actuator, joint, machine, stewart_platform
from finite_differences import central
from headframe.bench.printed import ORDER
from headframe.description import Robot
from headframe.errors import SingularityError
from headframe.kinematics.static_forces import share, statics
from headframe.kinematics.velocities import rates
from headframe.machine import Machine
from headframe.mechanism import State
from headframe.spatial import compose, pose
from poses import beside, home_and_elsewhere

X, Y, Z = [1, 0, 0], [0, 1, 0], [0, 0, 1]
UPSIDE_DOWN = pose((1.0, 2.0, 3.0), (math.pi, 0.0, 0.0))
TILTED = pose((3.0, -2.0, 1.0), (0.4, -1.1, 2.0))


def weighed(one, masses):
    """The machine with masses [kg] and centres of mass [m] by link; inertia plays no part."""
    content = one.robot.model_dump(by_alias=True)
    for link in content["links"]:
        if link["name"] in masses:
            mass, com = masses[link["name"]]
            link["inertial"] = {"mass": mass, "com": com, "inertia": np.eye(3).tolist()}
    return Machine(Robot.model_validate(content))


def potential(state, gravity=9.81):
    """Energy of masses and springs [J]."""
    robot = state.mechanism.robot
    energy = 0.0
    for link in robot.links:
        if link.inertial is not None:
            centre = state.pose(link.name) @ (*link.inertial.com, 1.0)
            energy += link.inertial.mass * gravity * robot.up @ centre[:3]
    for spring in robot.springs:
        a = state.pose(spring.link_a) @ (*spring.point_a, 1.0)
        b = state.pose(spring.link_b) @ (*spring.point_b, 1.0)
        energy += 0.5 * spring.stiffness * (np.linalg.norm(b - a) - spring.rest_length) ** 2
    return energy


def totals(state, forces):
    """Force of every group as if its first member did it all [N], (n_groups,)."""
    return rates(state).lengths.T @ forces


def energy_slopes(state):
    """d(potential) / d(length of each group's first member) [N], (n_groups,)."""
    groups = range(len(state.mechanism.robot.groups))
    return np.array([central(lambda h, g=g: potential(beside(state, g, h)), 1e-4) for g in groups])


def crane():
    """Everything that weighs or pulls: parts with centres off their axes, springs, a slew."""
    bare = machine(
        [
            joint("slew", "base", "turret", axis=Z),
            joint("lift", "turret", "boom", at=[0.1, 0, 1]),
            joint("extend", "boom", "stick", "prismatic", axis=X, at=[1.0, 0.1, 0]),
            joint("spin", "stick", "head", "continuous", axis=X, at=[1, 0, 0]),
        ],
        [
            actuator("turn", ("base", (-1, 0.4, 0.1)), ("turret", (0.2, 0.5, 0)), (0.8, 1.6)),
            actuator("raise", ("turret", (0.8, 0.1, 0)), ("boom", (0.9, -0.1, 0)), (1.0, 1.8)),
            actuator("push", ("boom", (0.1, 0, 0.2)), ("stick", (0.5, 0.1, 0.2)), (1.4, 2.0)),
        ],
        springs=[
            {
                "name": "coil", "link_a": "turret", "point_a": [0.3, 0.2, 0.2],
                "link_b": "stick", "point_b": [0.1, 0.1, 0.1],
                "stiffness": 4000.0, "rest_length": 0.4, "damping": 100.0,
            },
            {
                "name": "strut", "link_a": "raise_tube", "point_a": [0.2, 0.1, 0.1],
                "link_b": "boom", "point_b": [0.5, 0.1, 0.1],
                "stiffness": 3000.0, "rest_length": 2.0,
            },
        ],
        motors=[{"name": "m", "joint": "spin", "torque": 5.0}],
        home={"joints": {"slew": 0.3, "lift": -0.4, "extend": 0.2, "spin": 0.7}},
    )  # fmt: skip
    return weighed(
        bare,
        {
            "base": (900.0, (0.0, 0.0, 0.0)),
            "turret": (500.0, (0.2, 0.1, 0.4)),
            "boom": (300.0, (0.6, -0.1, 0.1)),
            "stick": (200.0, (0.4, 0.1, 0.05)),
            "head": (150.0, (0.3, 0.2, 0.1)),
            "turn_tube": (60.0, (0.3, 0.1, -0.05)),
            "turn_rod": (40.0, (0.2, 0.05, 0.1)),
            "raise_tube": (80.0, (0.3, -0.1, 0.15)),
            "raise_rod": (50.0, (0.2, 0.08, 0.1)),
            "push_rod": (30.0, (0.2, 0.0, 0.1)),
        },
    )


# ----------------------------------------------------------- energy and power
# Differences with steps of 1e-4 m of an energy of up to 1 MJ err by some 1e-8 of the forces.
RELATIVE = 2e-7


@pytest.mark.parametrize("name", ORDER)
def test_forces_are_slopes_of_the_potential(name):
    for state in home_and_elsewhere(hf.load(name)):
        slopes = energy_slopes(state)
        held = totals(state, statics(state))
        assert np.abs(held - slopes).max() <= RELATIVE * max(np.abs(slopes).max(), 1.0)


@pytest.mark.parametrize("base", [np.eye(4), UPSIDE_DOWN, TILTED], ids=["level", "over", "tilted"])
def test_springs_and_parts_off_their_axis_count(base):
    for state in home_and_elsewhere(crane()):
        there = state.moved(base)
        slopes = energy_slopes(there)
        assert totals(there, statics(there)) == pytest.approx(slopes, rel=1e-7, abs=1e-4)


@pytest.mark.parametrize("name", ["roadheader", "sths", "crane"])
def test_powers_of_random_wrenches_cancel(name):
    """Move in a random direction: what cylinders, loads and weights do adds up to nothing.

    Velocities of points come from poses before and after, not from Jacobians.
    """
    one = crane() if name == "crane" else hf.load(name)
    random = np.random.default_rng(3)
    for state in home_and_elsewhere(one):
        there = state.moved(TILTED)
        wrenches = {link.name: random.normal(scale=1e4, size=6) for link in one.robot.links}
        forces = statics(there, wrenches)
        for group in range(len(one.robot.groups)):
            powers = [
                *(forces * central(lambda h, s=there, g=group: beside(s, g, h).lengths, 1e-5)),
                -central(lambda h, s=there, g=group: potential(beside(s, g, h)), 1e-4),
            ]
            for link, wrench in wrenches.items():
                rate = central(lambda h, s=there, g=group, n=link: beside(s, g, h).pose(n), 1e-5)
                spin = rate[:3, :3] @ there.pose(link)[:3, :3].T
                powers.append(wrench[:3] @ (spin[2, 1], spin[0, 2], spin[1, 0]))
                powers.append(wrench[3:] @ rate[:3, 3])
            assert abs(sum(powers)) < RELATIVE * np.abs(powers).max()


def test_forces_add_up():
    """Loads act one beside the other; without any, and without gravity, nothing is needed."""
    state = home_and_elsewhere(hf.load("tcchs"))[1]
    random = np.random.default_rng(4)
    one, two = ({"base": random.normal(size=6), "canopy": random.normal(size=6)} for _ in "ab")
    both = {link: one[link] + two[link] for link in one}
    parts = [totals(state, statics(state, w, 0.0)) for w in (one, two, both)]
    assert parts[0] + parts[1] == pytest.approx(parts[2])
    assert not statics(state, gravity=0.0).any()
    twice = totals(state, statics(state, gravity=2 * 9.81))
    assert twice == pytest.approx(2 * totals(state, statics(state)))


# --------------------------------------------------------------- closed forms


def lift(up="z", **masses):
    """A mass of 100 kg on a vertical guide, a cylinder below it."""
    along = Z if up == "z" else Y
    bare = machine(
        [joint("guide", "base", "load", "prismatic", axis=along)],
        [actuator("ram", ("base", (0, 0, 0)), ("load", along), (0.1, 9))],
        up_axis=up,
        home={"joints": {"guide": 0.5}},
    )
    return weighed(bare, {"load": (100.0, (0.3, 0.5, 1.0)), **masses})


@pytest.mark.parametrize("up", ["z", "y"])
def test_a_lift_carries_its_load(up):
    home = lift(up).home
    assert statics(home) == pytest.approx([981.0], rel=1e-12)
    assert statics(home, gravity=1.62) == pytest.approx([162.0], rel=1e-12)
    pull = np.concatenate([[7.0, 8.0, 9.0], 50.0 * home.mechanism.robot.up])
    assert statics(home, {"load": pull}) == pytest.approx([931.0], rel=1e-12)


def test_a_mass_in_tube_or_rod_weighs():
    """The rod's centre rises with the load, the tube's stays."""
    one = lift(ram_tube=(20.0, (0.3, 0.0, 0.0)), ram_rod=(10.0, (0.4, 0.0, 0.0)))
    assert statics(one.home) == pytest.approx([1079.1], rel=1e-12)


def test_a_lever_and_the_point_a_wrench_acts_at():
    """A wrench acts at the link's origin, which is not where its hinge is."""
    one = machine(
        [joint("hinge", "base", "arm", axis=Y, at=[0, 0, 1])],
        [actuator("ram", ("base", (0.5, 0, 0)), ("arm", (0.2, 0, 0)), (0.1, 9))],
        links=[{"name": "base"}, {"name": "arm", "translation": [0.3, 0.0, 0.0]}],
        home={"joints": {"hinge": 0.0}},
    )
    # the ram stands upright 0.5 m from the hinge, the arm's origin is 0.3 m from it
    weight = np.array([0, 0, 0, 0, 0, -100.0])
    assert statics(one.home, {"arm": weight}) == pytest.approx([60.0], rel=1e-12)
    torque = np.array([0, 100.0, 0, 0, 0, 0])
    assert statics(one.home, {"arm": torque}) == pytest.approx([200.0], rel=1e-12)


def test_upside_down_a_machine_hangs_on_its_cylinders():
    for name in ("lhd", "sths"):
        home = hf.load(name).home
        over = totals(home, statics(home.moved(UPSIDE_DOWN)))
        assert over == pytest.approx(-totals(home, statics(home)), rel=1e-9, abs=1e-6)
    assert statics(lift().home.moved(UPSIDE_DOWN)) == pytest.approx([-981.0], rel=1e-12)
    on_its_side = compose(pose((0, 0, 0), (math.pi / 2, 0, 0))[:3, :3], (0, 0, 0))
    assert statics(lift().home.moved(on_its_side)) == pytest.approx([0.0], abs=1e-9)


def test_legs_of_a_platform_carry_its_weight():
    """Whatever stands on the legs, they push against its weight and against nothing else."""
    one = weighed(stewart_platform(), {"platform": (600.0, (0.2, -0.1, 0.3))})
    f = statics(one.home)
    between = one.home.mounts[:, 1] - one.home.mounts[:, 0]
    pushes = f[:, None] * between / one.home.lengths[:, None]
    assert pushes.sum(axis=0) == pytest.approx([0, 0, 5886.0], abs=1e-8)
    arms = one.home.mounts[:, 1] - (0.2, -0.1, 0.3 + 1.5)
    assert np.cross(arms, pushes).sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-8)


# -------------------------------------------------------------------- sharing


def pair(left=None, right=None, **home):
    """A turret about z and two slew cylinders along x, 0.5 m to either side of it."""
    sides = (("left", 0.5, left or {}, "right"), ("right", -0.5, right or {}, "left"))
    return machine(
        [joint("slew", "base", "turret", axis=Z)],
        [
            actuator(
                name, ("base", (-1, y, 0)), ("turret", (0, y, 0)), (0.1, 9), redundants=[other],
                **fields,
            )
            for name, y, fields, other in sides
        ],
        home={"joints": {"slew": 0.0, **home}},
    )  # fmt: skip


def turned_by(torque):
    return {"turret": [0, 0, torque, 0, 0, 0]}


def test_an_antagonistic_pair_shares_by_bore_and_ring():
    """0.5 p (bore + ring) = torque; the left one pushes against a torque about +z."""
    size = {"bore": 0.2, "rod_diameter": 0.12}
    home = pair(size, size).home
    bore, ring = math.pi / 4 * 0.2**2, math.pi / 4 * (0.2**2 - 0.12**2)
    p = 1000.0 / (0.5 * (bore + ring))
    assert statics(home, turned_by(1000.0)) == pytest.approx([p * bore, -p * ring], rel=1e-12)
    assert statics(home, turned_by(-1000.0)) == pytest.approx([-p * ring, p * bore], rel=1e-12)


def test_without_a_rod_diameter_the_bore_counts_for_both():
    home = pair({"bore": 0.2, "rod_diameter": 0.12}, {"bore": 0.1}).home
    big, ring, small = 0.2**2, 0.2**2 - 0.12**2, 0.1**2
    f = statics(home, turned_by(1000.0))
    assert f == pytest.approx([2000 * big / (big + small), -2000 * small / (big + small)])
    f = statics(home, turned_by(-1000.0))
    assert f == pytest.approx([-2000 * ring / (ring + small), 2000 * small / (ring + small)])


def test_without_a_bore_the_sum_of_squares_is_least():
    assert statics(pair().home, turned_by(1000.0)) == pytest.approx([1000.0, -1000.0])
    one = pair({"bore": 0.2, "rod_diameter": 0.12}, {})
    home = State(one.mechanism, [0.9])
    f = statics(home, turned_by(1000.0))
    c = rates(home).lengths[:, 0]
    assert c[0] == pytest.approx(1.0)
    assert abs(abs(c[1]) - 1.0) > 0.05
    assert f[1] / f[0] == pytest.approx(c[1])
    # torques of both about the hinge, from their mounts
    arms = np.cross(home.mounts[:, 1], home.mounts[:, 1] - home.mounts[:, 0])[:, 2] / home.lengths
    assert arms @ f == pytest.approx(-1000.0)


def test_members_side_by_side_push_by_their_area():
    one = machine(
        [joint("guide", "base", "load", "prismatic", axis=Z)],
        [
            actuator("a", ("base", (0, 1, 0)), ("load", (0, 1, 1)), (0.1, 9), redundants=["b"],
                     bore=0.2, rod_diameter=0.1),
            actuator("b", ("base", (0, -1, 0)), ("load", (0, -1, 1)), (0.1, 9), redundants=["a"],
                     bore=0.1, rod_diameter=0.09),
        ],
        home={"joints": {"guide": 0.5}},
    )  # fmt: skip
    down, up = ({"load": [0, 0, 0, 0, 0, force]} for force in (-1000.0, 1000.0))
    assert statics(one.home, down) == pytest.approx([800.0, 200.0])
    rings = np.array([0.2**2 - 0.1**2, 0.1**2 - 0.09**2])
    assert statics(one.home, up) == pytest.approx(-1000.0 * rings / rings.sum())


def test_a_member_at_its_dead_centre_does_nothing():
    one = machine(
        [joint("hinge", "base", "arm", axis=Z)],
        [
            actuator("a", ("base", (-1, 0.5, 0)), ("arm", (0, 0.5, 0)), (0.1, 9),
                     redundants=["b"], bore=0.2),
            actuator("b", ("base", (-2, 0, 0)), ("arm", (-1, 0, 0)), (0.1, 9),
                     redundants=["a"], bore=0.2),
        ],
        home={"joints": {"hinge": 0.0}},
    )  # fmt: skip
    for rounding in (-1e-11, 0.0, 1e-11):
        f = statics(State(one.mechanism, [rounding]), {"arm": [0, 0, 1000.0, 0, 0, 0]})
        assert f == pytest.approx([2000.0, 0.0])


def test_groups_that_move_each_others_members_are_balanced_too():
    """C^T f = F whoever moves whom, and equal pressure inside each group.

    In the first case the second group's work for the first makes that one pull, though what it
    must do in all is to push.
    """
    partners = {"a": "b", "b": "a", "c": "d", "d": "c"}
    bores, rods = np.array([0.2, 0.1, 0.15, 0.1]), np.array([0.1, 0.05, 0.12, 0.07])
    robot = machine(
        [joint("slew", "base", "turret", axis=Z)],
        [
            actuator(name, ("base", X), ("turret", Y), (0.1, 9), redundants=[partners[name]],
                     bore=bore, rod_diameter=rod)
            for name, bore, rod in zip(partners, bores, rods, strict=True)
        ],
    ).robot  # fmt: skip
    C = np.array([[1.0, 0.0], [-0.8, 0.0], [0.0, 1.0], [2.0, 1.0]])
    for F in ([1.0, 100.0], [100.0, 50.0], [-100.0, 50.0], [10.0, -80.0], [0.0, 5.0]):
        f = share(robot, C, np.array(F))
        assert C.T @ f == pytest.approx(F)
        pressures = f / (bores**2 - np.where(f > 0.0, 0.0, rods) ** 2)
        assert pressures[0] == pytest.approx(-pressures[1])
        assert pressures[2] == pytest.approx(pressures[3])


# --------------------------------------------------------------------- errors


def test_an_unknown_link_is_answered_with_the_nearest():
    with pytest.raises(hf.UnknownElementError, match="did you mean 'load'"):
        statics(lift().home, {"lood": np.zeros(6)})


@pytest.mark.parametrize(
    ("wrench", "message"),
    [
        (np.zeros(3), r"\[0., 0., 0.\]"),
        (np.zeros((1, 6)), r"\[\[0., 0."),
        ([0, 0, 0, 0, 0, math.nan], "not finite"),
        ([0, 0, 0, 0, 0, math.inf], "not finite"),
        ("heavy", "'heavy'"),
        (None, "not finite"),
        ([0, 0, 0, 0, 0, 10**400], "0, 0, 0, 0, 0, 1000"),
    ],
)
def test_a_wrench_is_six_finite_numbers(wrench, message):
    with pytest.raises(hf.StateError, match=f"wrench on link 'load': found.*({message}).*six"):
        statics(lift().home, {"load": wrench})


@pytest.mark.parametrize("gravity", [math.nan, math.inf, "down", [0, 0, -9.81]])
def test_gravity_is_a_finite_number(gravity):
    with pytest.raises(hf.StateError, match="gravity: found"):
        statics(lift().home, gravity=gravity)


def test_nothing_holds_a_machine_at_a_dead_centre():
    one = machine(
        [joint("crank", "ground", "arm")],
        [actuator("cyl", ("ground", (2, 0, 0)), ("arm", (1, 0, 0)), (0.1, 9))],
    )
    with pytest.raises(SingularityError, match="'cyl'"):
        statics(State(one.mechanism, [0.0]))
