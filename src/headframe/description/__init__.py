"""What a machine is, as frozen data; reading, checking and writing MRDF, reading URDF and MJCF."""

from .geometry import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Geometry,
    Material,
    Mesh,
    Sphere,
    Visual,
)
from .loops import closure_pairs
from .model import (
    Actuator,
    Home,
    Inertial,
    Joint,
    Limit,
    Link,
    Motor,
    Provenance,
    Repeater,
    Robot,
    Spring,
)

__all__ = [
    "Actuator",
    "Box",
    "Capsule",
    "Cone",
    "Cylinder",
    "Geometry",
    "Home",
    "Inertial",
    "Joint",
    "Limit",
    "Link",
    "Material",
    "Mesh",
    "Motor",
    "Provenance",
    "Repeater",
    "Robot",
    "Sphere",
    "Spring",
    "Visual",
    "closure_pairs",
]
