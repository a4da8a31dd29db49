"""The solver's figures, for many who ask, in few looks."""

import numpy as np
import pytest

import headframe as hf
from headframe.kinematics.inspection import inspect
from headframe.protocol import write
from headframe.server.inspecting import EVERY, Inspector
from headframe.sim.session import Physics, Session, Target


@pytest.mark.parametrize("dynamics", [False, True])
def test_figures_are_those_of_the_library(dynamics):
    session = Session(hf.load("door"), Physics(dynamics=dynamics))
    told = Inspector().look(session, 5, 0.0)
    found = inspect(session.machine.kinematics, session.motion.state)
    assert told.number == 5
    assert told.time == session.time
    assert told.conditioning == pytest.approx(found.conditioning)
    assert told.dead_centre.group == "door"
    assert told.dead_centre.left == pytest.approx(found.dead_centre.left)
    assert [block.method for block in told.blocks] == ["closed form"]
    assert "NaN" not in write(told)


def test_many_questions_are_one_look(monkeypatch):
    session = Session(hf.load("door"))
    looks = []

    def counted(*arguments):
        looks.append(1)
        return inspect(*arguments)

    monkeypatch.setattr("headframe.server.inspecting.inspect", counted)
    inspector = Inspector()
    for number in range(50):
        assert inspector.look(session, number, 10.0 + 0.5 * EVERY * number / 50).number == number
    assert len(looks) == 1
    inspector.look(session, 1, 10.0 + 2 * EVERY)
    assert len(looks) == 2


def test_lengths_are_compared_with_what_was_asked():
    session = Session(hf.load("roadheader"))
    place = session.motion.state.pose("cutter_head")[:3, 3] + np.array([0.0, 0.2, 0.1])
    session.motion.place(
        session.machine.ik(
            "cutter_head",
            Target("cutter_head", tuple(place)).pose(session.motion.state),
            mask=(0, 0, 0, 1, 1, 1),
        ).state
    )
    assert Inspector().look(session, 0, 0.0).length_error < 1e-12
    session.motion._positions[1] += 1e-3
    assert Inspector().look(session, 0, 0.0).length_error == pytest.approx(1e-3, rel=1e-6)
