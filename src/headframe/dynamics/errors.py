"""What a status of a kernel of dynamics says to people, and about which joint, cylinder or loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import DynamicsError, HeadframeError, StateError
from ..mechanism import Floats, Tree, advice_without_inertia, without_inertia
from .model import DynamicsModel
from .motion.stepping import IMPACTS
from .status import STATUSES, DynamicsStatus

if TYPE_CHECKING:
    from .motion.engine import IntegratedMotion

Failure = tuple[str | None, str]  # the joint, cylinder or loop, and what is said


def tree_error(tree: Tree, status: int, gains: Floats) -> HeadframeError:
    """Of a kernel over the spanning tree, the arguments being right.

    Args:
        tree: what it was called for.
        status: of any kernel but the centre of mass.
        gains: that it has left behind, `BODY.gain` by freedoms.
    """
    freedom, kind = divmod(status, STATUSES)
    if kind == DynamicsStatus.NO_INERTIA:
        first = np.flatnonzero(~(gains > 0.0))[-1]  # on the way inwards
        if gains[first] == 0.0:
            name = tree.owner[first]
            return DynamicsError(advice_without_inertia(tree, name), body=name)
    if kind == DynamicsStatus.NOT_POSITIVE:
        name = tree.owner[freedom]
        return DynamicsError(
            f"the inertia matrix is not positive definite at {name!r}: it moves nothing that has "
            "mass, or nothing that joints before it do not move the same way, and has no armature",
            body=name,
        )
    return StateError("found numbers too large to compute with")


def motion_failure(model: DynamicsModel, status: int, names: IntegratedMotion) -> Failure:
    """Of a motion by an integrator."""
    number, kind = divmod(status, STATUSES)
    fastest = names.fastest()
    match kind:
        case DynamicsStatus.NO_SOLUTION:
            block = model.kinematics.plan.blocks[number]
            name = model.tree.mechanism.robot.group_names[block.groups[0]]
            return name, f"{name!r}: its length has no configuration on the working branch"
        case DynamicsStatus.NO_CLOSURE:
            name = names.name_of_loop(number)
            told = f"the loop {name!r} cannot close" if name else "a four-bar cannot close"
            return name or None, told
        case DynamicsStatus.NO_INERTIA:
            name = names.name_without_inertia(number)
            return name, advice_without_inertia(model.tree, name)
        case DynamicsStatus.DEAD_CENTRE:
            name = model.rows[number].name
            return name, f"{name!r} is at a dead centre: its drive cannot hold or move it"
        case DynamicsStatus.NOT_FINITE:
            return fastest, f"the motion of {fastest!r} is not finite any more: try a smaller step"
        case DynamicsStatus.TOO_MANY_IMPACTS:
            return None, f"more than {IMPACTS} impacts at stops in one step"
        case DynamicsStatus.NO_COORDINATE:
            name = model.rows[number].name
            return name, (
                f"{name!r} is no coordinate, and the variational integrator can guide nothing "
                "else: take lengths as coordinates, or another integrator"
            )
        case DynamicsStatus.NOT_CONVERGED:
            return fastest, f"the implicit step does not converge, {fastest!r} moves fastest"
    return None, "the motion cannot go on"


def impulse_failure(tree: Tree, status: int, wrong: int, v: Floats) -> tuple[str, str]:
    """Of a motion by impulses at the velocities v (nv,); `wrong` is one that is not finite, or -1.

    Where there is too little inertia without a joint that has none, the fastest one is told.
    """
    if status == DynamicsStatus.NO_INERTIA:
        name = without_inertia(tree)
        if name:
            return name, advice_without_inertia(tree, name)
    if status == DynamicsStatus.NO_INERTIA or wrong < 0:
        wrong = int(np.abs(v).argmax())
    name = tree.owner[tree.freedom_at[wrong]]
    return name, f"the motion of {name!r} stops being finite"
