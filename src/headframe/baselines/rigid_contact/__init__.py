"""Rigid bodies that touch, as a complementarity problem: thesis, section 4.1.

To compare the laws of `headframe.contact` with: bodies that do not give way at all, and friction
that sticks or slides without anything between.
"""

from .complementarity import complementary
from .contacts import RigidMotion, dishes, rigid_motion

__all__ = ["RigidMotion", "complementary", "dishes", "rigid_motion"]
