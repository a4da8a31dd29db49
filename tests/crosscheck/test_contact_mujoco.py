"""MuJoCo loads what we write about contact, and finds the same links touching at home."""

import json
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import headframe as hf
from headframe.contact import WhyApart
from headframe.description.reading import read_text
from headframe.machine import Machine

mujoco = pytest.importorskip("mujoco")

FLOOR = '<geom name="floor" type="plane" size="9 9 1" friction="{} 0.005 0.0001"/>'


def at_home(text, folder=None, margin=None):
    """MuJoCo's model and data at the keyframe."""
    model = mujoco.MjModel.from_xml_string(text)
    if margin is not None:
        model.geom_margin[:] = margin
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    return model, data


def written(one, tmp_path):
    one.export(tmp_path / "m.xml", "mjcf")
    return (tmp_path / "m.xml").read_text()


def touching(model, data, within):
    """Pairs of names of bodies that are nearer than that."""
    found = set()
    for contact in data.contact[: data.ncon]:
        if contact.dist <= within:
            bodies = (model.geom_bodyid[geom] for geom in (contact.geom1, contact.geom2))
            found.add(frozenset(model.body(body).name for body in bodies))
    return found


@pytest.mark.parametrize("name", hf.machines())
def test_links_that_pass_through_each_other_at_home_are_those_that_touch(name, tmp_path):
    """Ours are polyhedra with 32 sides, a little smaller than MuJoCo's cylinders."""
    one = hf.load(name)
    text = written(one, tmp_path)
    model, data = at_home(text)
    assert touching(model, data, 0.0) == set()
    home = {
        frozenset(one.links[k].name for k in pair)
        for pair, why in one.collision.apart.items()
        if why is WhyApart.HOME
    }
    root = ET.fromstring(text)
    assert len(root.findall("contact/exclude")) == len(one.collision.apart)
    for exclude in root.findall("contact/exclude"):
        if {exclude.get("body1"), exclude.get("body2")} in home:
            root.find("contact").remove(exclude)
    model, data = at_home(ET.tostring(root, encoding="unicode"), margin=0.01)
    found = touching(model, data, 0.0015)
    assert home <= found


def machine(**fields):
    data = {"mrdf": "1", "name": "m", **fields}
    reading = read_text(json.dumps(data))
    assert reading.problems == []
    return Machine(reading.robot)


def block(geometry, mass=12.0, contact="rubber", **more):
    inertia = [[mass / 6, 0, 0], [0, mass / 6, 0], [0, 0, mass / 6]]
    link = {"name": "block", "inertial": {"mass": mass, "inertia": inertia}}
    shape = {"geometry": geometry, "contact": contact}
    return machine(links=[{**link, **more, "collision": [shape]}], base="free")


CUBE = {"type": "box", "x": 1.0, "y": 1.0, "z": 1.0}
CORNERS = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]


@pytest.mark.parametrize("geometry", [CUBE, {"type": "hull", "points": CORNERS}])
def test_a_free_base_falls_and_stands_on_the_ground(geometry, tmp_path):
    one = block(geometry, translation=[0.3, 0.2, 2.0])
    text = written(one, tmp_path)
    model, data = at_home(text.replace("<worldbody>", "<worldbody>" + FLOOR.format(0.0)))
    assert (model.nq, model.nv) == (7, 6)
    np.testing.assert_allclose(data.qpos, [0.3, 0.2, 2.0, 1, 0, 0, 0])
    np.testing.assert_allclose(data.qacc[:3], [0, 0, -9.81], atol=1e-9)
    while data.time < 3.0:
        mujoco.mj_step(model, data)
    assert np.abs(data.qvel).max() < 1e-3
    assert data.qpos[2] == pytest.approx(0.5, abs=0.01)
    again = hf.load(tmp_path / "m.xml")  # MuJoCo's way to say it: a free joint of the first body
    assert [joint.type for joint in again.joints] == ["free"]


def test_friction_is_the_dynamic_one(tmp_path):
    one = block(CUBE, contact="wood", translation=[0.0, 0.0, 0.5])
    text = written(one, tmp_path).replace("<worldbody>", "<worldbody>" + FLOOR.format(0.0))
    for angle, moves in ((np.arctan(0.38), False), (np.arctan(0.45), True)):
        gravity = f"{9.81 * np.sin(angle)} 0 {-9.81 * np.cos(angle)}"
        tilted = re.sub(r'gravity="[^"]*"', f'gravity="{gravity}"', text)
        assert tilted != text
        model, data = at_home(tilted)
        while data.time < 2.0:
            mujoco.mj_step(model, data)
        assert (data.qpos[0] > 0.05) == moves


def test_a_whole_machine_with_a_free_base_falls_as_one(tmp_path):
    fixed = hf.load("lhd")
    one = Machine(fixed.robot.model_copy(update={"base": "free"}), fixed.folder)
    text = written(one, tmp_path)
    before, _ = at_home(written(fixed, tmp_path))
    model, data = at_home(text)
    assert model.nv == before.nv + 6
    start = data.subtree_com[0].copy()
    while data.time < 0.2:
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    fallen = start[2] - data.subtree_com[0][2]
    # symplectic Euler: h^2 g n (n + 1) / 2
    assert fallen == pytest.approx(0.5 * 9.81 * data.time * (data.time + 0.001), rel=1e-3)


def test_a_ring_hangs_on_a_peg(tmp_path):
    """It has a hole in MuJoCo, too: capsules stand for the ring."""
    ring = {"type": "torus", "R": 0.4, "r": 0.1}
    turned = {"translation": [0, 0, 1.85], "orientation": [np.pi / 2, 0, 0]}
    one = block(ring, contact="steel", **turned)
    peg = '<geom type="capsule" size="0.1 1" pos="0 0 2" quat="0.7071 0.7071 0 0"/>'
    text = written(one, tmp_path).replace("<worldbody>", "<worldbody>" + peg)
    model, data = at_home(text)
    assert touching(model, data, 0.0) == set()
    while data.time < 2.0:
        mujoco.mj_step(model, data)
    # its inner radius of 0.3 m hangs on the top of a peg of 0.1 m, at 2 m
    assert data.qpos[2] == pytest.approx(2.1 - 0.3, abs=0.03)
