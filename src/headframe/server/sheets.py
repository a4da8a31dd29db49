"""What a page fetches once a scene, made by the physics process when the scene is made."""

from __future__ import annotations

from ..machine import Machine
from ..protocol import write
from .facts_sheet import facts_sheet
from .topology_sheet import topology_sheet

MOST_NODES, MOST_EDGES = 64, 160  # of a graph that is laid out: beyond them it takes minutes


def sheets_of(machine: Machine, scene: int) -> dict[str, bytes]:
    """JSON texts by name; a graph that is too large is left out."""
    robot = machine.robot
    sheets = {"facts": write(facts_sheet(machine, scene)).encode()}
    if len(robot.main_links) <= MOST_NODES and len(robot.joints) + len(robot.groups) <= MOST_EDGES:
        sheets["topology"] = write(topology_sheet(machine, scene)).encode()
    return sheets
