"""Contact materials that ship, and what a pair of materials does where it touches.

Pairs combine by these rules, which do not depend on the order of the two:

- Both with Young's modulus (Hertz): 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b, of which kernels
  make the stiffness with the curvatures (Johnson, Contact Mechanics, 1985, section 4.2).
- Both with a stiffness, of the same exponent n: springs in series. Both carry the force
  F = k_a d_a^n = k_b d_b^n and the depth is d_a + d_b, so k = (k_a^(-1/n) + k_b^(-1/n))^(-n).
- Both with a stiffness, of different exponents: no power of the depth is exact. The one that is
  softer at a depth of 1 mm gives way alone.
- One with a stiffness, the other with Young's modulus: the stiffness, which is that of a whole
  contact (a tyre, a foot) and does not depend on curvature; the other counts as rigid beside it.
- Restitution: the smaller one. What loses more loses it whatever the other is.
- Friction, static and dynamic: the geometric mean, so that equal materials keep theirs, and what is
  slippery stays so: with 0 on one side it is 0. Static stays at least dynamic.
- Viscous friction: the larger one: a film of grease works whoever brings it.
- Bristles: in series, stiffness and damping alike.
- Laws: who wants another than the usual one has it. Of two such the later one in this order:
  hunt-crossley, lankarani, printed, kelvin-voigt, volumetric; return-map, stiction-point. So a
  material that asks for a law has it beside all that ship.
- Foundations of the volumetric law: in series, since both bear the same pressure; what has none is
  rigid beside it.
- Damping of Kelvin and Voigt: in series if both have one, else that of the one that has it.
- Stiction point: the faster transition and the smaller strain of those that have one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

from ..description import (
    HERTZ,
    SHIPPED_MATERIALS,
    USUAL_POISSON,
    USUAL_TRANSITION,
    Bristle,
    ContactMaterial,
    Friction,
    FrictionLaw,
    NormalLaw,
    Provenance,
)
from ..errors import UnknownElementError
from ..jit import Record, Records, new_records
from .records import FEET, PAIR, FrictionKind
from .restitution import exact_dissipation, lankarani_dissipation, printed_dissipation

NORMAL_LAWS: tuple[NormalLaw, ...] = get_args(NormalLaw)
FRICTION_LAWS: tuple[FrictionLaw, ...] = get_args(FrictionLaw)
DISSIPATIONS: dict[NormalLaw, Callable[[float], float]] = {
    "hunt-crossley": exact_dissipation,
    "lankarani": lankarani_dissipation,
    "printed": printed_dissipation,
    "kelvin-voigt": lambda _: 0.0,  # it has its damping
    "volumetric": exact_dissipation,
}
FRICTION_KINDS: dict[FrictionLaw, FrictionKind] = {
    "return-map": FrictionKind.RETURN_MAP,
    "stiction-point": FrictionKind.STICTION_POINT,
}
REFERENCE_DEPTH = 1e-3  # [m]: where stiffnesses of different exponents are compared


@dataclass(frozen=True)
class PairMaterial:
    """What two materials do where they touch.

    Attributes:
        modulus: E* [Pa], from which the stiffness follows with the curvatures; None where a
            stiffness is given.
        stiffness: force is this times depth^exponent [N/m^exponent]; None where it follows from
            the modulus.
        exponent: of the depth; 1.5 with a modulus, 2 with a foundation, as of round bodies.
        restitution: ratio of the speeds after and before an impact, 0 to 1.
        static: coefficient of friction before it slides, at least `dynamic`.
        dynamic: coefficient of friction while it slides.
        viscous: viscous friction while it slides [N s/m].
        bristle_stiffness: of what holds a contact that sticks [N/m].
        bristle_damping: of the same [N s/m].
        law: of the normal force.
        damping: of Kelvin and Voigt's law [N s/m]; 0 for the others.
        friction_law: how bristles slip.
        transition: of a stiction point, the speed about which sticking passes into sliding [m/s].
        strain: of a stiction point, bend of bristles at their limit by what bends them to it.
        foundation: of the volumetric law [N/m^3]; None for the others.
    """

    modulus: float | None
    stiffness: float | None
    exponent: float
    restitution: float
    static: float
    dynamic: float
    viscous: float
    bristle_stiffness: float
    bristle_damping: float
    law: NormalLaw = "hunt-crossley"
    damping: float = 0.0
    friction_law: FrictionLaw = "return-map"
    transition: float = USUAL_TRANSITION
    strain: float = 1.0
    foundation: float | None = None

    @property
    def dissipation(self) -> float:
        """D of force = elastic force (1 + d rate / speed of approach), by the law."""
        return DISSIPATIONS[self.law](self.restitution)


def pair_of(a: ContactMaterial, b: ContactMaterial) -> PairMaterial:
    """What two materials do where they touch, by the rules above."""
    law = max((a.law, b.law), key=NORMAL_LAWS.index)
    modulus, stiffness, exponent = (None, None, 2.0) if law == "volumetric" else _normal(a, b)
    friction_law = max((a.friction.law, b.friction.law), key=FRICTION_LAWS.index)
    frictions = (a.friction, b.friction)
    return PairMaterial(
        modulus,
        stiffness,
        exponent,
        restitution=min(a.restitution, b.restitution),
        static=math.sqrt(a.friction.static * b.friction.static),
        dynamic=math.sqrt(a.friction.dynamic * b.friction.dynamic),
        viscous=max(a.friction.viscous, b.friction.viscous),
        bristle_stiffness=_in_series(a.bristle.stiffness, b.bristle.stiffness),
        bristle_damping=_in_series(a.bristle.damping, b.bristle.damping),
        law=law,
        damping=_of_those(a.damping, b.damping) if law == "kelvin-voigt" else 0.0,
        friction_law=friction_law,
        transition=max((f.transition for f in frictions if f.transition), default=USUAL_TRANSITION),
        strain=min((f.strain for f in frictions if f.strain is not None), default=1.0),
        foundation=_of_those(a.foundation, b.foundation) if law == "volumetric" else None,
    )


def _of_those(one: float | None, other: float | None) -> float:
    """Dampings or foundations in series, of two materials one of which has one at least."""
    given = [value for value in (one, other) if value is not None]
    return _in_series(*given) if len(given) == 2 else sum(given)


def pair_records(materials: Sequence[ContactMaterial]) -> Records:
    """PAIR records of all pairs of materials: a * materials + b.

    A place with the volumetric law stands on four feet: bristles are those of one of them.
    """
    found = new_records(len(materials) ** 2, PAIR)
    for n, record in enumerate(found):
        a, b = divmod(n, len(materials))
        fill_pair(pair_of(materials[a], materials[b]), record)
        if record.foundation > 0.0:
            for name in ("bristle_stiffness", "bristle_damping", "viscous"):
                record[name] /= FEET
    return found


def fill_pair(pair: PairMaterial, record: Record) -> None:
    """Write a pair of materials into a PAIR."""
    record.modulus, record.stiffness = pair.modulus or 0.0, pair.stiffness or 0.0
    record.exponent, record.dissipation = pair.exponent, pair.dissipation
    record.restitution = pair.restitution
    record.foundation = pair.foundation or 0.0
    record.damping, record.friction = pair.damping, FRICTION_KINDS[pair.friction_law]
    record.static, record.dynamic, record.viscous = pair.static, pair.dynamic, pair.viscous
    record.bristle_stiffness = pair.bristle_stiffness
    record.bristle_damping = pair.bristle_damping
    record.transition, record.strain = pair.transition, pair.strain


def _normal(a: ContactMaterial, b: ContactMaterial) -> tuple[float | None, float | None, float]:
    """Modulus, stiffness and exponent of a pair."""
    if a.young is not None and b.young is not None:
        return 1.0 / (_compliance(a) + _compliance(b)), None, HERTZ
    stiffnesses = [(each.stiffness, each.exponent) for each in (a, b) if each.stiffness is not None]
    if len(stiffnesses) == 2 and a.exponent == b.exponent:
        (one, n), (other, _) = stiffnesses
        return None, _in_series(one ** (1.0 / n), other ** (1.0 / n)) ** n, n
    softest = min(stiffnesses, key=lambda given: (given[0] * REFERENCE_DEPTH ** given[1], given))
    return None, *softest


def _compliance(material: ContactMaterial) -> float:
    """(1 - nu^2)/E of a material with Young's modulus [1/Pa]."""
    poisson = USUAL_POISSON if material.poisson is None else material.poisson
    return (1.0 - poisson * poisson) / (material.young or math.inf)


def _in_series(one: float, other: float) -> float:
    """Two springs or dampers one behind the other; none if either is."""
    return one * (other / (one + other)) if one > 0.0 and other > 0.0 else 0.0


# -- those that ship -------------------------------------------------------------------


@dataclass(frozen=True)
class ShippedMaterial:
    """A material that ships, and where each of its figures comes from."""

    material: ContactMaterial
    provenance: tuple[Provenance, ...]


def material_named(name: str, own: Sequence[ContactMaterial] = ()) -> ContactMaterial:
    """A material by name: one of a file's `own`, or else one that ships.

    Raises:
        UnknownElementError: there is none of that name.
    """
    for material in own:
        if material.name == name:
            return material
    if name not in MATERIALS:
        names = [*(material.name for material in own), *SHIPPED_MATERIALS]
        raise UnknownElementError("contact material", name, names)
    return MATERIALS[name].material


def _shipped(
    name: str,
    elastic: tuple[float, float, str],
    restitution: tuple[float, str],
    friction: tuple[float, float, str],
    bristle: tuple[float, float],
) -> ShippedMaterial:
    """A row of the table below; a source that begins with "guess" is an estimate."""
    young, poisson, about_young = elastic
    bounce, about_bounce = restitution
    static, dynamic, about_friction = friction
    stiffness, damping = bristle
    material = ContactMaterial(
        name=name,
        young=young,
        poisson=poisson,
        restitution=bounce,
        friction=Friction(static=static, dynamic=dynamic),
        bristle=Bristle(stiffness=stiffness, damping=damping),
    )
    sources = {
        "young, poisson": about_young,
        "restitution": about_bounce,
        "friction": about_friction,
        "bristle": "guess: stiff enough that tonnes that stick move by less than a millimetre, "
        "damped within milliseconds",
    }
    provenance = tuple(
        Provenance(
            of=of, kind="estimated" if source.startswith("guess") else "data sheet", source=source
        )
        for of, source in sources.items()
    )
    return ShippedMaterial(material, provenance)


MATERIALS: dict[str, ShippedMaterial] = {
    shipped.material.name: shipped
    for shipped in (
        _shipped(
            "steel",
            (206e9, 0.30, "handbook values of structural steel: 200 to 210 GPa, 0.27 to 0.30"),
            (0.5, "guess: plates and castings; hardened balls have up to 0.9"),
            (0.74, 0.57, "mild steel on mild steel, dry: Marks' Standard Handbook"),
            (2e8, 2e5),
        ),
        _shipped(
            "rubber",
            (5e6, 0.49, "handbook values of rubber of 60 to 65 Shore A; hardly compressible"),
            (0.6, "guess: filled natural rubber gives back a third to a half of the energy"),
            (1.15, 1.0, "guess: with concrete it makes the 0.9 of handbooks for dry tyres"),
            (2e6, 1e4),
        ),
        _shipped(
            "wood",
            (5e8, 0.35, "guess: softwood across the grain, handbooks have 0.3 to 0.9 GPa"),
            (0.5, "guess: between concrete and rubber"),
            (0.5, 0.4, "wood on wood, dry: handbooks have 0.25 to 0.62 and 0.3 to 0.48"),
            (2e7, 2e4),
        ),
        _shipped(
            "concrete",
            (31e9, 0.20, "C25/30 by EN 1992-1-1, table 3.1 and 3.1.3"),
            (0.35, "guess: between rock and ground"),
            (0.7, 0.6, "EN 1992-1-1, 6.2.5: 0.7 on a rough, 0.6 on a smooth joint"),
            (1e8, 1e5),
        ),
        _shipped(
            "rock",
            (30e9, 0.25, "handbook values of sandstone and limestone: 10 to 60 GPa, 0.2 to 0.3"),
            (0.4, "guess: studies of falling rocks report 0.3 to 0.5 on bare rock"),
            (0.7, 0.6, "basic friction angles of sandstone and limestone: 25 to 35 degrees"),
            (1e8, 1e5),
        ),
        _shipped(
            "ground",
            (5e7, 0.30, "handbook values of dense sand and gravel: 50 to 80 MPa"),
            (0.1, "guess: firm earth takes nearly all of an impact"),
            (0.6, 0.5, "guess: tan of the angle of repose of firm earth, about 31 degrees"),
            (2e7, 1e5),
        ),
    )
}
