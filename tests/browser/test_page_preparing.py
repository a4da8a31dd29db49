"""What compiles in the background, as people see it."""

import pytest

TELL = 'store.set({ preparing: { type: "preparing", part: "%s", seconds: %s, waiting: %s } }), 1'


@pytest.fixture
def told(cab):
    """Tell the page what is prepared; nothing in the end."""
    yield lambda part, seconds="null", waiting="[]": cab.tell(TELL % (part, seconds, waiting))
    cab.tell("store.set({ preparing: null }), 1")


def test_a_quiet_line_says_what_will_be_ready(cab, told):
    line = cab.find("preparing")
    assert line.count() == 0
    told("dynamics", 40)
    line.wait_for()
    assert line.inner_text() == "Dynamics: ready in about 40 s"
    told("dynamics", 35, '["set_physics"]')
    line.get_by_text("What you asked for starts then.").wait_for()
    line.click(trial=True)  # it is seen, and nothing lies over it
    told("bench", 35)
    line.wait_for(state="detached")
    cab.alive()  # and the machine can be driven all the while
