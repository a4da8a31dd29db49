"""Materials by what happens where they touch: stiffness, restitution and friction.

A material is given for one of two bodies; room `contact` says what a pair of them does.
"""

from __future__ import annotations

from typing import Literal

from ..errors import MissingFieldError, ValueRangeError
from .geometry import Element, Fraction, Name, NotNegative, Number, Positive
from .jsonc import Findings, Path

HERTZ = 1.5  # exponent of round elastic bodies
USUAL_POISSON = 0.3
SHIPPED_MATERIALS = ("steel", "rubber", "wood", "concrete", "rock", "ground")
USUAL_MATERIAL = "steel"  # where a machine's shape names none
USUAL_TRANSITION = 1e-3  # [m/s]

# how bodies resist being pressed into each other; of two materials the later law counts
NormalLaw = Literal["hunt-crossley", "lankarani", "printed", "kelvin-voigt", "volumetric"]
# how bristles hold and slip; of two materials the later law counts
FrictionLaw = Literal["return-map", "stiction-point"]


class Friction(Element):
    """Dry friction by its coefficients before and while it slides, and viscous [N s/m].

    With the `law` "stiction-point" sticking passes into sliding about the speed `transition` [m/s]
    (0.001 if absent), and bristles at their limit are bent by `strain` of what bends them to it (1
    if absent).
    """

    static: NotNegative
    dynamic: NotNegative
    viscous: NotNegative = 0.0
    law: FrictionLaw = "return-map"
    transition: Positive | None = None
    strain: Fraction | None = None


class Bristle(Element):
    """What holds a contact that sticks: a spring [N/m] with a damper [N s/m]."""

    stiffness: Positive
    damping: NotNegative = 0.0


USUAL_BRISTLE = Bristle(stiffness=2e8, damping=2e5)


class ContactMaterial(Element):
    """A material where it touches another.

    Either Young's modulus `young` [Pa] and Poisson's ratio `poisson` (0.3 if absent), from which
    the stiffness follows with the curvatures of the two surfaces (Hertz: force grows with
    depth^1.5), or the `stiffness` [N/m^exponent] of this body's surface itself, whatever its
    curvature.
    `restitution` is the ratio of the speeds after and before an impact, which the `law`
    "hunt-crossley" keeps; the others are to compare with. "kelvin-voigt" has a `damping` [N s/m] in
    its place. With "volumetric" an elastic skin is pressed in, whose modulus by its thickness is
    the `foundation` [N/m^3], in place of `young` and `stiffness`. A `bristle` that is not given is
    stiff, as that of steel: what sticks then hardly moves.
    """

    name: Name
    young: Positive | None = None
    poisson: Number | None = None
    stiffness: Positive | None = None
    exponent: Positive = HERTZ
    restitution: Fraction
    friction: Friction
    bristle: Bristle = USUAL_BRISTLE
    law: NormalLaw = "hunt-crossley"
    damping: Positive | None = None
    foundation: Positive | None = None


def check_material(material: ContactMaterial, path: Path, outcome: Findings) -> None:
    """What takes more than one figure of a material to judge."""
    own = f"material {material.name!r}"
    if material.law == "volumetric":
        _check_foundation(material, own, path, outcome)
    else:
        _check_elastic(material, own, path, outcome)
    _check_damping(material, own, path, outcome)
    _check_friction(material, own, path, outcome)


def _check_foundation(material: ContactMaterial, own: str, path: Path, outcome: Findings) -> None:
    if material.foundation is None:
        message = f"the field 'foundation' is missing in {own}, expected it with the law volumetric"
        outcome.complain(MissingFieldError, path, message)
    for key in ("young", "poisson", "stiffness"):
        if getattr(material, key) is not None:
            message = f"found {key} with the law volumetric in {own}, expected foundation alone"
            outcome.complain(ValueRangeError, (*path, key), message)


def _check_elastic(material: ContactMaterial, own: str, path: Path, outcome: Findings) -> None:
    if material.foundation is not None:
        message = f"found foundation with the law {material.law} in {own}, expected volumetric"
        outcome.complain(ValueRangeError, (*path, "foundation"), message)
    if material.young is not None and material.stiffness is not None:
        message = f"found both young and stiffness in {own}, expected one of them"
        outcome.complain(ValueRangeError, (*path, "stiffness"), message)
    if material.young is None and material.stiffness is None:
        message = f"the field 'young' or 'stiffness' is missing in {own}, expected one of them"
        outcome.complain(MissingFieldError, path, message)
    if material.poisson is not None and material.young is None:
        message = f"found poisson without young in {own}, expected both or neither"
        outcome.complain(ValueRangeError, (*path, "poisson"), message)
    if material.poisson is not None and not -1.0 < material.poisson <= 0.5:
        message = f"found {material.poisson:g} in {own}, expected more than -1 and at most 0.5"
        outcome.complain(ValueRangeError, (*path, "poisson"), message)
    if material.young is not None and material.exponent != HERTZ:
        message = f"found {material.exponent:g} in {own}, expected {HERTZ:g} with young"
        hint = "give the stiffness itself in place of young for another exponent"
        outcome.complain(ValueRangeError, (*path, "exponent"), message, hint)
    if not 0.5 <= material.exponent <= 5.0:
        message = f"found {material.exponent:g} in {own}, expected 0.5 to 5"
        outcome.complain(ValueRangeError, (*path, "exponent"), message)


def _check_damping(material: ContactMaterial, own: str, path: Path, outcome: Findings) -> None:
    if material.law == "kelvin-voigt" and material.damping is None:
        message = f"the field 'damping' is missing in {own}, expected it with the law kelvin-voigt"
        hint = "headframe.contact.kelvin_voigt_damping gives one, of a restitution and a mass"
        outcome.complain(MissingFieldError, path, message, hint)
    if material.law != "kelvin-voigt" and material.damping is not None:
        message = f"found damping with the law {material.law} in {own}, expected kelvin-voigt"
        outcome.complain(ValueRangeError, (*path, "damping"), message)


def _check_friction(material: ContactMaterial, own: str, path: Path, outcome: Findings) -> None:
    static, dynamic = material.friction.static, material.friction.dynamic
    if static < dynamic:
        message = f"found {static:g} below dynamic {dynamic:g} in {own}, expected at least that"
        outcome.complain(ValueRangeError, (*path, "friction", "static"), message)
    friction = material.friction
    for key in ("transition", "strain"):
        if friction.law == "return-map" and getattr(friction, key) is not None:
            message = f"found {key} with the law return-map in {own}, expected stiction-point"
            outcome.complain(ValueRangeError, (*path, "friction", key), message)
