"""The shearer's cylinders and joints, and the whole machine."""

from __future__ import annotations

import kit as k

from headframe.description import Joint, Link, Provenance, Robot

from . import pins
from .arms import drum, hub, ranging_arm
from .body import body, cowl, pan_line

AXES = {"left": k.X, "right": k.BACK}  # that raise an arm

ARM_JACK = k.Ram(bore=0.18, speed=0.05, acceleration=0.3, color=k.YELLOW)
COWL_JACK = k.Ram(bore=0.08, pressure=20e6, speed=0.05, acceleration=0.3)
PLAY = 0.001  # of a group's followers [m]


def arm_jacks(side: str) -> list[k.Cylinder]:
    """Make the two jacks under the body that raise one arm: face side and goaf side."""
    lengths = k.strokes(pins.ARM, pins.LIFT_BODY, pins.LIFT_ARM, pins.ARM_RANGE, k.X)
    x = pins.LIFT_BODY[0]
    jacks = [
        k.cylinder(
            f"{side}_arm_{label}",
            ("body", k.on_side((place, *pins.LIFT_BODY[1:]), side)),
            (f"ranging_arm_{side}", k.on_side((place, *pins.LIFT_ARM[1:]), side)),
            lengths,
            ARM_JACK,
            axis=k.X,
            group=f"{side}_arm",
        )
        for label, place in (("face", x), ("goaf", -x))
    ]
    return k.redundant(*jacks, play=PLAY)


def cowl_jacks() -> list[k.Cylinder]:
    """Make the four jacks along the cowl."""
    lengths = k.strokes(pins.COWL, pins.COWL_BODY, pins.COWL_PLATE, pins.COWL_RANGE, k.Y)
    jacks = [
        k.cylinder(
            f"cowl_{i}",
            ("body", (pins.COWL_BODY[0], y, pins.COWL_BODY[2])),
            ("cowl", (pins.COWL_PLATE[0], y, pins.COWL_PLATE[2])),
            lengths,
            COWL_JACK,
            group="cowl",
        )
        for i, y in enumerate(pins.COWL_JACKS, start=1)
    ]
    return k.redundant(*jacks, play=PLAY)


def links() -> list[Link]:
    """Make the main links."""
    return [
        body(),
        *(ranging_arm(f"ranging_arm_{side}", sign) for side, sign in k.SIDES.items()),
        cowl(),
        *(hub(f"cutter_hub_{side}", sign) for side, sign in k.SIDES.items()),
        pan_line(),
        *(drum(f"drum_{side}", sign) for side, sign in k.SIDES.items()),
    ]


def ranging(side: str) -> Joint:
    """Make the hinge of an arm."""
    at, limit = k.on_side(pins.ARM, side), k.wide(pins.ARM_RANGE)
    child = f"ranging_arm_{side}"
    return k.revolute(
        f"ranging_{side}", "body", child, at, axis=AXES[side], limit=limit, damping=2_000.0
    )


def joints() -> list[Joint]:
    """Make the joints."""
    cowl_limit = k.wide(pins.COWL_RANGE)
    hubs = [
        k.fixed(
            f"hub_{side}_bolts",
            f"ranging_arm_{side}",
            f"cutter_hub_{side}",
            k.on_side(pins.HUB, side),
        )
        for side in k.SIDES
    ]
    spins = [
        k.continuous(
            f"cutting_{side}", f"cutter_hub_{side}", f"drum_{side}", axis=AXES[side], damping=50.0
        )
        for side in k.SIDES
    ]
    return [
        *(ranging(side) for side in k.SIDES),
        k.revolute("cowl_hinge", "body", "cowl", pins.COWL, limit=cowl_limit, damping=200.0),
        *hubs,
        k.fixed("pan_line_bolts", "body", "pan_line"),
        *spins,
    ]


def provenance() -> list[Provenance]:
    """State where the figures come from."""
    return [
        k.estimated(
            "total mass",
            "shearers of this class weigh over 90 t, drums stand 7-10 m apart "
            "(medium confidence); the machine without its pans is scaled to 90 t",
        ),
        k.estimated(
            "distribution of the mass",
            "body, arms and drums by volume and by proportion of comparable machines",
        ),
        k.estimated(
            "pins, strokes and arm range",
            "no ranging-arm geometry is public; chosen for cutting heights of 0 to 3.4 m",
        ),
        k.estimated("cowl", "a guard plate along the body with four jacks, of own design"),
        k.estimated("cutting motors", "450 kW each at 30 rpm"),
        k.estimated(
            "bores, forces and speeds",
            "standard bores at 31.5 MPa (cowl 20 MPa); force = piston area times pressure",
        ),
    ]


def build() -> Robot:
    """Build the machine."""
    return k.robot(
        "shearer",
        "shearer",
        "cutter_hub_left",
        home={
            "ranging_left": 0.50,  # the leading drum cuts the roof,
            "ranging_right": -0.06,  # the trailing one the floor
            "cowl_hinge": 0.20,
            "cutting_left": 0.0,
            "cutting_right": 0.0,
        },
        links=links(),
        joints=joints(),
        cylinders=[*arm_jacks("left"), *arm_jacks("right"), *cowl_jacks()],
        motors=[
            k.motor(f"cutting_{side}_motor", f"cutting_{side}", 143_000.0, 3.14) for side in k.SIDES
        ],
        provenance=provenance(),
        looks=True,
    )
