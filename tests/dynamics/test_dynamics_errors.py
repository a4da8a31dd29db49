"""What statuses of kernels say to people, and which joint, cylinder or loop they name."""

import numpy as np
import pytest

from headframe.dynamics.constrained.motion import ConstrainedMotion
from headframe.dynamics.embedding.motion import EmbeddedMotion
from headframe.dynamics.errors import impulse_failure, motion_failure, tree_error
from headframe.dynamics.status import STATUSES, DynamicsStatus
from headframe.errors import DynamicsError, StateError
from moving import loaded, new_motion

NOT_OF_MOTIONS = (
    DynamicsStatus.OK, DynamicsStatus.WRONG_SIZE, DynamicsStatus.NOT_POSITIVE, DynamicsStatus.FULL,
)  # fmt: skip
OF_MOTIONS = [status for status in DynamicsStatus if status not in NOT_OF_MOTIONS]


@pytest.fixture(scope="module")
def model():
    return new_motion(loaded("roadheader")).model


@pytest.mark.parametrize("motion", [EmbeddedMotion, ConstrainedMotion])
def test_every_status_of_a_motion_has_a_text_of_its_own(model, motion):
    told = [motion_failure(model, status, motion(model, 1e-3)) for status in OF_MOTIONS]
    messages = {message for _, message in told}
    assert len(messages) == len(OF_MOTIONS)
    assert "the motion cannot go on" not in messages
    assert all(name is None or repr(name) in message for name, message in told)


def test_the_number_of_a_status_names_its_row(model):
    motion = EmbeddedMotion(model, 1e-3)
    for number, row in enumerate(model.rows):
        status = DynamicsStatus.DEAD_CENTRE + STATUSES * number
        name, message = motion_failure(model, status, motion)
        assert name == row.name
        assert repr(name) in message


def test_what_is_not_finite_is_named_by_its_velocity(model):
    tree, v = model.tree, np.arange(model.tree.nv, dtype=float)
    for wrong in range(tree.nv):
        name, message = impulse_failure(tree, DynamicsStatus.NOT_FINITE, wrong, v)
        assert name == tree.owner[tree.freedom_at[wrong]]
        assert message == f"the motion of {name!r} stops being finite"
    fastest = tree.owner[tree.freedom_at[tree.nv - 1]]
    assert impulse_failure(tree, DynamicsStatus.NOT_FINITE, -1, v)[0] == fastest


def test_errors_over_a_tree_name_the_last_freedom_without_inertia(model):
    tree, gains = model.tree, np.ones(len(model.tree.freedoms))
    gains[[1, 4]] = 0.0
    error = tree_error(tree, DynamicsStatus.NO_INERTIA, gains)
    assert isinstance(error, DynamicsError)
    assert error.body == tree.owner[4]
    status = DynamicsStatus.NOT_POSITIVE + STATUSES * 3
    assert f"not positive definite at {tree.owner[3]!r}" in str(tree_error(tree, status, gains))
    assert isinstance(tree_error(tree, DynamicsStatus.NOT_FINITE, gains), StateError)
