"""Timing of a scene's ticks: what is counted, and how it is told."""

import json

from headframe.bench.server import convoy


def test_ticks_of_a_scene(tmp_path):
    path = tmp_path / "bay.json"
    stand = {"name": "s", "machine": "sths", "count": 3, "step": {"xyz": [0, 2, 0]}}
    scene = {"headframe_scene": 1, "name": "bay", "environment": {"kind": "longwall"}}
    path.write_text(json.dumps({**scene, "machines": [stand]}))
    still, moving = (convoy.measure(str(path), 20, every) for every in (False, True))
    assert (still.units, still.selected, moving.selected) == (3, 0, 3)
    assert len(moving.times) == 20
    assert moving.frame > still.frame
    assert moving.ring > still.ring > 0
    told = convoy.report("bay", [still, moving])
    assert "| 0 of 3 move | 3 of 3 move |" in told
    assert "tick, median [ms]" in told
