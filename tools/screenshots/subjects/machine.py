"""One's own machine."""

from __future__ import annotations

import json

from headframe.description.archive import pack
from headframe.description.jsonc import parse

from ..files import ROOT
from ..studio import Studio


def take_problems(studio: Studio) -> None:
    """An archive with three mistakes in its machine file."""
    described, _ = parse((ROOT / "docs" / "examples" / "lift.json").read_text(encoding="utf-8"))
    described["joints"][0]["parent"] = "basis"
    described["actuators"][0]["bound"] = {"lower": 1.4, "upper": 0.9}
    described["colour"] = "yellow"
    files = {"lift.json": json.dumps(described, indent=2).encode()}
    camera = studio.open("roadheader")
    camera.stop_at(2.0)
    camera.click("tool-machine")
    camera.find("machine-file").set_input_files(
        {"name": "lift.zip", "mimeType": "application/zip", "buffer": pack(files)}
    )
    camera.find("machine-problems").wait_for()
    camera.take("workbench/machine")


PICTURES = {"machine": take_problems}
