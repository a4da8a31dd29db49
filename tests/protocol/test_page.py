"""docs/protocol.md says what the code does."""

import re
import tempfile
from dataclasses import fields
from typing import get_args

import numpy as np
import pytest

import headframe as hf
import protocol_page
from headframe.protocol import VERSION, decode, down, encode, up
from headframe.protocol.frame_layout import HEADER, HEADER_FIELDS, MAGIC
from headframe.server.access import Access
from headframe.server.app import make_app
from headframe.server.openapi import description
from headframe.server.settings import ServerSettings

PAGE = protocol_page.PAGE.read_text(encoding="utf-8")
EXAMPLES = protocol_page.ROOT / "docs" / "examples"


def test_tables_are_current():
    assert protocol_page.made(PAGE) == PAGE, "run `make protocol`"


@pytest.mark.parametrize("kind", [*get_args(get_args(up.Up)[0]), *get_args(down.Down)])
def test_every_message_and_field_is_there(kind):
    names = {field.name: field.default for field in fields(kind)}
    section = PAGE.partition(f"### `{names.pop('type')}`\n")[2].partition("\n#")[0]
    assert len(section) > 10
    for name in names:
        assert f"| `{name}` | " in section


def test_bounds_are_told():
    section = PAGE.partition("### `levers`\n")[2].partition("\n### ")[0]
    assert "number, -1 to 1, by name, at most 256" in section
    assert "number, 0 to 1e+09" in section


def test_the_frame_is_a_real_one():
    """Bytes of the page, as a reader would copy them: a frame of the lift at home."""
    rows = re.findall(r"^ *\d+  ((?:[0-9a-f]{2} )*[0-9a-f]{2})  ", PAGE, re.MULTILINE)
    data = bytes.fromhex("".join(rows))
    assert data == protocol_page.frame_bytes()
    frame = decode(data)
    assert encode(frame) == data
    lift = hf.load(EXAMPLES / "lift.json")
    np.testing.assert_allclose(frame.lengths, lift.home.lengths, atol=1e-6)
    platform = [link.name for link in lift.robot.links].index("platform")
    place = lift.home.pose("platform")[:3, 3]
    np.testing.assert_allclose(frame.poses[platform, :3], place, atol=1e-6)
    assert len(data) == 72 + 4 * (7 * 6 + 3 * 1 + 2 * 0 + 3 + 4 + 8 * 0 + 12 * 0 + 0)


@pytest.mark.parametrize("name", ["client.py", "client.mjs"])
def test_clients_know_the_header(name):
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    assert f"{MAGIC:#x}" in text.lower()
    assert re.search(rf", {VERSION}, ", text)
    if name.endswith(".py"):
        assert f'"<{"".join(field.letter for field in HEADER_FIELDS)}"' in text
    else:
        assert f", {HEADER}, " in text


def test_every_route_is_in_the_table_with_its_codes(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    access = Access(8710)
    told = description(make_app(ServerSettings(recordings=tmp_path), access), access)["paths"]
    rows = {}
    for line in PAGE.splitlines():
        if found := re.match(r"\| `([A-Z]+) (/[^`?]*)[^`]*` \|.*\| ([\d, ]+) \|$", line):
            rows[found[1], found[2]] = {code.strip() for code in found[3].split(",")}
    assert rows.pop(("GET", "/openapi.json"))
    everywhere = {"403", "503", "507"}
    for path, methods in told.items():
        for method, operation in methods.items():
            codes = set(operation["responses"]) - everywhere
            assert rows.pop((method.upper(), path)) == codes, (method, path)
    assert rows == {}
