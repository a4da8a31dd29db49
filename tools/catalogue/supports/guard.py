"""The face guard that is driven through a four-bar."""

from __future__ import annotations

from dataclasses import dataclass

import kit as k
from planar import direction, meeting, turned

from headframe.description import Joint, Link

from .lemniscate import AXIS, hinge, in_plane
from .paint import BODY, LEG, LINK

# All in the plane y = 0, x and z [m].
ROCKER_PIN = (-0.245, 0.115)  # the rocker on the carrier, from the nose
ROCKER = 0.275  # lengths of the rocker
COUPLER = 0.25  # ... and of the link
ARM = (0.295, -0.052)  # the link's pin on the plate, from the hinge, in plate axes
JACK_ARM = (0.215, 0.145)  # the jack on the rocker, in rocker axes
JACK_BASE = (-1.03, 0.02)  # the jack on the carrier, from the nose
JACK_LENGTHS = (0.65, 0.95)
LENGTH, WIDTH = 0.95, 1.40  # of the plate


@dataclass(frozen=True)
class Guard:
    """The face guard's four-bar on the nose of a link.

    The jack pushes a hanging rocker, the rocker pushes the plate through a short link, the plate
    hinges at the nose. Found by a random search: over plate angles of -84 to -149 degrees from
    the carrier's x axis the sines of all transmission angles stay above 0.7.

    Attributes:
        carrier: The link that carries it.
        nose: The plate's hinge in the carrier, x and z [m].
    """

    carrier: str
    nose: tuple[float, float]

    def home(self, plate_angle: float) -> dict[str, float]:
        """Give joint values [rad] for an angle of the plate from the carrier's x axis [rad]."""
        arm = turned(ARM, plate_angle)
        elbow = meeting(ROCKER_PIN, ROCKER, arm, COUPLER, left=False)
        rocker, link = direction(ROCKER_PIN, elbow), direction(elbow, arm)
        return {
            f"{self.carrier}_guard_rocker": rocker,
            "guard_rocker_guard_link": link - rocker,
            "guard_link_guard_plate": plate_angle - link,
        }

    def joints(self) -> list[Joint]:
        """Make three tree joints and the closure at the plate's hinge."""
        on_plate = (-ARM[0], 0, -ARM[1])
        return [
            hinge(self.carrier, "guard_rocker", self._from_nose(ROCKER_PIN)),
            hinge("guard_rocker", "guard_link", (ROCKER, 0.0)),
            hinge("guard_link", "guard_plate", (COUPLER, 0.0)),
            *k.closure(self.carrier, "guard_plate", in_plane(self.nose), on_plate, axis=AXIS),
        ]

    def links(self) -> list[Link]:
        """Make rocker, link and plate."""
        return [_rocker(), _coupler(), _plate()]

    def jack(self) -> k.Cylinder:
        """Make the single jack between the carrier and the rocker."""
        return k.cylinder(
            "face_guard_jack",
            (self.carrier, in_plane(self._from_nose(JACK_BASE))),
            ("guard_rocker", in_plane(JACK_ARM)),
            JACK_LENGTHS,
            k.Ram(bore=0.10, rod_diameter=0.07, speed=0.12, acceleration=0.6, color=LEG),
        )

    def nose_shapes(self) -> list[k.Shape]:
        """Shape the carrier's brackets: the plate's hinge, the rocker's pin, the jack's foot."""
        x, z = self.nose
        rx, rz = self._from_nose(ROCKER_PIN)
        jx, jz = self._from_nose(JACK_BASE)
        return k.both(
            k.beam((x - 0.04, 0.38, z + 0.16), (x, 0.38, z), 0.05, 0.11, BODY),
            k.pin((x, 0.38, z), 0.06, 0.05, BODY),
            k.pin((rx, 0.17, rz), 0.08, 0.05, BODY),
            k.box((0.22, 0.05, 0.14), (rx, 0.17, rz + 0.06), BODY),
            k.box((0.20, 0.05, 0.18), (jx, 0.10, jz + 0.06), BODY),
        )

    def _from_nose(self, point: tuple[float, float]) -> tuple[float, float]:
        """Give a point in carrier axes whose place from the nose is known [m]."""
        return round(self.nose[0] + point[0], 6), round(self.nose[1] + point[1], 6)


def panel(hinge_at: tuple[float, float], length: float, width: float, rib: float) -> list[k.Shape]:
    """Shape a guard plate with its lip and ribs.

    Args:
        hinge_at: Its hinge, x and z [m].
        length: Length down from there [m].
        width: Width [m].
        rib: y of the left inner rib [m].
    """
    x, z = hinge_at
    middle = x + 0.05 + length / 2
    return [
        k.box((length, width, 0.04), (middle, 0, z + 0.045), k.RED, "plate"),
        k.box((0.05, width, 0.09), (x + length, 0, z + 0.02), k.RED, "lip"),
        *k.both(
            k.box((length - 0.1, 0.05, 0.08), (middle, rib, z), k.ORANGE),
            k.box((length - 0.1, 0.05, 0.08), (middle, 0.62, z), k.ORANGE),
        ),
    ]


def _rocker() -> Link:
    """Make the triangle between carrier, jack and link."""
    x, z = JACK_ARM
    shapes: k.Shapes = [
        k.both(
            k.beam((0, 0.085, 0), (ROCKER, 0.085, 0), 0.03, 0.09, LINK),
            k.beam((0, 0.085, 0), (x, 0.085, z), 0.03, 0.08, LINK),
            k.beam((x, 0.085, z), (ROCKER, 0.085, 0), 0.03, 0.07, LINK),
        ),
        k.pin((0, 0, 0), 0.055, 0.30),
        k.pin((ROCKER, 0, 0), 0.045, 0.24),
    ]
    return k.link("guard_rocker", shapes, fill=0.9)


def _coupler() -> Link:
    """Make the short link between rocker and plate."""
    shapes: k.Shapes = [
        k.both(
            k.beam((0, 0.045, 0), (COUPLER, 0.045, 0), 0.03, 0.08, k.RED),
            k.pin((0, 0.045, 0), 0.06, 0.035, k.RED),
            k.pin((COUPLER, 0.045, 0), 0.06, 0.035, k.RED),
        ),
        k.pin((COUPLER, 0, 0), 0.04, 0.24),
    ]
    return k.link("guard_link", shapes, fill=0.9)


def _plate() -> Link:
    """Make the plate, whose frame sits at the link's pin."""
    x, z = -ARM[0], -ARM[1]  # the hinge
    shapes: k.Shapes = [
        panel((x, z), LENGTH, WIDTH, 0.28),
        k.both(
            k.pin((x, 0.28, z), 0.06, 0.14, k.RED),
            k.beam((x + 0.17, 0.135, z + 0.01), (0, 0.135, 0), 0.03, 0.12, k.ORANGE),
        ),
        k.box((0.06, 1.20, 0.07), (x + 0.62, 0, z), k.ORANGE),
        k.pin((x, 0, z), 0.035, 0.80),
    ]
    touch = [k.box((LENGTH, WIDTH, 0.1), (x + 0.05 + LENGTH / 2, 0, z + 0.02))]
    return k.link("guard_plate", shapes, mass=620.0, collision=touch)
