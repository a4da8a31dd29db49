"""The bench of contact: what it measures, judges and writes. Never how long anything takes."""

import numpy as np
import pytest
from quiet import Quiet

from headframe.bench import command
from headframe.bench.contact import growth, heap, rivals, shapes, standing
from headframe.bench.contact.report import CONTACT_PAGE
from headframe.bench.section import PEERS, BenchSettings
from headframe.contact.kernels import ShapeKind

ALONE = BenchSettings.quick(())


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The page of a quick run without peers."""
    folder = tmp_path_factory.mktemp("contact")
    goals, written = CONTACT_PAGE.run(CONTACT_PAGE.parts, ALONE, folder, Quiet())
    return goals, written


def test_the_command_knows_parts_and_peers():
    assert ",".join(CONTACT_PAGE.parts) == command.CONTACT_PARTS
    assert ",".join(CONTACT_PAGE.peers) == command.CONTACT_PEERS
    assert set(CONTACT_PAGE.peers) <= set(PEERS)


def test_the_page_has_all_parts_and_their_pictures(pages):
    _, written = pages
    text = written[0].read_text(encoding="utf-8")
    for title in ("A machine that stands", "A heap of boxes", "Growth", "Pairs of shapes"):
        assert f"## {title}" in text
    for picture in written[1:]:
        assert picture.stat().st_size > 1000
        assert picture.name in text


def test_goals_without_peers_are_those_of_our_own_times(pages):
    goals, _ = pages
    assert [goal.what for goal in goals] == [
        "a step of the machine, at rest", "a step of the machine, swaying",
        "a step of the machine, lying", "power of n of the far detection",
    ]  # fmt: skip


def test_a_fit_of_times_that_grow_with_a_known_power():
    counts = (1, 3, 10, 30, 100)
    curve = growth.GrowthCurve("ours", counts, [5.0 * n**1.2 for n in counts])
    assert curve.power == pytest.approx(1.2)
    assert np.isnan(growth.GrowthCurve("ours", (1, 3), [1.0, 2.0]).power)


def test_means_of_a_heap():
    times = heap.HeapTimes("ours", [4.0, 2.0, 1.0, 1.0, 1.0, 3.0], 7)
    assert times.falling == pytest.approx(7 / 3)
    assert times.resting == pytest.approx(2.0)
    assert times.whole == pytest.approx(2.0)


def test_boxes_begin_apart_and_fall():
    places = rivals.places_of_boxes(12)
    world = rivals.OurHeap(places, 2e-3)
    world.steps(150)
    assert world.contacts() > 0


def test_random_pairs_have_a_hull_each():
    pairs = shapes.random_pairs((ShapeKind.BOX, ShapeKind.HULL), 50)
    assert pairs.seconds() > 0.0
    assert len(pairs.solids) == 50


def test_targets_against_mujoco():
    found = [standing.StandingTime("at rest", 20.0, 10.0, (4, 4))]
    goals = standing.section(found, None).goals
    assert [goal.found for goal in goals] == [20.0, 2.0]
    assert [goal.holds for goal in goals] == [True, False]


def test_the_machine_is_the_same_in_mujoco():
    mujoco = pytest.importorskip("mujoco")
    ours = rivals.OurMachine(5e-3, True, 0.0, (0.0, 0.0, 0.0))
    theirs = rivals.machine_in_mujoco(mujoco, 5e-3, True, 0.0, (0.0, 0.0, 0.0))
    for rival in (ours, theirs):
        rival.steps(400)
    assert ours.contacts() == theirs.contacts() == 4
    mass = sum(link.inertial.mass for link in ours.machine.machine.links if link.inertial)
    assert theirs.model.body_mass.sum() == pytest.approx(mass)
    height = ours.machine.pose("chassis")[2, 3]
    assert theirs.data.body("chassis").xpos[2] == pytest.approx(height, abs=0.01)


def test_pairs_in_coal_take_time_too():
    coal = pytest.importorskip("coal")
    for kind in shapes.KINDS:
        pairs = shapes.random_pairs((ShapeKind.BOX, kind), 4)
        assert np.isfinite(shapes.coal_seconds(coal, pairs))
