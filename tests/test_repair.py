"""URDF files whose masses are not right: what works, what asks for repair, and what it does."""

import warnings

import numpy as np
import pytest

import headframe as hf

LINK = """<link name="{name}"><inertial><origin xyz="0 0 0.2"/><mass value="{mass}"/>
<inertia ixx="{i[0]}" ixy="0" ixz="0" iyy="{i[1]}" iyz="0" izz="{i[2]}"/></inertial></link>"""
JOINT = """<joint name="{name}" type="revolute"><origin xyz="0 0 0.4"/><parent link="{parent}"/>
<child link="{child}"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="1"/>
</joint>"""
SOUND, SPIKY = (0.02, 0.02, 0.01), (0.01, 0.01, 0.05)


def arm(tmp_path, *links):
    """A chain of links, each with its mass and moments, or None for a link without."""
    text, last = '<link name="base"/>', "base"
    for n, link in enumerate(links):
        name = f"link_{n}"
        known = link is not None
        text += (
            LINK.format(name=name, mass=link[0], i=link[1]) if known else f'<link name="{name}"/>'
        )
        text += JOINT.format(name=f"joint_{n}", parent=last, child=name)
        last = name
    path = tmp_path / "arm.urdf"
    path.write_text(f'<robot name="arm">{text}</robot>')
    return path


def quietly(path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hf.HeadframeWarning)
        return hf.load(path, **options)


@pytest.fixture
def spiky(tmp_path):
    return arm(tmp_path, (1.0, SOUND), (2.0, SPIKY))


def test_kinematics_does_not_mind(spiky):
    with pytest.warns(hf.HeadframeWarning, match=r"link 'link_1' by 0\.03 kg m\^2"):
        machine = hf.load(spiky)
    assert machine.home.pose("link_1")[2, 3] == pytest.approx(0.8)
    q = np.zeros(2)
    assert hf.centre_of_mass(machine, q).mass == pytest.approx(3.0)
    assert hf.body_jacobian(machine, q, "link_1").shape == (6, 2)


def test_dynamics_asks_for_repair(spiky):
    machine, nothing = quietly(spiky), np.zeros(2)
    calls = [
        lambda: hf.Simulation(machine),
        lambda: hf.rnea(machine, nothing, nothing, nothing),
        lambda: hf.crba(machine, nothing),
        lambda: hf.aba(machine, nothing, nothing, nothing),
        lambda: hf.forward_dynamics(machine, nothing, nothing, nothing),
        lambda: hf.energy(machine, nothing, nothing),
        lambda: hf.momentum(machine, nothing, nothing),
    ]
    for call in calls:
        with pytest.raises(hf.DynamicsError, match=r"link_1.*0\.03.*repair=\"nearest\"") as caught:
            call()
        assert caught.value.body == "link_1"


def test_repair_changes_what_is_wrong_and_says_by_how_much(spiky):
    machine = quietly(spiky)
    with pytest.warns(hf.HeadframeWarning, match=r"'link_1': its inertia is changed by \d") as told:
        mended = machine.repaired("nearest")
    assert len(told) == 1
    assert mended.robot.link("link_0") == machine.robot.link("link_0")
    assert mended.robot.link("link_1").inertial.mass == 2.0
    assert np.linalg.eigvalsh(hf.crba(mended, np.zeros(2)))[0] > 0.0
    assert mended.repaired("nearest") is mended
    assert machine.repaired(None) is machine
    with pytest.raises(hf.StateError, match="'best'"):
        machine.repaired("best")


def test_repair_at_loading_and_in_a_simulation(spiky):
    sim = hf.Simulation(quietly(spiky, repair="nearest"))
    sim.run(0.01)
    machine = quietly(spiky)
    with pytest.warns(hf.HeadframeWarning, match="changed by"):
        other = hf.Simulation(machine, repair="nearest", start=machine.home)
    other.run(0.01)
    assert other.q == pytest.approx(sim.q)


def test_links_without_mass_move_but_need_repair_under_dynamics(tmp_path):
    machine = quietly(arm(tmp_path, (1.0, SOUND), None))
    assert machine.home.pose("link_1")[2, 3] == pytest.approx(0.8)
    with pytest.raises(hf.DynamicsError, match=r"'joint_1' moves nothing.*fixed joint.*'link_1'"):
        hf.aba(machine, np.zeros(2), np.zeros(2), np.zeros(2))
    with pytest.raises(hf.DynamicsError, match=r"'joint_1' moves nothing.*repair=\"nearest\""):
        hf.Simulation(machine).run(0.01)
    with pytest.warns(hf.HeadframeWarning, match=r"'link_1'.*lent a ball of radius 50 mm"):
        hf.Simulation(machine, repair="nearest").run(0.01)


def test_a_link_without_mass_between_others_is_no_hindrance(tmp_path):
    machine = quietly(arm(tmp_path, None, (1.0, SOUND)))
    hf.Simulation(machine).run(0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert machine.repaired("nearest") is machine


def test_a_point_mass_is_lent_inertia(tmp_path):
    path = arm(tmp_path, (1.0, (0.0, 0.0, 0.0)))
    path.write_text(path.read_text().replace('xyz="0 0 0.2"', 'xyz="0 0 0"'))
    mended = quietly(path, repair="nearest")
    assert mended.robot.link("link_0").inertial.mass == 1.0
    hf.Simulation(mended).run(0.01)


def test_a_link_without_mass_is_lent_a_part_of_the_lightest(tmp_path):
    """So little that nothing else moves differently: a hundredth, as a ball of 50 mm."""
    mended = quietly(arm(tmp_path, (4.0, SOUND), (0.5, SOUND), None), repair="nearest")
    lent = mended.robot.link("link_2").inertial
    assert lent.mass == pytest.approx(0.005)
    assert lent.com == (0.0, 0.0, 0.0)
    np.testing.assert_allclose(lent.inertia, 0.4 * 0.005 * 0.05**2 * np.eye(3), rtol=1e-12)
    assert [mended.robot.link(f"link_{n}").inertial.mass for n in (0, 1)] == [4.0, 0.5]
