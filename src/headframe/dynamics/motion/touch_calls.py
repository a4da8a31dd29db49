"""What a contact asks of a machine's formulation: kernels, called by their addresses.

In the metric of kinetic energy velocities are z = L^T v, with M = L L^T the inertia over the
formulation's coordinates, and the velocity of a point of a link along a direction is y . z. What
drives guide and loops close is taken out of every y, so that a change of z never moves it: with Q
an orthonormal basis of those rows,

    y <- y - Q^T (Q y).

The impulses that guided rows and loops answer with follow from Q y.
"""

from __future__ import annotations

from collections.abc import Callable

from ...actuation.kernels import DRIVE
from ...jit import MATRIX, NUMBER, VECTOR, WHOLE, array_of, caller, layout

# model, q, v, work: bodies where they are, with their velocities
PLACE = WHOLE(VECTOR, VECTOR, VECTOR, VECTOR)
# model, drives, work: make the basis Q of what is held, behind `evaluate`
HOLD = WHOLE(VECTOR, array_of(DRIVE), VECTOR)
# model, h, v, freedom, point (3,), axes (3, 3), work, rows (3, nv), held (3, n), free (3,):
# velocities of a point of a body along the rows of `axes`, in the tree's axes all; what was taken
# out, Q y; and what they are h seconds after `evaluate`, without contacts, from the velocities v
RESPOND = WHOLE(VECTOR, NUMBER, VECTOR, WHOLE, VECTOR, MATRIX, VECTOR, MATRIX, MATRIX, VECTOR)
# model, z, work, change: of the velocities of the coordinates
CHANGE = WHOLE(VECTOR, VECTOR, VECTOR, VECTOR)
# model, h, mu (n,), work, drives: add to reactions what the basis bears, an impulse in h seconds
REACT = WHOLE(VECTOR, NUMBER, VECTOR, VECTOR, array_of(DRIVE))

# model, h, v, z, work: kinetic energy that the change of the velocities alone would have [J]
LOSE = NUMBER(VECTOR, NUMBER, VECTOR, VECTOR, VECTOR)

TOUCH_CALLS = layout(
    place="i8", hold="i8", respond="i8", change="i8", react="i8", lose="i8", decide="i8", run="i8"
)

StatusKernel = Callable[..., int]
place: StatusKernel = caller(PLACE)
hold: StatusKernel = caller(HOLD)
respond: StatusKernel = caller(RESPOND)
change_by: StatusKernel = caller(CHANGE)
react: StatusKernel = caller(REACT)
lose: Callable[..., float] = caller(LOSE)
