"""What a machine is, as frozen data; reading, checking and writing MRDF, reading URDF and MJCF."""

from .drives import DRIVE_KINDS, Actuator, DriveKind, JointDrive, Motor, RotaryActuator
from .geometry import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Geometry,
    Limit,
    Material,
    Mesh,
    Sphere,
    Visual,
)
from .joint_kinds import JOINT_KINDS, Does, JointKind, Keeps, Motion
from .loops import closure_pairs
from .model import (
    Home,
    Inertial,
    Joint,
    Link,
    Provenance,
    Repeater,
    Robot,
    Spring,
)

__all__ = [
    "DRIVE_KINDS",
    "JOINT_KINDS",
    "Actuator",
    "Box",
    "Capsule",
    "Cone",
    "Cylinder",
    "Does",
    "DriveKind",
    "Geometry",
    "Home",
    "Inertial",
    "Joint",
    "JointDrive",
    "JointKind",
    "Keeps",
    "Limit",
    "Link",
    "Material",
    "Mesh",
    "Motion",
    "Motor",
    "Provenance",
    "Repeater",
    "Robot",
    "RotaryActuator",
    "Sphere",
    "Spring",
    "Visual",
    "closure_pairs",
]
