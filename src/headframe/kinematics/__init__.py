"""Forward and inverse kinematics, Jacobians and statics of closed-chain machines."""

from .batch import FKBatch, IKBatch
from .inverse.solve import IKResult
from .model import Kinematics, make_kinematics
from .stroke import Stroke

__all__ = ["FKBatch", "IKBatch", "IKResult", "Kinematics", "Stroke", "make_kinematics"]
