"""The packed tree: its order, where it puts links, what its bodies weigh, its cylinders."""

import math

import numpy as np
import pytest

import headframe
from build import actuator, joint, machine, stewart_platform
from headframe.bench.printed import ORDER
from headframe.dynamics.records import TREE
from headframe.dynamics.tree.calling import memory_of
from headframe.dynamics.tree.memory import new_bodies, placed
from headframe.errors import StateError, UnknownElementError
from headframe.jit import header
from headframe.mechanism import State
from headframe.mechanism.tree import checked_vector, idle_links, tree_of, without_inertia
from headframe.spatial import pose
from poses import home_and_elsewhere
from trees import EXAMPLES, body, draw, example, tree_of_kinds

X_WB = pose((3.0, -2.0, 1.0), (0.4, -1.1, 2.0))


def crane():
    """A mast that slews, and a boom on it with a cylinder that leans out of the boom's plane."""
    slew = joint("slew", "base", "mast", axis=[0, 0, 1])
    lift = joint("lift", "mast", "boom", at=[0, 0, 1])
    plain = [{"name": name} for name in ("base", "mast", "boom")]
    return machine(
        [slew, lift],
        [actuator("ram", ("mast", (0.3, 0.4, 0.2)), ("boom", (1.0, 0.1, 0.0)), (0.8, 1.6))],
        links=plain,
        home={"joints": {"slew": 0.3, "lift": -0.2}},
    )


# ------------------------------------------------------------------------------------- poses


@pytest.mark.parametrize("name", ORDER)
def test_machines_stand_where_their_states_stand(name):
    """All links, tubes and rods; from the joints' values, the mounts' angles and the lengths."""
    one = headframe.load(name)
    tree = tree_of(one.mechanism)
    for state in home_and_elsewhere(one):
        bodies = placed(tree, tree.positions(state))
        for link in one.links:
            np.testing.assert_allclose(
                tree.pose(bodies, link.name), state.pose(link.name), rtol=0, atol=1e-12
            )


@pytest.mark.parametrize("name", EXAMPLES)
def test_open_trees_stand_where_their_states_stand(name):
    """Every kind of joint, anywhere; loops may stand open."""
    one = example(name)
    tree = tree_of(one.mechanism)
    random = np.random.default_rng(1)
    for _ in range(5):
        q, _ = draw(tree, random)
        state, bodies = State(one.mechanism, q[: one.mechanism.q_zero.size]), placed(tree, q)
        for link in one.robot.main_links:
            np.testing.assert_allclose(
                tree.pose(bodies, link.name), state.pose(link.name), rtol=0, atol=1e-12
            )


@pytest.mark.parametrize("make", [crane, stewart_platform])
def test_cylinders_out_of_a_plane(make):
    """Their tubes have two angles; tube and rod look at each other from their mounts."""
    one = make()
    tree = tree_of(one.mechanism)
    assert {len(cylinder.tube) for cylinder in tree.cylinders} == {2}
    for state in home_and_elsewhere(one):
        bodies = placed(tree, tree.positions(state))
        for number, cylinder in enumerate(one.actuators):
            for part in (cylinder.tube, cylinder.rod):
                X = tree.pose(bodies, part)
                np.testing.assert_allclose(X, state.pose(part), rtol=0, atol=1e-12)
            np.testing.assert_allclose(
                X[:3, 3], state.mounts[number, 1], rtol=0, atol=1e-12
            )  # the rod's frame is its mount: what closes the loop


def test_where_the_machine_stands_does_not_matter():
    one = headframe.load("roadheader")
    tree = tree_of(one.mechanism)
    there = tree.positions(one.home.moved(X_WB))
    np.testing.assert_allclose(there, tree.positions(one.home), rtol=0, atol=1e-12)


def test_links_on_the_base_do_not_move():
    one = machine(
        [joint("weld", "base", "plinth", "fixed", at=[1, 2, 3]), joint("hinge", "plinth", "arm")],
        links=[body("base", 1), body("plinth", 2), body("arm", 3)],
    )
    tree = tree_of(one.mechanism)
    assert (tree.freedom_of_link["base"], tree.freedom_of_link["plinth"]) == (-1, -1)
    bodies = placed(tree, np.array([0.7]))
    np.testing.assert_allclose(tree.pose(bodies, "plinth"), one.home.pose("plinth"), atol=1e-15)
    # and weigh nothing: only the arm does
    assert tree.freedoms["body"][:, 0].sum() == one.robot.link("arm").inertial.mass


def test_unknown_link():
    tree = tree_of(example("arm").mechanism)
    with pytest.raises(UnknownElementError, match="did you mean 'link_7'"):
        tree.pose(new_bodies(tree), "link_77")


# ------------------------------------------------------------------------------------- order


def test_joints_keep_the_order_of_the_file():
    """Whatever the tree's is: here the file names the last joint first."""
    one = example("mixed")
    tree, m = tree_of(one.mechanism), one.mechanism
    names = [j.name for j in one.joints]
    assert list(m.position_of_joint) == names
    assert [int(name.split("_")[1]) for name in names] == list(range(len(names), 0, -1))
    starts = [part.start for part in m.position_of_joint.values()]
    assert starts == sorted(starts)
    for d, owner in enumerate(tree.owner):
        part, rates = m.position_of_joint[owner], m.velocity_of_joint[owner]
        assert part.start <= tree.freedoms["position"][d] < part.stop
        assert rates.start <= tree.freedoms["velocity"][d] < rates.stop
    assert sorted(tree.freedoms["velocity"]) == list(range(tree.nv))
    assert (tree.freedoms["parent"] < np.arange(tree.nv)).all()  # parents first


def test_places_of_several_freedoms():
    """A free joint: quaternion, then position; angular velocity, then linear."""
    one = machine(
        [joint("float", "base", "ship", "free"), joint("gimbal", "ship", "lamp", "universal")],
        links=[{"name": "base"}, body("ship", 2), body("lamp", 3)],
    )
    tree = tree_of(one.mechanism)
    assert (tree.nq, tree.nv) == (9, 8)
    assert tree.q_zero.tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 0]
    q = np.array([math.sqrt(0.5), 0, 0, math.sqrt(0.5), 1.0, 2.0, 3.0, 0.3, 0.4])
    pose_of_ship = tree.pose(placed(tree, q), "ship") @ np.linalg.inv(one.robot.link("ship").pose)
    wanted = pose((1.0, 2.0, 3.0), (0.0, 0.0, math.pi / 2))
    np.testing.assert_allclose(pose_of_ship, wanted, atol=1e-15)
    # velocities: a turn about the ship's own x, and a slide along the base's y
    spin = placed(tree, q, np.eye(8)[0])["velocity"][5]
    np.testing.assert_allclose(spin[:3], [0, 1, 0], atol=1e-15)  # its x is the base's y
    np.testing.assert_allclose(spin[3:], np.cross([1, 2, 3], [0, 1, 0]), atol=1e-15)
    slide = placed(tree, q, np.eye(8)[4])["velocity"][5]
    np.testing.assert_allclose(slide, [0, 0, 0, 0, 1, 0], atol=1e-15)


@pytest.mark.parametrize("name", ORDER)
def test_cylinders_come_last(name):
    """In the order of the actuators: angles of the tube, then the length."""
    one = headframe.load(name)
    tree = tree_of(one.mechanism)
    at, rate = one.mechanism.q_zero.size, one.mechanism.nv
    for number, cylinder in enumerate(tree.cylinders):
        assert (cylinder.actuator, cylinder.position, cylinder.velocity) == (number, at, rate)
        assert tree.owner[cylinder.rod] == one.actuators[number].name
        at, rate = cylinder.length_position + 1, cylinder.length_velocity + 1
        assert tree.freedoms["position"][cylinder.rod] == cylinder.length_position
        assert tree.freedoms["velocity"][cylinder.rod] == cylinder.length_velocity
    assert (tree.nq, tree.nv) == (at, rate)
    q = tree.positions(one.home)
    np.testing.assert_array_equal(q[: one.home.q.size], one.home.q)
    lengths = [q[cylinder.length_position] for cylinder in tree.cylinders]
    np.testing.assert_allclose(lengths, one.home.lengths, rtol=1e-15)
    shortest = [tree.q_zero[cylinder.length_position] for cylinder in tree.cylinders]
    assert shortest == [one_.bounds.lower for one_ in one.actuators]


def test_plane_mounts_have_one_angle():
    """All of the catalogue's do; a pin across the motion, or a mount aside, needs two."""
    for name in ORDER:
        tree = tree_of(headframe.load(name).mechanism)
        assert all(len(cylinder.tube) == 1 for cylinder in tree.cylinders)

    def tubes(tube, rod, **more):
        one = machine(
            [joint("lift", "base", "boom")], [actuator("ram", tube, rod, (0.5, 2), **more)]
        )
        return len(tree_of(one.mechanism).cylinders[0].tube)

    below, ahead = ("base", (0.3, 0.2, -0.5)), ("boom", (1.0, 0.2, 0.0))
    assert tubes(below, ahead) == 1
    assert tubes(below, ahead, tube_axis=[0, -1, 0]) == 1
    assert tubes(below, ("boom", (1.0, 0.3, 0.0))) == 2
    assert tubes(below, ahead, tube_axis=[0.6, 0.8, 0]) == 2


@pytest.mark.parametrize(("axis", "angles"), [((1, 0, 0), 1), ((0, 0, 1), 1), ((0, 1, 0), 2)])
def test_a_slide_along_the_pin_leaves_the_plane(axis, angles):
    """A mount on a carriage: across the pin it stays in one plane, along it does not."""
    one = machine(
        [joint("way", "base", "carriage", "prismatic", axis=list(axis))],
        [
            actuator(
                "ram", ("base", (-1.0, 0.0, 0.2)), ("carriage", (0.0, 0.0, 0.0)), (0.2, 9.0),
                tube_axis=[0, 1, 0],
            )
        ],
    )  # fmt: skip
    tree = tree_of(one.mechanism)
    assert len(tree.cylinders[0].tube) == angles
    state = State(one.mechanism, np.array([0.3]))
    bodies = placed(tree, tree.positions(state))
    X = tree.pose(bodies, one.actuators[0].rod)
    np.testing.assert_allclose(X[:3, 3], state.mounts[0, 1], rtol=0, atol=1e-12)


def test_ancestors():
    tree = tree_of(tree_of_kinds(("revolute", "universal", "revolute", "prismatic"), 5).mechanism)
    *chains, of_base = tree.ancestors
    assert of_base == ()
    assert len(chains) == len(tree.freedoms)
    for d, chain in enumerate(chains):
        assert chain[-1] == d
        assert chain[:-1] == (tree.ancestors[chain[-2]] if len(chain) > 1 else ())


# ------------------------------------------------------------------------------------- masses


@pytest.mark.parametrize("name", [*ORDER, "mixed"])
def test_nothing_that_moves_is_forgotten(name):
    """Masses and first moments of the placed bodies are those of the links."""
    one = example(name) if name in EXAMPLES else headframe.load(name)
    tree, state = tree_of(one.mechanism), one.home
    bodies = placed(tree, tree.positions(state))["inertia"]
    links = [k for k in one.links if k.inertial is not None and tree.freedom_of_link[k.name] >= 0]
    masses = np.array([link.inertial.mass for link in links])
    centres = np.array([(state.pose(k.name) @ [*k.inertial.com, 1.0])[:3] for k in links])
    np.testing.assert_allclose(bodies[:, 0].sum(), masses.sum(), rtol=1e-13)
    np.testing.assert_allclose(
        bodies[:, 1:4].sum(axis=0), masses @ centres, rtol=0, atol=1e-10 * masses.sum()
    )
    # moments of inertia about the origin, added up
    J = np.zeros((3, 3))
    for link, m, c in zip(links, masses, centres, strict=True):
        R = state.pose(link.name)[:3, :3]
        J += R @ np.array(link.inertial.inertia) @ R.T + m * (c @ c * np.eye(3) - np.outer(c, c))
    six = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
    np.testing.assert_allclose(bodies[:, 4:].sum(axis=0), six, atol=1e-10 * np.trace(J))


def test_gravity_points_down():
    assert tree_of(example("arm").mechanism).gravity.tolist() == [0.0, 0.0, -9.81]
    tree = tree_of(example("y up").mechanism)
    assert tree.gravity.tolist() == [0.0, -9.81, 0.0]
    moon = tree.with_gravity(np.array([1.62, 0.0, 0.0]))
    assert moon.gravity.tolist() == [1.62, 0.0, 0.0]
    assert header(memory_of(moon), TREE).gravity.tolist() == [1.62, 0.0, 0.0]
    assert tree.gravity.tolist() == [0.0, -9.81, 0.0]  # the other one is as it was
    assert header(memory_of(tree), TREE).gravity.tolist() == [0.0, -9.81, 0.0]
    assert memory_of(moon) is not memory_of(tree)


def test_without_inertia():
    joints = [joint("a", "base", "arm"), joint("b", "arm", "hand", "spherical")]
    light, heavy = {"name": "hand"}, body("hand", 3)
    for hand, wanted in ((light, "b"), (heavy, "")):
        tree = tree_of(machine(joints, links=[body("base", 1), body("arm", 2), hand]).mechanism)
        assert without_inertia(tree) == wanted


def test_what_is_carried_further_out_has_an_arm():
    """A point mass on the axis of the second joint: that one turns nothing, the first does."""
    point = {"mass": 2.0, "com": [0, 0, 0], "inertia": np.zeros((3, 3)).tolist()}
    hand = {"name": "hand", "inertial": point}
    joints = [joint("a", "base", "arm"), joint("b", "arm", "hand", at=[0.5, 0.0, 0.0])]
    one = machine(joints, links=[{"name": "base"}, {"name": "arm"}, hand])
    assert idle_links(tree_of(one.mechanism)) == ["hand"]


def test_one_tree_a_machine():
    m = headframe.load("door").mechanism
    assert tree_of(m) is tree_of(m)
    assert tree_of(m) is not tree_of(headframe.load("door").mechanism)


def test_a_machine_that_cannot_move():
    one = machine([])
    tree = tree_of(one.mechanism)
    assert (tree.nq, tree.nv, tree.freedoms.shape) == (0, 0, (0,))
    np.testing.assert_array_equal(tree.pose(new_bodies(tree), "base"), np.eye(4))


def test_checked_vector():
    assert checked_vector([1, 2], 2, "it").tolist() == [1.0, 2.0]
    for wrong, message in (
        ([1.0], r"it: found shape \(1,\), expected \(2,\)"),
        ([1.0, np.nan], "it: found numbers that are not finite"),
        (["a", "b"], "it: found "),
    ):
        with pytest.raises(StateError, match=message):
            checked_vector(wrong, 2, "it")


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_a_freedom_moves_follows_it_without_a_gap(name):
    tree = tree_of(example(name).mechanism)
    for e in range(len(tree.freedoms)):
        moved = [d for d, chain in enumerate(tree.ancestors) if e in chain]
        assert moved == list(range(e, e + len(moved)))
