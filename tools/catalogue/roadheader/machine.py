"""The roadheader's cylinders and joints, and the whole machine."""

from __future__ import annotations

import kit as k

from headframe.description import Joint, Link, Provenance, Robot

from . import pins
from .body import main_body, rear_frame
from .boom import boom, cutter_head, cutting_drum, turret
from .loading import gathering_arm, shovel_plate, stabiliser
from .running import conveyor, crawler

SLEW_RANGE = (-pins.SLEW_RANGE, pins.SLEW_RANGE)

BOOM_RAM = k.Ram(bore=0.18, pressure=25e6, speed=0.06, acceleration=0.3, color=k.YELLOW)
ARM_RAM = k.Ram(bore=0.125, pressure=25e6, speed=0.05, acceleration=0.3, color=k.YELLOW)
JACK = k.Ram(bore=0.14, pressure=25e6, speed=0.04, acceleration=0.3, color=k.YELLOW)
PLAY = 0.001  # of a group's followers [m]


def boom_cylinders() -> list[k.Cylinder]:
    """Make the cylinders that slew and lift the boom and push the arm out of it."""
    reach = pins.HEAD[0] + pins.TELE_HEAD[0] - pins.TELE_BOOM[0]
    return [
        *k.pair(
            "slew",
            ("main_body", pins.SLEW_BODY),
            ("turret", pins.SLEW_TURRET),
            k.strokes(pins.SLEW, pins.SLEW_BODY, pins.SLEW_TURRET, SLEW_RANGE, k.Z),
            BOOM_RAM,
            group="slew",
            axis=k.Z,
            play=PLAY,
        ),
        *k.pair(
            "boom",
            ("turret", pins.LIFT_TURRET),
            ("boom", pins.LIFT_BOOM),
            k.strokes(pins.BOOM, pins.LIFT_TURRET, pins.LIFT_BOOM, pins.BOOM_RANGE, k.UP),
            BOOM_RAM,
            group="boom",
            play=PLAY,
        ),
        k.cylinder(
            "telescope",
            ("boom", pins.TELE_BOOM),
            ("cutter_head", pins.TELE_HEAD),
            (reach + pins.TELE_RANGE[0], reach + pins.TELE_RANGE[1]),
            ARM_RAM,
        ),
    ]


def jacks() -> list[k.Cylinder]:
    """Make the jacks of shovel plate and stabilisers."""
    leg = k.strokes(pins.LEG, pins.JACK_BODY, pins.JACK_LEG, pins.LEG_RANGE, k.UP)
    return [
        *k.pair(
            "apron",
            ("main_body", pins.APRON_BODY),
            ("shovel_plate", pins.APRON_PLATE),
            k.strokes(pins.APRON, pins.APRON_BODY, pins.APRON_PLATE, pins.APRON_RANGE, k.UP),
            JACK,
            group="shovel_plate",
            play=PLAY,
        ),
        *(
            k.cylinder(
                f"stabiliser_{side}_jack",
                ("main_body", k.on_side(pins.JACK_BODY, side)),
                (f"stabiliser_{side}", pins.JACK_LEG),
                leg,
                JACK,
                group=f"stabiliser_{side}",
            )
            for side in k.SIDES
        ),
    ]


def links() -> list[Link]:
    """Make the main links."""
    return [
        main_body(),
        turret(),
        boom(),
        cutter_head(),
        shovel_plate(),
        *(stabiliser(f"stabiliser_{side}") for side in k.SIDES),
        cutting_drum(),
        *(gathering_arm(f"gathering_arm_{side}", sign) for side, sign in k.SIDES.items()),
        rear_frame(),
        conveyor(),
        *(crawler(f"crawler_{side}", sign) for side, sign in k.SIDES.items()),
    ]


def hinge(name: str, child: str, at: k.Point, ends: tuple[float, float], damping: float) -> Joint:
    """Make a hinge on the main body that raises what lies in front of it."""
    return k.revolute(name, "main_body", child, at, axis=k.UP, limit=k.wide(ends), damping=damping)


def joints() -> list[Joint]:
    """Make the joints: those that cylinders move, those that motors spin, the fixed ones."""
    slew, boom, tele = k.wide(SLEW_RANGE), k.wide(pins.BOOM_RANGE), k.wide(pins.TELE_RANGE, 0.005)
    stars = [
        k.continuous(
            f"gathering_{side}_spin",
            "shovel_plate",
            f"gathering_arm_{side}",
            k.on_side(pins.STAR, side),
            axis=k.Z,
            rpy=(0.0, pins.APRON_SLOPE, 0.0),
            damping=20.0,
        )
        for side in k.SIDES
    ]
    return [
        k.revolute(
            "slewing", "main_body", "turret", pins.SLEW, axis=k.Z, limit=slew, damping=2_000.0
        ),
        k.revolute("pitching", "turret", "boom", pins.BOOM, axis=k.UP, limit=boom, damping=2_000.0),
        k.prismatic("telescoping", "boom", "cutter_head", pins.HEAD, limit=tele, damping=5_000.0),
        hinge("apron_hinge", "shovel_plate", pins.APRON, pins.APRON_RANGE, 1_000.0),
        *(
            hinge(
                f"stabiliser_{side}_hinge",
                f"stabiliser_{side}",
                k.on_side(pins.LEG, side),
                pins.LEG_RANGE,
                500.0,
            )
            for side in k.SIDES
        ),
        k.continuous("cutting", "cutter_head", "cutting_drum", axis=k.X, damping=50.0),
        *stars,
        k.fixed("rear_frame_bolts", "main_body", "rear_frame", pins.REAR),
        k.fixed("conveyor_bolts", "main_body", "conveyor"),
        *(k.fixed(f"crawler_{side}_bolts", "main_body", f"crawler_{side}") for side in k.SIDES),
    ]


def provenance() -> list[Provenance]:
    """State where the figures come from."""
    return [
        k.estimated(
            "envelope",
            "sized after the EBZ160-class outline (length 10.4 m, apron 3.0 m, body 2.3 m wide; "
            "a weak figure) and stretched to the 230-kW class; no drawing was used",
        ),
        k.estimated(
            "pins, strokes and joint ranges",
            "no cylinder data of this class are public; pins placed so that every stroke is "
            "over a quarter of the closed length and no cylinder comes within 15 degrees of "
            "its hinge's dead centre",
        ),
        k.estimated(
            "masses and inertias",
            "from the shapes' volumes, scaled link by link to a total of about 70 t",
        ),
        k.estimated(
            "bores, forces and speeds",
            "standard bores at 25 MPa; force = piston area times pressure",
        ),
        k.estimated("cutting motor", "230 kW from the class name at an assumed 46 rpm: 48 kN m"),
        k.estimated("gathering motors", "18 kW each at 30 rpm"),
    ]


def build() -> Robot:
    """Build the machine."""
    return k.robot(
        "roadheader",
        "roadheader",
        "cutter_head",
        home={
            "slewing": 0.0,
            "pitching": 0.12,
            "telescoping": 0.15,
            "apron_hinge": 0.0,
            "stabiliser_left_hinge": 0.0,
            "stabiliser_right_hinge": 0.0,
            "cutting": 0.0,
            "gathering_left_spin": 0.0,
            "gathering_right_spin": 0.0,
        },
        links=links(),
        joints=joints(),
        cylinders=[*boom_cylinders(), *jacks()],
        motors=[
            k.motor("cutting_motor", "cutting", 48_000.0, 4.8),
            k.motor("gathering_left_motor", "gathering_left_spin", 5_700.0, 3.14),
            k.motor("gathering_right_motor", "gathering_right_spin", 5_700.0, 3.14),
        ],
        provenance=provenance(),
        looks=True,
    )
