"""Double-ended ranging drum shearer for longwall faces.

Two ranging arms and the cowl (the guard plate along the body) hinge on the body; eight cylinders in
redundant groups of 2 + 2 + 4 drive the three hinges. The drums spin on motors. The hubs that carry
the drums are fixed to the arms: the left one is the end effector, so that its pose is the drum's
place.

The face lies in front (+x), the machine travels along y: the left arm points to +y, the right
arm to -y. The floor is z = 0. Machine and pan line form one picture; the pans are a fixed link.
"""

from dressed import shearer as looks

from .machine import build

__all__ = ["build", "looks"]
