"""Workspaces: every sample is a pose of the machine, and sizes agree with closed forms."""

import json

import numpy as np
import pytest

import headframe as hf
from build import actuator, joint, machine, stewart_platform
from headframe.errors import LengthError, SingularityError
from headframe.planning.workspaces import Sampler, workspace
from headframe.spatial import matrix_from_quaternion


@pytest.fixture(scope="module")
def roadheader():
    return hf.load("roadheader")


@pytest.fixture(scope="module")
def cloud(roadheader):
    return workspace(roadheader.kinematics, "cutter_head", samples=2000)


def gantry(strokes=(1.0, 2.0, 0.5)):
    """Three slides on top of each other, each with a cylinder along it."""
    links = ["base", "x_slide", "y_slide", "z_slide"]
    axes = np.eye(3)
    return machine(
        [
            joint(f"j{k}", links[k], links[k + 1], "prismatic", axis=axes[k].tolist())
            for k in range(len(strokes))
        ],
        [
            actuator(f"c{k}", (links[k], -axes[k]), (links[k + 1], (0, 0, 0)), (1.0, 1.0 + stroke))
            for k, stroke in enumerate(strokes)
        ],
    )


def test_samples_are_what_fk_gives(roadheader, cloud):
    assert cloud.inputs == ("slew", "boom", "telescope")
    for i in range(0, len(cloud), 150):
        lengths = dict(zip(cloud.inputs, cloud.values[i], strict=True))
        X = roadheader.fk(lengths).pose("cutter_head")
        assert np.allclose(cloud.points[i], X[:3, 3], atol=1e-9)
        assert np.allclose(matrix_from_quaternion(cloud.quats[i]), X[:3, :3], atol=1e-9)


def test_all_lengths_are_usable_and_the_ends_are_among_them(roadheader, cloud):
    low, high = cloud.ends
    assert (cloud.values >= low).all()
    assert (cloud.values <= high).all()
    for group in range(3):
        assert (cloud.values[:, group] == low[group]).sum() > 20
        assert (cloud.values[:, group] == high[group]).sum() > 20


def test_what_limits_a_sample_is_the_group_nearest_to_an_end(cloud):
    part = (cloud.values - cloud.ends[0]) / (cloud.ends[1] - cloud.ends[0])
    room = np.minimum(part, 1.0 - part)
    assert np.allclose(room[np.arange(len(room)), cloud.limits], room.min(axis=1))
    assert np.allclose(cloud.margins, room.min(axis=1))


def test_a_seed_gives_the_same_samples_again(roadheader, cloud):
    again = workspace(roadheader.kinematics, "cutter_head", samples=2000, seed=0)
    other = workspace(roadheader.kinematics, "cutter_head", samples=2000, seed=1)
    assert (again.points == cloud.points).all()
    assert not np.allclose(other.points, cloud.points)


def test_a_grid_is_even_and_has_the_ends(roadheader):
    grid = workspace(roadheader.kinematics, "cutter_head", samples=130, method="grid")
    assert len(grid) == 5**3
    for group in range(3):
        values = np.unique(grid.values[:, group])
        assert np.allclose(values, np.linspace(*grid.ends[:, group], 5))


def test_groups_that_do_not_move_the_link_stay_as_at_the_start(roadheader):
    start = roadheader.fk({"telescope": 2.3, "shovel_plate": 0.6})
    plate = workspace(roadheader.kinematics, "boom", samples=50, start=start)
    assert plate.inputs == ("slew", "boom")
    X = roadheader.fk(dict(zip(plate.inputs, plate.values[7], strict=True)), start).pose("boom")
    assert np.allclose(plate.points[7], X[:3, 3])


def test_a_machine_elsewhere_has_its_workspace_there(roadheader, cloud):
    base = np.eye(4)
    base[:3, 3] = 10.0, -2.0, 1.0
    there = workspace(
        roadheader.kinematics, "cutter_head", samples=2000, start=roadheader.home.moved(base)
    )
    assert np.allclose(there.points, cloud.points + base[:3, 3])


def test_another_point_of_the_link(roadheader, cloud):
    tip = workspace(roadheader.kinematics, "cutter_head", samples=2000, point=(0.5, 0.0, 0.1))
    R = matrix_from_quaternion(cloud.quats[3])
    assert np.allclose(tip.points[3], cloud.points[3] + R @ (0.5, 0.0, 0.1))


@pytest.mark.parametrize(
    ("strokes", "unit"), [((0.7,), "m"), ((1.0, 2.0), "m²"), ((1.0, 2.0, 0.5), "m³")]
)
def test_size_of_a_gantry_is_the_product_of_its_strokes(strokes, unit):
    gantry_machine = gantry(strokes)
    tip = ("x_slide", "y_slide", "z_slide")[len(strokes) - 1]
    box = workspace(gantry_machine.kinematics, tip, samples=500)
    assert box.size == pytest.approx(np.prod(strokes), rel=1e-6)
    assert box.size_text.endswith(unit)
    low, high = box.box
    assert np.allclose((high - low)[: len(strokes)], strokes)


def test_size_agrees_with_what_inverse_kinematics_reaches(roadheader, cloud):
    """Of points thrown into a box, the share within reach; its deviation is 1.2 %."""
    low, high = cloud.box[0] - 0.05, cloud.box[1] + 0.05
    targets = np.tile(np.eye(4), (20_000, 1, 1))
    targets[:, :3, 3] = np.random.default_rng(0).uniform(low, high, (20_000, 3))
    found = roadheader.ik_batch("cutter_head", targets, mask=(0, 0, 0, 1, 1, 1), chained=False)
    share = found.reachable.mean()
    assert share * np.prod(high - low) == pytest.approx(cloud.size, rel=0.03)


def test_a_point_on_a_curve_has_no_area():
    support = hf.load("sths")
    assert workspace(support.kinematics, "canopy", samples=20).size == 0.0


def test_progress_is_told(roadheader):
    told = []
    workspace(
        roadheader.kinematics, "cutter_head", 20_000, progress=lambda *numbers: told.append(numbers)
    )
    assert [total for _, total in told] == [20_000] * len(told)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == 20_000


def test_samples_that_the_machine_cannot_have_are_left_out():
    """A platform on six legs: some combinations of lengths do not exist on its branch."""
    platform = stewart_platform()
    cloud = workspace(platform.kinematics, "platform", samples=24)
    assert len(cloud) + cloud.missing == 24
    assert cloud.inputs == tuple(f"leg{i}" for i in range(6))
    assert cloud.size is None
    assert np.isfinite(cloud.points).all()
    i = len(cloud) // 2
    state = platform.fk(cloud.values[i])
    assert np.allclose(state.pose("platform")[:3, 3], cloud.points[i], atol=1e-6)


def test_a_sample_that_cannot_be_had_hides_none_beside_it():
    """Rows are tried in halves until the ones without a pose are alone."""
    platform = stewart_platform()
    kinematics, groups = platform.kinematics, tuple(range(6))
    rows = np.random.default_rng(2).uniform(1.6, 2.4, (13, 6))
    points, quats = Sampler(kinematics, "platform", np.zeros(3), groups, platform.home).place(rows)
    for row, point, quat in zip(rows, points, quats, strict=True):
        try:
            X = platform.fk(row).pose("platform")
        except (LengthError, SingularityError):
            assert np.isnan(point).all()
            assert np.isnan(quat).all()
        else:
            np.testing.assert_allclose(point, X[:3, 3], atol=1e-6)
    assert 0 < np.isnan(points[:, 0]).sum() < len(rows)


def test_a_partner_that_meets_its_end_first_ends_the_reach():
    pair = [
        actuator(
            name, ("base", (0.5, 0.0, -0.5)), ("boom", (1.0, 0.0, 0.0)), (0.6, upper),
            redundants=[other],
        )
        for name, other, upper in (("left", "right", 1.2), ("right", "left", 0.9))
    ]  # fmt: skip
    lift = joint("lift", "base", "boom")
    tip = joint("tip", "boom", "tip", "fixed", at=[1.5, 0.0, 0.0])
    cloud = workspace(machine([lift, tip], pair).kinematics, "tip", samples=64)
    np.testing.assert_allclose(cloud.ends[:, 0], [0.6, 0.9], atol=1e-6)
    assert cloud.missing == 0


# --------------------------------------------------------------------- files


def test_npz_holds_everything(cloud, tmp_path):
    path = cloud.save(tmp_path / "cloud.npz")
    with np.load(path) as file:
        assert (file["points"] == cloud.points).all()
        assert (file["quats"] == cloud.quats).all()
        assert (file["lengths"] == cloud.values).all()
        assert tuple(file["groups"]) == cloud.inputs
        meta = json.loads(str(file["meta"]))
    assert (meta["machine"], meta["link"]) == ("roadheader", "cutter_head")
    assert meta["size"] == pytest.approx(cloud.size)


def test_picture_in_space(cloud, tmp_path):
    path = cloud.save(tmp_path / "cloud.png")
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["door", "sths"])
def test_picture_of_a_curve_and_of_a_plane(name, tmp_path):
    one = hf.load(name)
    cloud = workspace(one.kinematics, one.robot.end_effector, 1000, point=(1.0, 0.0, 0.0))
    assert cloud.save(tmp_path / "cloud.png").read_bytes().startswith(b"\x89PNG")


def test_picture_of_a_machine_without_shapes(tmp_path):
    cloud = workspace(gantry().kinematics, "z_slide", samples=500)
    assert cloud.save(tmp_path / "cloud.png").exists()


@pytest.mark.parametrize("name", ["cloud.doc", "cloud", "no/folder.npz", "no/folder.png"])
def test_a_file_that_cannot_be_written_is_an_error(cloud, tmp_path, name):
    with pytest.raises(hf.ExportError):
        cloud.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


# -------------------------------------------------------------------- errors


def test_unknown_link_is_answered_with_the_nearest(roadheader):
    with pytest.raises(hf.UnknownElementError, match="did you mean 'cutter_head'"):
        workspace(roadheader.kinematics, "cuter_head")


def test_a_link_that_nothing_moves(roadheader):
    base = roadheader.robot.links[0].name
    with pytest.raises(hf.StateError, match=r"no cylinder moves it, .*'cutter_head'"):
        workspace(roadheader.kinematics, base)


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ({"samples": 1}, "samples: found 1"),
        ({"samples": 10.5}, "samples: found 10.5"),
        ({"seed": -1}, "seed: found -1"),
        ({"method": "dice"}, "method: found 'dice'"),
        ({"point": (1.0, 2.0)}, "point: found"),
        ({"point": (1.0, 2.0, np.nan)}, "point: found"),
    ],
)
def test_bad_arguments(roadheader, words, match):
    with pytest.raises(hf.StateError, match=match):
        workspace(roadheader.kinematics, "cutter_head", **words)


def test_a_start_of_another_machine(roadheader):
    with pytest.raises(hf.StateError, match="another machine"):
        workspace(roadheader.kinematics, "cutter_head", start=hf.load("door").home)
