"""The studies of reach: their files hold what the library computes."""

import io
import json
from dataclasses import replace

import numpy as np
import pytest

import headframe as hf
from headframe.errors import StateError, UnknownElementError
from headframe.workbench.section_study import SectionRequest, study_section
from headframe.workbench.study import Bench, CancelledError, checked_request
from headframe.workbench.workspace import (
    PictureRequest,
    WorkspaceRequest,
    draw_workspace,
    study_workspace,
)

ROOM = [[2.75, 0.0], [2.75, 2.0], [0.0, 4.6], [-2.75, 2.0], [-2.75, 0.0]]


@pytest.fixture(scope="module")
def roadheader():
    return hf.load("roadheader")


@pytest.fixture(scope="module")
def done(roadheader, tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    told = []
    state = roadheader.fk({"slew": 1.4})
    request = checked_request(
        WorkspaceRequest, {"link": "cutter_head", "point": [0.1, 0, 0], "samples": 3000, "seed": 7}
    )
    bench = Bench(roadheader, state, folder, lambda part, text: told.append((part, text)))
    outcome = study_workspace(bench, request)
    cloud = hf.workspace(
        roadheader, "cutter_head", samples=3000, seed=7, point=(0.1, 0, 0), start=state
    )
    return folder, outcome, cloud, told


def read_cloud(data, count):
    points = np.frombuffer(data, "<f4", 3 * count).reshape(-1, 3)
    return points, np.frombuffer(data, np.uint8, count, 12 * count)


def test_cloud_is_the_library_s(done):
    folder, outcome, cloud, _ = done
    data = (folder / "cloud.bin").read_bytes()
    assert len(data) == 13 * outcome.facts["samples"] == 13 * 3000
    points, ends = read_cloud(data, 3000)
    np.testing.assert_allclose(points, cloud.points, atol=1e-6)
    np.testing.assert_array_equal(ends // 2, cloud.limits)
    left = cloud.left[np.arange(3000), ends // 2, ends % 2]
    np.testing.assert_allclose(left, cloud.margins)


def test_surface_file_is_laid_out_as_told(done):
    folder, outcome, cloud, _ = done
    facts = outcome.facts["surface"]
    data = (folder / "surface.bin").read_bytes()
    count = facts["vertices"]
    vertices, ends = read_cloud(data, count)
    at = 4 * -(-13 * count // 4)
    triangles = np.frombuffer(data, "<u4", 3 * facts["triangles"], at).reshape(-1, 3)
    assert len(data) == at + 12 * facts["triangles"] + 8 * facts["lines"]
    corners = vertices[triangles].astype(float)
    volume = np.linalg.det(corners - corners.mean(axis=(0, 1))).sum() / 6.0
    assert volume == pytest.approx(outcome.facts["measure"], rel=1e-4)
    assert volume == pytest.approx(cloud.size, rel=2e-3)
    assert set(ends) == set(range(6))


def test_facts_and_legend(done, roadheader):
    _, outcome, cloud, _ = done
    facts = outcome.facts
    json.dumps(facts, allow_nan=False)
    assert facts["machine"] == "roadheader"
    assert facts["groups"] == ["slew", "boom", "telescope"]
    np.testing.assert_allclose(facts["box"], cloud.box)
    assert [entry["end"] for entry in facts["legend"]] == list(range(6))
    last = facts["legend"][5]
    bounds = roadheader.robot.actuator(last["cylinder"]).bounds
    assert (last["group"], last["upper"]) == ("telescope", True)
    assert last["length"] == pytest.approx(bounds.upper)
    assert len({entry["color"] for entry in facts["legend"]}) == 6


def test_files_can_be_read(done):
    folder, outcome, cloud, _ = done
    assert set(outcome.files) == {path.name for path in folder.iterdir()}
    kept = np.load(io.BytesIO((folder / "workspace.npz").read_bytes()))
    np.testing.assert_array_equal(kept["points"], cloud.points)
    import trimesh

    scene = trimesh.load(folder / "workspace.glb")
    parts = list(scene.geometry.values())
    points = next(part for part in parts if isinstance(part, trimesh.PointCloud))
    mesh = next(part for part in parts if isinstance(part, trimesh.Trimesh))
    assert len(points.vertices) == 3000
    assert abs(mesh.volume) == pytest.approx(outcome.facts["measure"], rel=1e-3)


def test_picture_is_drawn_when_it_is_asked_for(roadheader, tmp_path):
    told = []
    bench = Bench(roadheader, roadheader.home, tmp_path, lambda *said: told.append(said), 7)
    study_workspace(bench, WorkspaceRequest("cutter_head", samples=200))
    assert not (tmp_path / "workspace.png").exists()
    outcome = draw_workspace(replace(bench, number=8), PictureRequest(7))
    assert outcome.files == ("workspace.png",)
    assert (tmp_path / "workspace.png").read_bytes().startswith(b"\x89PNG")
    assert told[-1][1] == "picture"
    with pytest.raises(StateError, match="workspace 6 is gone"):
        draw_workspace(bench, PictureRequest(6))


def test_progress_goes_on(done):
    *_, told = done
    parts = [part for part, _ in told]
    assert parts == sorted(parts)
    assert {text for _, text in told} == {"samples", "boundary", "files"}


@pytest.mark.parametrize("text", ["samples", "boundary", "files"])
def test_whatever_is_done_can_be_given_up(roadheader, tmp_path, text):
    def progress(_part, now):
        if now == text:
            raise CancelledError

    request = WorkspaceRequest("cutter_head", samples=200)
    with pytest.raises(CancelledError):
        study_workspace(Bench(roadheader, roadheader.home, tmp_path, progress), request)
    assert not list(tmp_path.iterdir())


def test_every_wrong_field_is_named():
    wrong = {"point": [0, "a", None], "samples": 3, "seed": -1, "colour": 1}
    with pytest.raises(StateError) as caught:
        checked_request(WorkspaceRequest, wrong)
    for field in ("link", "point.1", "point.2", "samples", "seed", "colour"):
        assert f"{field}: " in str(caught.value)


def test_link_that_is_none(roadheader, tmp_path):
    bench = Bench(roadheader, roadheader.home, tmp_path, lambda part, text: None)
    with pytest.raises(UnknownElementError, match="cutter_hed"):
        study_workspace(bench, WorkspaceRequest("cutter_hed"))
    with pytest.raises(StateError, match="no cylinder moves it"):
        study_workspace(bench, WorkspaceRequest(roadheader.robot.links[0].name))


def section_request(**changes):
    request = {
        "link": "cutter_head", "outline": ROOM, "origin": [5.6, 0, 0], "left": [0, 1, 0],
        "up": [0, 0, 1], "cell": 0.2,
    }  # fmt: skip
    return checked_request(SectionRequest, {**request, **changes})


def test_section_files(roadheader, tmp_path):
    bench = Bench(roadheader, roadheader.home, tmp_path, lambda part, text: None)
    outcome = study_section(bench, section_request())
    facts = outcome.facts
    codes = np.frombuffer((tmp_path / "section.bin").read_bytes(), np.uint8)
    codes = codes.reshape(facts["rows"], facts["columns"])
    assert set(np.unique(codes)) == {0, 1, 2, 3}
    part = (codes >= 2).sum() / (codes >= 1).sum()
    assert facts["fraction"] == pytest.approx(part, abs=0.05)
    assert facts["radius"] == pytest.approx(0.656, abs=1e-3)
    told = json.loads((tmp_path / "section.json").read_text())
    assert told["outline"] == ROOM
    assert np.shape(told["border"])[1:] == (2, 2)
    given = study_section(bench, section_request(radius=0.1, point=[0, 0, 0])).facts
    assert given["fraction"] < facts["fraction"]


def test_section_that_makes_no_sense(roadheader, tmp_path):
    bench = Bench(roadheader, roadheader.home, tmp_path, lambda part, text: None)
    with pytest.raises(StateError, match="right angle"):
        study_section(bench, section_request(up=[0, 1, 0]))
    with pytest.raises(StateError, match="give a radius"):
        study_section(bench, section_request(link="boom"))
    with pytest.raises(StateError, match="outline"):
        section_request(outline=[[0, 0]])
    with pytest.raises(StateError, match="origin"):
        section_request(origin=[0, 0, float("nan")])
