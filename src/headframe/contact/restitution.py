"""How much a law of contact has to dissipate for bodies to part with a share of their speed.

With F = k x^e (1 + d x'/v), v being the speed of approach, the motion m x'' = -F of two bodies that
meet has a closed form in the plane of x and u = x'/v: since x'' = v^2 u du/dx,

    u du / (1 + d u) = -(k / (m v^2)) x^e dx,

and both where they meet (u = 1) and where they part (u = -e) the way is 0. The left side integrated
over the whole contact therefore is 0, whatever mass, stiffness and exponent:

    d - ln(1 + d) = -d e - ln(1 - d e).                                                     (*)

The same holds for any elastic force in place of k x^e, such as that of a volume.

The thesis prints d = 3 (1 - e) / 2 in Eq. (3.1), the law of Hunt and Crossley for e near 1: with it
comes out 0.663 where 0.5 is asked for, and 0.488 for 0. Here (*) is solved for d.

Kelvin and Voigt's F = k x + c x', never a pull, depends on the mass: with w^2 = k/m and
z = c / (2 m w) the depth is v/(b w) exp(-z w t) sin(b w t), b^2 = 1 - z^2, and the force is nothing
again where tan(b w t) = -2 z b / (1 - 2 z^2), that is b w t = 2 arccos z. There the speed is

    e v = v exp(-2 z arccos(z) / sqrt(1 - z^2)),

for z > 1 with arcosh(z) / sqrt(z^2 - 1), and exp(-2) for z = 1. It never is 0.
"""

from __future__ import annotations

import math

from ..checks import number

SMALLEST = 1e-3  # restitution that the law can still have; d is about its inverse
MOST_DAMPED = 1e3  # times critical damping: where a restitution of SMALLEST is looked for


def exact_dissipation(restitution: float) -> float:
    """D with which bodies part with `restitution` (0 to 1) of the speed they met with.

    Below SMALLEST it is that of SMALLEST: no finite d takes all speed.
    """
    e = max(restitution, SMALLEST)
    if e >= 1.0:
        return 0.0
    low, high = 0.0, 1.0 / e  # d e < 1, or the bodies would never part
    for _ in range(200):
        d = 0.5 * (low + high)
        if not low < d < high:
            break
        if _excess(d, e) > 0.0:
            low = d
        else:
            high = d
    return 0.5 * (low + high)


def _excess(d: float, e: float) -> float:
    """Left side of (*) less its right side: positive where d is too small."""
    if d < 1e-3:  # series, where both logarithms lose their digits; divided by d^2
        left = 0.5 - d * (1.0 / 3.0 - d * (0.25 - d * (0.2 - d / 6.0)))
        x = d * e
        right = e * e * (0.5 + x * (1.0 / 3.0 + x * (0.25 + x * (0.2 + x / 6.0))))
        return left - right
    return (d - math.log1p(d)) + (d * e + math.log1p(-d * e))


def printed_dissipation(restitution: float) -> float:
    """D as Eq. (3.1) of the thesis prints it."""
    return 1.5 * (1.0 - restitution)


def lankarani_dissipation(restitution: float) -> float:
    """D of Lankarani and Nikravesh."""
    return 0.75 * (1.0 - restitution * restitution)


def restitution_of(dissipation: float) -> float:
    """The restitution that a dissipation gives: (*) solved for e."""
    if dissipation <= 0.0:
        return 1.0
    low, high = 0.0, min(1.0, 1.0 / dissipation)
    for _ in range(200):
        e = 0.5 * (low + high)
        if not low < e < high:
            break
        if _excess(dissipation, e) > 0.0:
            low = e
        else:
            high = e
    return 0.5 * (low + high)


def kelvin_voigt_restitution(damping: float, stiffness: float, mass: float) -> float:
    """The restitution of a spring [N/m] with a damper [N s/m].

    `mass`: of both bodies together at the contact, 1/(1/m_a + 1/m_b) [kg].
    """
    spring = number("stiffness", stiffness, above=0.0, unit="N/m")
    heavy = number("mass", mass, above=0.0, unit="kg")
    damper = number("damping", damping, least=0.0, unit="N s/m")
    return _parting_share(0.5 * damper / math.sqrt(spring * heavy))


def kelvin_voigt_damping(restitution: float, stiffness: float, mass: float) -> float:
    """The damping [N s/m] with which a spring [N/m] gives a restitution (SMALLEST to 1).

    `mass`: of both bodies together at the contact, 1/(1/m_a + 1/m_b) [kg].
    """
    wanted = max(number("restitution", restitution, least=0.0, most=1.0), SMALLEST)
    spring = number("stiffness", stiffness, above=0.0, unit="N/m")
    heavy = number("mass", mass, above=0.0, unit="kg")
    low, high = 0.0, MOST_DAMPED
    for _ in range(200):
        z = 0.5 * (low + high)
        if not low < z < high:
            break
        if _parting_share(z) > wanted:
            low = z
        else:
            high = z
    return (low + high) * math.sqrt(spring * heavy)


def _parting_share(z: float) -> float:
    """Share of the speed that a damper of z times the critical one leaves."""
    if abs(z - 1.0) < 1e-6:
        return math.exp(-2.0 * z * (1.0 - (z - 1.0) / 3.0))  # arccos(z)/sqrt(1 - z^2) near 1
    if z < 1.0:
        return math.exp(-2.0 * z * math.acos(z) / math.sqrt(1.0 - z * z))
    return math.exp(-2.0 * z * math.acosh(z) / math.sqrt(z * z - 1.0))
