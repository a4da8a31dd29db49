"""Loops and what drives them."""

from __future__ import annotations

from ..studio import Studio


def take_topology(studio: Studio) -> None:
    """The balance jack of a shield support: what it moves, in the graph and in the picture."""
    camera = studio.open("sths")
    camera.stop_at(2.0)
    camera.click("tool-topology", "topology-stage-contracted", "topology-group-balance_jack")
    camera.find("topology-graph").wait_for()
    camera.take("workbench/topology")


PICTURES = {"topology": take_topology}
