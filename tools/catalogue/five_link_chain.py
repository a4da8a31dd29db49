"""Five links on hinges with dry friction, hung on a column and held level at the start.

The scene of Figure 4 of the paper on sequential impulses: let go, the chain swings under gravity,
and friction brings it to rest hanging down. It swings in the plane y = 0 beside the column. Joint
values are 0 with the chain level along +x, and positive downwards.
"""

from __future__ import annotations

import kit as k

from headframe.description import Joint, Link, Robot

LINKS = 5
LENGTH = 0.40  # between hinges [m]
HINGE = (0.0, 0.0, 2.35)  # the first one, on the column [m]
MASS = 2.0  # of a link [kg]
FRICTION = 0.4  # of a hinge for every link that it carries [N m]
PAINTS = (k.ORANGE, k.BLUE)


def column() -> Link:
    """Make the column with its foot and the bearing of the first hinge."""
    x, _, z = HINGE
    side = 0.24  # of the column's middle from the chain's plane
    shapes: k.Shapes = [
        k.box((0.70, 0.70, 0.06), (x, side, 0.03), k.DARK_GREY, "foot"),
        k.box((0.16, 0.16, z + 0.12), (x, side, (z + 0.12) / 2), k.LIGHT_GREY, "column"),
        k.box((0.20, 0.20, 0.03), (x, side, z + 0.13), k.DARK_GREY, "cap"),
        [
            k.beam((x + a, side + b, 0.05), (x + 0.3 * a, side + 0.3 * b, 0.40), 0.03, 0.03, k.GREY)
            for a in (-0.28, 0.28)
            for b in (-0.28, 0.28)
        ],
        k.rod((x, -0.05, z), (x, side, z), 0.028, k.CHROME, "shaft"),
        k.rod((x, 0.09, z), (x, side, z), 0.055, k.DARK_GREY, "bearing"),
    ]
    touch = [k.box((0.16, 0.16, z), (x, side, z / 2))]
    return k.link("column", shapes, mass=90.0, collision=touch)


def chain_link(number: int) -> Link:
    """Make a link: frame at its hinge, along +x; every other one is a fork around the others."""
    paint = PAINTS[number % 2]
    layers = (0.0,) if number % 2 else (-0.035, 0.035)
    last = number == LINKS
    shapes: k.Shapes = [
        [
            [
                k.beam((0, y, 0), (LENGTH, y, 0), 0.024, 0.05, paint, "bar"),
                k.pin((0, y, 0), 0.042, 0.028, paint, "eye"),
                k.pin((LENGTH, y, 0), 0.042, 0.028, paint, "eye"),
            ]
            for y in layers
        ],
        [] if last else k.pin((LENGTH, 0, 0), 0.018, 0.12, k.CHROME, "pin"),
    ]
    touch = [k.capsule((0, 0, 0), (LENGTH, 0, 0), 0.045)]
    return k.link(f"link_{number}", shapes, mass=MASS, collision=touch)


def hinges() -> list[Joint]:
    """Make the hinges, numbered as in the paper."""
    names = ["column", *(f"link_{n}" for n in range(1, LINKS + 1))]
    return [
        k.revolute(
            f"hinge_{n}",
            names[n - 1],
            names[n],
            HINGE if n == 1 else (LENGTH, 0.0, 0.0),
            friction=round(FRICTION * (LINKS + 1 - n), 3),
        )
        for n in range(1, LINKS + 1)
    ]


def build() -> Robot:
    """Build the model."""
    return k.robot(
        "five_link_chain",
        "model",
        f"link_{LINKS}",
        home={f"hinge_{n}": 0.0 for n in range(1, LINKS + 1)},
        links=[column(), *(chain_link(n) for n in range(1, LINKS + 1))],
        joints=hinges(),
        provenance=[
            k.estimated(
                "everything",
                "model of Figure 4 of Mikhaylyuk, Strashnov and Timokhin (2017), which prints no "
                "sizes: five equal links of 0.4 m and 2 kg",
            ),
            k.estimated(
                "friction",
                "in proportion to the weight that a hinge carries, 2.0 to 0.4 N m: the chain comes "
                "to rest hanging down after about half a minute",
            ),
        ],
    )
