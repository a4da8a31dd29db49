"""A format that is added in one place is found by command line, server and page."""

import asyncio

import httpx
import pytest
from played import played_app, said_by_physics
from typer.testing import CliRunner

import headframe as hf
from headframe.cli.main import app as commands
from headframe.errors import ExportError
from headframe.export import FORMATS, ExportFormat, format_for, format_named, register_format
from headframe.server.exporting import export_machine
from headframe.server.messages import SceneReport
from headframe.server.routes import export


def write_count(machine, path):
    path.write_text(f"{len(machine.robot.links)} links")
    return ["Only the number of links is told."]


COUNT = ExportFormat(
    "count", "Count", (".count",), "application/x-count", "how many links", "all the rest",
    write_count, aliases=("counted",),
)  # fmt: skip


@pytest.fixture
def count(monkeypatch):
    for name in tuple(FORMATS):  # all come back when the test is over
        monkeypatch.setitem(FORMATS, name, FORMATS[name])
    monkeypatch.setitem(FORMATS, "count", COUNT)
    del FORMATS["count"]
    register_format(COUNT)


def test_a_format_is_found_on_the_command_line(count, tmp_path):
    for given in ((tmp_path / "door.count",), (tmp_path / "door.txt", "--to", "Counted")):
        done = CliRunner().invoke(commands, ["convert", "door", "-o", *map(str, given)])
        assert done.exit_code == 0, done.output
        assert "as count" in done.stdout
        assert "Only the number of links" in done.stderr
        assert given[0].read_text() == f"{len(hf.load('door').robot.links)} links"


def test_a_format_is_found_by_python(count, tmp_path):
    assert hf.load("door").export(tmp_path / "x", "count") == ["Only the number of links is told."]


def test_a_format_is_found_by_server_and_page(count, tmp_path, monkeypatch):
    said = said_by_physics(ticks=1)
    (scene,) = [one.scene for one in said if isinstance(one, SceneReport)]
    assert [one.name for one in scene.formats] == list(FORMATS)
    last = scene.formats[-1]  # which the page shows: it has no list of its own
    assert (last.title, last.text, last.lacks) == ("Count", "how many links", "all the rest")
    app, access = played_app(tmp_path, said, monkeypatch)

    async def here(machine, form, reading):
        return export_machine(machine, form, reading)

    monkeypatch.setattr(export, "export_in_process", here)

    async def ask(form):
        token = access.tokens["operator"]
        headers = {"authorization": f"Bearer {token}"}
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1:8710", headers=headers
        ) as client:
            return await client.get("/machine/export", params={"form": form})

    answer = asyncio.run(ask("count"))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-count")
    assert 'filename="door.count"' in answer.headers["content-disposition"]
    assert answer.text.endswith("links")
    refused = asyncio.run(ask("conut"))
    assert refused.status_code == 400
    assert "did you mean 'count'?" in refused.json()["error"]


def test_names_and_suffixes_are_one_formats_own():
    for taken in ({"name": "glb"}, {"suffixes": (".xml",)}, {"aliases": ("urdf",)}):
        given = {"name": "new", "suffixes": (".new",), "aliases": ()} | taken
        new = ExportFormat(
            given["name"], "New", given["suffixes"], "text/plain", "", "", write_count,
            given["aliases"],
        )  # fmt: skip
        with pytest.raises(ExportError, match=r"is the (name|suffix) of"):
            register_format(new)
    assert "new" not in FORMATS


def test_formats_are_known_by_name_and_suffix():
    assert format_named("glb") is format_for("a.gltf") is FORMATS["gltf"]
    assert format_for("a.ZIP") is FORMATS["zip"]
    with pytest.raises(ExportError, match=r"suffix '.stl' is none of .zip, .json"):
        format_for("a.stl")
    with pytest.raises(ExportError, match="did you mean 'urdf'"):
        format_named("urfd")
