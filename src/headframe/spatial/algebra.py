"""Kernels of spatial algebra: motions, forces, poses and rigid bodies as tuples of numbers.

Motion and force vectors (6) are angular first; a pose (12) is 3x4 in rows; a rigid body (10) is
mass, first moment and inertia about the origin (xx, yy, zz, xy, xz, yz). In records they stand as
vectors (6,), (10,) and matrices (3, 4).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ..jit import inlined_kernel

Floats = NDArray[np.float64]
Numbers = tuple[float, ...]  # a vector (6), a pose (12), a body (10)

NOWHERE = (0.0, 0.0, 0.0)
HERE: Numbers = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)  # a pose
ZERO = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
NO_BODY = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
# a quarter of a turn in three parts: two of 33 bits, whose multiples are exact, and the rest
HALF_PI = Fraction(31415926535897932384626433832795028841971693993751, 2 * 10**49)
HIGH = Fraction(int(HALF_PI * 2**32), 2**32)
MIDDLE = Fraction(int((HALF_PI - HIGH) * 2**66), 2**66)
QUARTER = (float(HIGH), float(MIDDLE), float(HALF_PI - HIGH - MIDDLE))
# series of sine and cosine, which end below the last digit up to half a quarter
S = tuple((-1.0) ** n / math.factorial(2 * n + 1) for n in range(1, 8))
C = tuple((-1.0) ** n / math.factorial(2 * n) for n in range(2, 9))
MANY_TURNS = 1e5  # [rad], beyond which three parts do not do


@inlined_kernel
def six(x: Floats) -> Numbers:
    """A motion or a force vector as numbers."""
    return x[0], x[1], x[2], x[3], x[4], x[5]


@inlined_kernel
def put_six(x: Floats, values: Numbers) -> None:
    """Write a motion or a force vector."""
    x[0], x[1], x[2], x[3], x[4], x[5] = values


@inlined_kernel
def plus(a: Numbers, b: Numbers) -> Numbers:
    """Sum of two vectors."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]


@inlined_kernel
def minus(a: Numbers, b: Numbers) -> Numbers:
    """Difference of two vectors."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5]


@inlined_kernel
def scaled(s: float, a: Numbers) -> Numbers:
    """A vector times a number."""
    return s * a[0], s * a[1], s * a[2], s * a[3], s * a[4], s * a[5]


@inlined_kernel
def product(a: Numbers, b: Numbers) -> float:
    """Product of a motion and a force vector, in pairs: a sum in a row would take twice as long."""
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5])


@inlined_kernel
def cross(v: Numbers, t: Numbers) -> Numbers:
    """Product v x t, the rate of a motion t that is carried along by the motion v."""
    return (
        v[1] * t[2] - v[2] * t[1],
        v[2] * t[0] - v[0] * t[2],
        v[0] * t[1] - v[1] * t[0],
        (v[1] * t[5] - v[2] * t[4]) + (v[4] * t[2] - v[5] * t[1]),
        (v[2] * t[3] - v[0] * t[5]) + (v[5] * t[0] - v[3] * t[2]),
        (v[0] * t[4] - v[1] * t[3]) + (v[3] * t[1] - v[4] * t[0]),
    )


@inlined_kernel
def cross_force(v: Numbers, h: Numbers) -> Numbers:
    """Product v x* h, the rate of a momentum h that is carried along by the motion v."""
    return (
        (v[1] * h[2] - v[2] * h[1]) + (v[4] * h[5] - v[5] * h[4]),
        (v[2] * h[0] - v[0] * h[2]) + (v[5] * h[3] - v[3] * h[5]),
        (v[0] * h[1] - v[1] * h[0]) + (v[3] * h[4] - v[4] * h[3]),
        v[1] * h[5] - v[2] * h[4],
        v[2] * h[3] - v[0] * h[5],
        v[0] * h[4] - v[1] * h[3],
    )


@inlined_kernel
def body_at(x: Floats) -> Numbers:
    """A rigid body as numbers: mass, first moment, inertia about the origin."""
    return x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]


@inlined_kernel
def put_body(x: Floats, values: Numbers) -> None:
    """Write a rigid body."""
    x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9] = values


@inlined_kernel
def plus_body(a: Numbers, b: Numbers) -> Numbers:
    """Two rigid bodies as one."""
    return (
        a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4],
        a[5] + b[5], a[6] + b[6], a[7] + b[7], a[8] + b[8], a[9] + b[9],
    )  # fmt: skip


@inlined_kernel
def momentum_of(body: Numbers, motion: Numbers) -> Numbers:
    """I v of a rigid body: n = J w + s x v,  f = m v - s x w, with s the first moment."""
    m, s0, s1, s2, xx, yy, zz, xy, xz, yz = body
    w0, w1, w2, v0, v1, v2 = motion
    return (
        (xx * w0 + xy * w1) + (xz * w2 + (s1 * v2 - s2 * v1)),
        (xy * w0 + yy * w1) + (yz * w2 + (s2 * v0 - s0 * v2)),
        (xz * w0 + yz * w1) + (zz * w2 + (s0 * v1 - s1 * v0)),
        m * v0 + (s2 * w1 - s1 * w2),
        m * v1 + (s0 * w2 - s2 * w0),
        m * v2 + (s1 * w0 - s0 * w1),
    )


@inlined_kernel
def dot(motion: Floats, force: Floats) -> float:
    """Product of a motion and a force vector."""
    return product(six(motion), six(force))


@inlined_kernel
def add(x: Floats, out: Floats) -> None:
    """Out += x, both vectors."""
    put_six(out, plus(six(out), six(x)))


@inlined_kernel
def cosine_and_sine(x: float) -> tuple[float, float]:
    """Of an angle [rad], to the last digit; in a third of the library's time.

    The angle less n quarter turns, which are subtracted in three parts lest digits get lost, goes
    into the series.
    """
    if not abs(x) < MANY_TURNS:
        return math.cos(x), math.sin(x)
    n = np.rint(x * (2.0 / math.pi))
    r = ((x - n * QUARTER[0]) - n * QUARTER[1]) - n * QUARTER[2]
    z = r * r
    zz = z * z
    s = (S[0] + z * S[1]) + zz * ((S[2] + z * S[3]) + zz * ((S[4] + z * S[5]) + zz * S[6]))
    c = (C[0] + z * C[1]) + zz * ((C[2] + z * C[3]) + zz * ((C[4] + z * C[5]) + zz * C[6]))
    sine, cosine = r + (r * z) * s, (1.0 - 0.5 * z) + zz * c
    # n quarter turns back, without branches, which could not be foreseen
    odd, sign = int(n) & 1, 1 - (int(n) & 2)
    even = 1 - odd
    return sign * (even * cosine - odd * sine), sign * (even * sine + odd * cosine)


@inlined_kernel
def pose_at(X: Floats) -> Numbers:
    """A pose (3, 4) as numbers, row by row."""
    return (
        X[0, 0], X[0, 1], X[0, 2], X[0, 3],
        X[1, 0], X[1, 1], X[1, 2], X[1, 3],
        X[2, 0], X[2, 1], X[2, 2], X[2, 3],
    )  # fmt: skip


@inlined_kernel
def put_pose(X: Floats, x: Numbers) -> None:
    """Write a pose (3, 4)."""
    X[0, 0], X[0, 1], X[0, 2], X[0, 3] = x[0], x[1], x[2], x[3]
    X[1, 0], X[1, 1], X[1, 2], X[1, 3] = x[4], x[5], x[6], x[7]
    X[2, 0], X[2, 1], X[2, 2], X[2, 3] = x[8], x[9], x[10], x[11]


@inlined_kernel
def point_at(X: Floats, p: Floats | Numbers) -> Numbers:
    """A point (3,) of a frame in the axes in which its pose X (3, 4) is given."""
    return (
        X[0, 0] * p[0] + X[0, 1] * p[1] + (X[0, 2] * p[2] + X[0, 3]),
        X[1, 0] * p[0] + X[1, 1] * p[1] + (X[1, 2] * p[2] + X[1, 3]),
        X[2, 0] * p[0] + X[2, 1] * p[1] + (X[2, 2] * p[2] + X[2, 3]),
    )


@inlined_kernel
def direction_at(X: Floats, u: Floats) -> Numbers:
    """A direction (3,) of a frame in the axes in which its pose X (3, 4) is given."""
    return (
        X[0, 0] * u[0] + X[0, 1] * u[1] + X[0, 2] * u[2],
        X[1, 0] * u[0] + X[1, 1] * u[1] + X[1, 2] * u[2],
        X[2, 0] * u[0] + X[2, 1] * u[1] + X[2, 2] * u[2],
    )


@inlined_kernel
def velocity_at(motion: Numbers, p: Numbers) -> Numbers:
    """Velocity of a point of a body that moves by (w, v at the origin): v + w x p."""
    return (
        motion[3] + (motion[1] * p[2] - motion[2] * p[1]),
        motion[4] + (motion[2] * p[0] - motion[0] * p[2]),
        motion[5] + (motion[0] * p[1] - motion[1] * p[0]),
    )


@inlined_kernel
def three(x: Floats) -> Numbers:
    """A vector in space as numbers."""
    return x[0], x[1], x[2]


@inlined_kernel
def wrench(p: Numbers, moment: Numbers, force: Numbers) -> Numbers:
    """Force vector at the origin of a moment, and of a force that acts on a point p."""
    n = cross3(p, force)
    return moment[0] + n[0], moment[1] + n[1], moment[2] + n[2], force[0], force[1], force[2]


@inlined_kernel
def cross3(a: Numbers, b: Numbers) -> Numbers:
    """The product a x b of two vectors in space."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined_kernel
def dot3(a: Numbers, b: Numbers) -> float:
    """Product of two vectors in space."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined_kernel
def compose(up: Numbers, x: Numbers) -> Numbers:
    """Pose of a frame x that is given in the frame `up`."""
    a0, b0, c0, p0, a1, b1, c1, p1, a2, b2, c2, p2 = up
    return (
        a0 * x[0] + b0 * x[4] + c0 * x[8],
        a0 * x[1] + b0 * x[5] + c0 * x[9],
        a0 * x[2] + b0 * x[6] + c0 * x[10],
        a0 * x[3] + b0 * x[7] + (c0 * x[11] + p0),
        a1 * x[0] + b1 * x[4] + c1 * x[8],
        a1 * x[1] + b1 * x[5] + c1 * x[9],
        a1 * x[2] + b1 * x[6] + c1 * x[10],
        a1 * x[3] + b1 * x[7] + (c1 * x[11] + p1),
        a2 * x[0] + b2 * x[4] + c2 * x[8],
        a2 * x[1] + b2 * x[5] + c2 * x[9],
        a2 * x[2] + b2 * x[6] + c2 * x[10],
        a2 * x[3] + b2 * x[7] + (c2 * x[11] + p2),
    )


@inlined_kernel
def turned(x: Numbers, c: float, s: float) -> Numbers:
    """A pose turned about its own z, by an angle of which cosine and sine are given."""
    return (
        c * x[0] + s * x[1], c * x[1] - s * x[0], x[2], x[3],
        c * x[4] + s * x[5], c * x[5] - s * x[4], x[6], x[7],
        c * x[8] + s * x[9], c * x[9] - s * x[8], x[10], x[11],
    )  # fmt: skip


@inlined_kernel
def slid(x: Numbers, way: float) -> Numbers:
    """A pose moved along its own z."""
    return (
        x[0], x[1], x[2], x[3] + way * x[2],
        x[4], x[5], x[6], x[7] + way * x[6],
        x[8], x[9], x[10], x[11] + way * x[10],
    )  # fmt: skip


@inlined_kernel
def turned_freely(pose: Numbers, quaternion: Numbers) -> Numbers:
    """A pose turned by a quaternion, whatever its norm."""
    w, x, y, z = quaternion
    two = 2.0 / (w * w + x * x + y * y + z * z)
    turn = (
        1.0 - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y), 0.0,
        two * (x * y + w * z), 1.0 - two * (x * x + z * z), two * (y * z - w * x), 0.0,
        two * (x * z - w * y), two * (y * z + w * x), 1.0 - two * (x * x + y * y), 0.0,
    )  # fmt: skip
    return compose(pose, turn)


@inlined_kernel
def stepped_quaternion(quaternion: Numbers, turn: Numbers) -> Numbers:
    """A quaternion turned by a rotation vector [rad] in its own body's axes, made a unit one."""
    x, y, z = 0.5 * turn[0], 0.5 * turn[1], 0.5 * turn[2]
    half = math.sqrt(x * x + y * y + z * z)
    s = math.sin(half) / half if half > 1e-12 else 1.0
    a, b, c, d = math.cos(half), s * x, s * y, s * z
    w, i, j, k = quaternion
    w, i, j, k = (
        w * a - i * b - j * c - k * d,
        w * b + i * a + j * d - k * c,
        w * c - i * d + j * a + k * b,
        w * d + i * c - j * b + k * a,
    )
    unit = 1.0 / math.sqrt(w * w + i * i + j * j + k * k)
    return w * unit, i * unit, j * unit, k * unit


@inlined_kernel
def hinge(x: Numbers, column: int) -> Numbers:
    """Twist of a turn about a column of a pose, through its origin p: (z, p x z)."""
    z0, z1, z2 = x[column], x[4 + column], x[8 + column]
    p0, p1, p2 = x[3], x[7], x[11]
    return z0, z1, z2, p1 * z2 - p2 * z1, p2 * z0 - p0 * z2, p0 * z1 - p1 * z0


@inlined_kernel
def screw(x: Numbers, pitch: float) -> Numbers:
    """Twist of a turn about the z axis of a pose that slides along it by `pitch` a radian."""
    w0, w1, w2, v0, v1, v2 = hinge(x, 2)
    return w0, w1, w2, v0 + pitch * w0, v1 + pitch * w1, v2 + pitch * w2
