"""Where the roadheader's links meet, and how far its hinges turn."""

from __future__ import annotations

import math

# Pins, each in the axes of the link named [m].
SLEW = (1.30, 0.0, 1.00)  # slewing axis, on the body
BOOM = (0.35, 0.0, 0.50)  # boom foot pin, on the turret
HEAD = (3.85, 0.0, 0.0)  # middle of the drum with the arm retracted, on the boom
APRON = (1.75, 0.0, 0.38)  # hinge of the shovel plate, on the body
LEG = (-2.55, 1.02, 0.62)  # hinge of the left stabiliser, on the body

SLEW_BODY, SLEW_TURRET = (-0.05, 0.85, 1.20), (0.25, 0.62, 0.20)
LIFT_TURRET, LIFT_BOOM = (0.45, 0.52, -0.35), (1.75, 0.52, -0.30)
TELE_BOOM, TELE_HEAD = (1.10, 0.0, 0.54), (-0.85, 0.0, 0.54)
APRON_BODY, APRON_PLATE = (1.95, 0.78, 0.98), (0.60, 0.78, 0.05)
JACK_BODY, JACK_LEG = (-2.75, 1.02, 1.45), (-0.75, 0.0, 0.0)

# Ranges of the joints at the ends of the strokes [rad, m].
SLEW_RANGE = math.radians(33.0)
BOOM_RANGE = (math.radians(-17.0), math.radians(38.0))
TELE_RANGE = (0.0, 0.55)
APRON_RANGE = (math.radians(-8.0), math.radians(11.0))
LEG_RANGE = (math.radians(-8.0), math.radians(30.0))
APRON_SLOPE = math.atan2(0.46, 1.70)  # of the shovel plate, down to the front
REAR = (-2.20, 0.0, 0.0)  # origin of the rear frame, on the body
STAR = (1.12, 0.78, -0.10)  # left gathering arm's axis, on the shovel plate
