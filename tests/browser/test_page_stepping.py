"""The test mode makes substeps one by one, the same every time."""

import numpy as np
import pytest

pytestmark = pytest.mark.blind

STEP = "count => headframe.step(count).then(frame => [frame.time, ...frame.lengths])"


def stepped(cab, counts):
    """Times and lengths after each of these numbers of substeps."""
    return np.array([cab.page.evaluate(STEP, count) for count in counts])


def test_substeps_are_the_same_every_time(cab):
    cab.send(type="set_physics", dynamics=True)
    cab.until("facts.status.dynamics && facts.loading === null")
    cab.alive()
    cab.find("pause").click()
    cab.until("facts.status.paused && (store.frame.flags & 1) === 1")
    start = cab.time
    runs = []
    for _ in range(2):
        cab.send(type="rewind", time=start)
        cab.until(f"store.frame.time === {start}")
        cab.alive()
        cab.send(type="let_float", group="boom", on=True)
        cab.until("facts.status.floating.length === 1")
        runs.append(stepped(cab, [1, 9, 90, 100]))
    assert runs[0][:, 0] - start == pytest.approx([0.001, 0.01, 0.1, 0.2], abs=1e-9)
    assert runs[0][-1, 1 + cab.index("boom")] < runs[0][0, 1 + cab.index("boom")] - 0.01
    np.testing.assert_array_equal(runs[0], runs[1])


def test_substeps_are_made_while_paused_only(cab):
    told = cab.page.evaluate("headframe.step(1).then(() => 'made', error => error.message)")
    assert told == "substeps are made while paused"
