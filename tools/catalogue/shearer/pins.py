"""Where the shearer's links meet, and how far its hinges turn."""

from __future__ import annotations

import math

# Pins of the left side, each in the axes of the link named [m]; the right side is mirrored.
ARM = (0.0, 2.75, 1.00)  # hinge of the ranging arm, on the body
HUB = (1.22, 2.40, 0.0)  # middle of the drum, on the arm
LIFT_BODY, LIFT_ARM = (0.22, 1.20, 0.50), (0.22, -0.20, -0.56)
COWL = (-0.50, 0.0, 1.62)  # hinge line of the cowl, on the body
COWL_BODY, COWL_PLATE = (0.25, 0.0, 1.62), (0.0, 0.0, 0.65)
COWL_JACKS = (1.65, 0.55, -0.55, -1.65)  # where they stand along the body

ARM_RANGE = (math.radians(-8.0), math.radians(40.0))
COWL_RANGE = (math.radians(0.0), math.radians(35.0))  # from upright towards the face
