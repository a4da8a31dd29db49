"""The topology in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..errors import escaped

if TYPE_CHECKING:
    from .graph import Topology
    from .iteps import Itep

MEANING = {
    "A": "prismatic",
    "B": "revolute",
    "C": "four-bar",
    "D": "generalized four-bar",
    "?": "out of scope, left to the general solver",
}


def counted(counts: Mapping[str, int]) -> str:
    """Counts in words: "4 links, 6 joints, 1 actuator"."""
    return ", ".join(
        f"{count} {kind.removesuffix('s') if count == 1 else kind}"
        for kind, count in counts.items()
    )


def topology_text(topology: Topology) -> str:
    """Counts, four-bars, generalized joints and ITEPs, line by line."""
    robot, names = topology.robot, topology.cluster_names
    found = topology.contraction
    lines = [f"{robot.name}: {counted(topology.counts)}, {len(robot.groups)} groups"]
    lines += [f"  four-bar  [{', '.join(names[n] for n in f.links)}]" for f in found.four_bars]
    lines += [f"  loop      {name}: no planar four-bar" for name in found.leftover]
    lines += [
        f"  generalized joint  {names[edge.parent]} -> {names[edge.child]}"
        for edge in found.edges
        if edge.kind == "generalized"
    ]
    lines += [f"  {itep_text(topology, itep)}" for itep in topology.iteps]
    return "\n".join(map(escaped, lines))


def itep_text(topology: Topology, itep: Itep) -> str:
    """One ITEP: group, members, type, path and driving variable."""
    robot, names = topology.robot, topology.cluster_names
    members = ", ".join(robot.actuators[i].name for i in robot.groups[itep.group])
    path = " - ".join(names[n] for n in itep.path)
    text = f"{robot.group_names[itep.group]} ({members}): type {itep.type}, {MEANING[itep.type]}"
    if path:
        text += f"; {path}"
    if itep.driving >= 0:
        text += f"; drives {robot.joints[itep.driving].name}"
    if itep.locked_by >= 0:
        text += f"; loop closed by {robot.group_names[itep.locked_by]}"
    return text + (f"; {itep.reason}" if itep.reason else "")
