"""Looks of the supports: their shapes refined, hoses to the legs, gauges, labels, stripes."""

from __future__ import annotations

import kit as k
import numpy as np
import solids as s
from refining import dress, named, refined

from headframe.description import Robot
from headframe.description.three_dt import Model


def looks(robot: Robot) -> Model:
    """Make the model of a support."""
    made = refined(robot)
    dress(
        made,
        robot,
        [
            ("stripes", "base", "toe_left", "+z", 7),
            ("stripes", "base", "toe_right", "+z", 7),
            ("ribs", "base", "pontoon_left", "+y", 7),
            ("ribs", "base", "pontoon_right", "-y", 7),
            ("label", "base", "side_web_left", "+y", 0.30),
            ("label", "base", "side_web_right", "-y", 0.30),
            ("ribs", "shield", "side_plate_left", "+y", 4),
            ("ribs", "shield", "side_plate_right", "-y", 4),
            ("label", "canopy", "side_plate_left", "+y", 0.36),
            ("label", "canopy", "side_plate_right", "-y", 0.36),
            ("bolts", "canopy", "side_plate_left", "+y", 0.30),
            ("bolts", "canopy", "side_plate_right", "-y", 0.30),
            ("bolts", "canopy", "bottom_plate", "-z", 0.25),
            ("stripes", "canopy", "front_web", "+x", 9),
        ],
    )
    gauges(made, robot)
    supply(made, robot)
    lamps(made, robot)
    return made.model()


def gauges(looks: s.Looks, robot: Robot) -> None:
    """Add a pressure gauge and a valve to the foot of every leg."""
    looks.component("cylinder barrels")
    for actuator in robot.actuators:
        if "leg" not in actuator.name:
            continue
        r = 0.61 * (actuator.bore or 0.2)
        at = np.array((0.42, -r, 0.0))
        block = s.block((0.16, 0.09, 0.14), s.off(at, 0, 0.0, 0))
        dial = s.lathe(
            [(0.0, 0.05), (0.035, 0.05), (0.04, 0.042)], s.off(at, 0.13, -0.03, 0), (0, -1, 0), 14
        )
        looks.add(f"{actuator.name} valve", actuator.tube, k.DARK_GREY, block)
        looks.add(f"{actuator.name} gauge", actuator.tube, k.BRASS, dial)
        face = s.lathe([(0.0, 0.04), (0.003, 0.04)], s.off(at, 0.13, -0.07, 0), (0, -1, 0), 14)
        looks.add(f"{actuator.name} gauge face", actuator.tube, k.WHITE, face)


def supply(looks: s.Looks, robot: Robot) -> None:
    """Add the hoses from the valve bank to the legs' heads, and those on the base to their feet."""
    (bank,) = named(robot, "canopy", "valve_bank")
    start = np.array(bank.translation)
    legs = [actuator for actuator in robot.actuators if "leg" in actuator.name]
    looks.component("canopy")
    sections = [
        s.block((0.05, 0.05, 0.10), s.off(start, 0.07 * (i - 1.5), 0, -0.07)) for i in range(4)
    ]
    looks.add("valve sections", "canopy", k.DARK_GREY, *sections)
    ways = []
    for i, leg in enumerate(legs):
        x, y, z = leg.rod_offset
        first = s.off(start, 0.05 * (i - 1.5), 0, -0.10)
        beside = np.array((x - 0.10, y * 0.62, z - 0.02))
        ways.append(
            [
                first,
                0.65 * first + 0.35 * beside + (0, 0, -0.16),
                0.3 * first + 0.7 * beside + (0, 0, -0.10),
                beside,
            ]
        )
    looks.add("leg hoses", "canopy", k.RUBBER, *(s.hose(way, 0.018) for way in ways))
    looks.component("base")
    (bridge,) = named(robot, "base", "bridge")
    centre = s.off(bridge.translation, 0.0, 0.0, 0.22)
    looks.add("manifold", "base", k.DARK_GREY, s.block((0.30, 0.24, 0.12), centre))
    hoses: list[list[k.Point]] = []
    for leg in legs:
        x, y, z = leg.tube_offset
        side = np.sign(y)
        first = s.off(centre, 0.0, 0.11 * side, 0.02)
        way: list[k.Point] = [
            first,
            s.off(first, 0.1, 0.10 * side, 0.05),
            (0.5 * (x + first[0]), 0.26 * side, z + 0.18),
            (x - 0.16, y - 0.16 * side, z + 0.16),
        ]
        hoses.append(way)
    looks.add("base hoses", "base", k.RUBBER, *(s.hose(way, 0.020) for way in hoses))


def lamps(looks: s.Looks, robot: Robot) -> None:
    """Add lamps under the canopy and the walkway's handrails on the base."""
    (plate,) = named(robot, "canopy", "bottom_plate")
    x, _, z = plate.translation
    looks.component("canopy")
    for sign in (-1, 1):
        housing, lens = s.lamp((x + 0.25, 0.22 * sign, z - 0.09), (0.35, 0, -1), 0.055)
        looks.add("lamp housing", "canopy", k.DARK_GREY, housing)
        looks.add("lamp", "canopy", k.WHITE, lens, lamp="yes")
