"""States: poses of links, tubes and rods; lengths; joint values."""

import copy
import pickle

import numpy as np
import pytest

import headframe as hf
from build import actuator, joint, machine, stewart_platform
from headframe.mechanism.cylinders import look_at
from headframe.spatial import pose


def swing():
    return machine(
        [joint("hinge", "base", "arm", at=[0, 0, 1])],
        [
            actuator(
                "cyl", ("base", (1, 0.2, 0)), ("arm", (2, -0.1, 0.3)), (0.2, 9), tube_axis=[0, 1, 0]
            )
        ],
        home={"joints": {"hinge": -0.3}},
    )


def test_tube_and_rod_look_at_each_other():
    home = swing().home
    tube, rod = home.pose("cyl_tube"), home.pose("cyl_rod")
    between = rod[:3, 3] - tube[:3, 3]
    assert np.linalg.norm(between) == pytest.approx(home.lengths[0], abs=1e-14)
    np.testing.assert_allclose(tube[:3, 0], between / home.lengths[0], atol=1e-14)
    np.testing.assert_allclose(rod[:3, 0], -between / home.lengths[0], atol=1e-14)
    for X in (tube, rod):
        np.testing.assert_allclose(X[:3, :3].T @ X[:3, :3], np.eye(3), atol=1e-14)
        assert np.linalg.det(X[:3, :3]) == pytest.approx(1.0)
        assert X[1, 2] > 0.9, "z is nearest to the pin, which is along y"


def test_mounts_stand_where_the_file_puts_them():
    home = swing().home
    np.testing.assert_allclose(home.pose("cyl_tube")[:3, 3], (1, 0.2, 0), atol=1e-15)
    expected = home.pose("arm") @ (2, -0.1, 0.3, 1)
    np.testing.assert_allclose(home.pose("cyl_rod")[:3, 3], expected[:3], atol=1e-15)


def test_look_at_survives_a_pin_along_the_cylinder():
    X = look_at(np.zeros(3), np.array([0.0, 0.0, 2.0]), np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(X[:3, :3].T @ X[:3, :3], np.eye(3), atol=1e-15)
    np.testing.assert_allclose(X[:3, 0], (0, 0, 1))


@pytest.mark.parametrize("off", [1e-9, -1e-9, 1e-15])
def test_a_pin_as_good_as_along_the_cylinder_does_not_say_which_way_is_up(off):
    """Rounding must not turn the tube: the same axes as with a pin exactly along it."""
    end, pin = np.array([0.0, 0.0, 2.0]), np.array([off, off, 1.0])
    along = look_at(np.zeros(3), end, np.array([0.0, 0.0, 1.0]))
    np.testing.assert_array_equal(look_at(np.zeros(3), end, pin), along)
    many = look_at(np.zeros((1, 3)), end[None], pin[None])
    np.testing.assert_allclose(many[0], along, atol=1e-15)


def test_joint_values_have_the_width_of_their_joint():
    assert swing().home.joints == {"hinge": pytest.approx(-0.3)}
    assert stewart_platform().home.joints["float"].shape == (7,)


def test_a_state_cannot_be_changed():
    home = swing().home
    with pytest.raises(ValueError, match="read-only"):
        home.q[0] = 1.0
    with pytest.raises(TypeError):
        home.joints["hinge"] = 1.0
    pose = home.pose("arm")
    pose[:] = 0.0
    assert home.pose("arm")[3, 3] == 1.0


def test_unknown_link_is_a_typed_error_with_the_nearest_name():
    with pytest.raises(hf.UnknownElementError, match="did you mean 'arm'") as caught:
        swing().home.pose("amr")
    assert (caught.value.kind, caught.value.name) == ("link", "amr")


def test_a_machine_stands_at_one_place():
    home = swing().home
    with pytest.raises(hf.StateError, match=r"base: found shape \(2, 4, 4\), expected one pose"):
        home.moved(np.tile(np.eye(4), (2, 1, 1)))


def test_root_pose_places_the_whole_machine():
    moved = machine(
        [joint("hinge", "base", "arm", at=[0, 0, 1])],
        links=[
            {"name": "base", "translation": [5, 0, 0], "orientation": [0, 0, 0.5]},
            {"name": "arm"},
        ],
    )
    np.testing.assert_allclose(moved.home.pose("arm")[:3, 3], (5, 0, 1), atol=1e-15)


def test_state_prints_its_lengths():
    assert repr(swing().home).startswith("State(test machine: cyl=")


def test_unknown_joint_is_a_typed_error_with_the_nearest_name():
    joints = swing().home.joints
    with pytest.raises(hf.UnknownElementError, match="did you mean 'hinge'"):
        joints["hingee"]
    assert joints.get("hingee") is None
    assert "hinge" in joints


def test_odd_names_are_typed_errors_too():
    for name in (3, None, ("a",)):
        with pytest.raises(hf.UnknownElementError):
            swing().home.pose(name)


def test_states_and_machines_can_be_pickled_and_copied():
    m = swing()
    for thing in (m, m.home):
        again = pickle.loads(pickle.dumps(thing))
        assert repr(again) == repr(thing)
        assert repr(copy.deepcopy(thing)) == repr(thing)


def test_values_of_a_joint_are_a_copy():
    home = stewart_platform().home
    before = home.q.copy()
    home.joints["float"][:] = 0.0
    np.testing.assert_array_equal(home.q, before)


def test_pin_is_the_hinge_where_the_file_gives_none():
    """In the hinge's own axes, which lie turned in its parent, and that turned in the world."""
    turned = [0.3, -0.2, 0.5]
    m = machine(
        [
            joint("slew", "base", "tower", axis=[0, 0, 1]),
            joint("lift", "tower", "arm", at=[0, 0, 1], rpy=turned),
        ],
        [actuator("cyl", ("tower", (1, 0.2, 0)), ("arm", (2, -0.1, 0.3)), (0.2, 9))],
    )
    state = hf.State(m.mechanism, [0.7, -0.3])
    hinge = state.pose("tower")[:3, :3] @ pose((0, 0, 0), turned)[:3, :3] @ (0.0, 1.0, 0.0)
    for part in ("cyl_tube", "cyl_rod"):
        x, _, z = state.pose(part)[:3, :3].T
        across = hinge - (hinge @ x) * x
        np.testing.assert_allclose(z, across / np.linalg.norm(across), atol=1e-12)
