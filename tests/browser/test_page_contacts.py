"""The playground in the page: a box is grasped, a stack pushed over, and both rewound."""

import numpy as np
import pytest
from cab import eventually
from playwright.sync_api import expect
from running import Running

from headframe.protocol import decode
from headframe.recordings import open_run
from headframe.staging import load_scene

FINGERS, SHOULDER, TURN = "finger_1_motor", "shoulder_motor", "turn_motor"
THINGS = "facts.scene.things.map((_, n) => view.thingMatrix(n))"
TWO_PICTURES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return tmp_path_factory.mktemp("playground") / "recordings"


@pytest.fixture(scope="module")
def playground(kept):
    running = Running("--port", "0", "--scene", "playground", "--recordings", str(kept))
    yield running
    running.stop()


@pytest.fixture
def cab(playground, visit):
    cab = visit(playground.addresses[0]).loaded().fresh("gripper")
    cab.until("view.thingMatrix(0) !== null")
    yield cab
    cab.page.evaluate("headframe.view.showContacts(false)")


def number(name):
    """Which thing of the scene it is."""
    return [unit for row in load_scene("playground").scene.bodies for unit in row.units].index(name)


def height(name):
    """Expression: how high a thing is drawn [m]."""
    return f"view.thingMatrix({number(name)})[14]"


def turn(cab, motor, way, until):
    """Let a motor turn by its buttons until an expression is true, and stop it."""
    cab.insist(
        cab.find(f"motor-{motor}-{way}").click,
        until,
        f"!facts.status.motors['{motor}']",
    )
    cab.find(f"motor-{motor}-stop").click()
    cab.until(f"!facts.status.motors['{motor}']")


def under_forces(cab):
    cab.find("mode-dynamic").click()
    cab.until("facts.status.dynamics && store.frame.contacts.length > 0")


def grasp(cab):
    """Close the fingers about the box, and lift it."""
    members = cab.tell("facts.scene.members")
    box, finger = members.index("box"), members.index("left_finger")
    pair = f"(view.touches.some((_, k, all) => k % 12 === 10 && [{box}, {finger}].every("
    pair += "(m) => m === all[k] || m === all[k + 1])))"
    cab.insist(
        cab.find(f"motor-{FINGERS}-reverse").click, pair, f"!facts.status.motors.{FINGERS}"
    )  # and they go on closing
    cab.send(type="time_scale", scale=0.3)
    turn(cab, SHOULDER, "reverse", f"{height('box')} > 0.7")
    cab.send(type="time_scale", scale=1)


def places(cab):
    """Where all things are drawn, (n, 4, 4)."""
    return np.array(cab.tell(THINGS)).reshape(-1, 4, 4).transpose(0, 2, 1)


def told(cab):
    """Where all things are drawn once all of them have been told of in turn."""
    now = cab.tell("store.frame.number")
    cab.until(f"store.frame.number > {now} + 12")
    cab.page.evaluate(TWO_PICTURES)
    return places(cab)


def paused(cab):
    """Stop simulated time; where all things are drawn then."""
    cab.send(type="pause", on=True)
    cab.until("facts.status.paused")
    return told(cab)


def test_a_person_grasps_the_box_pushes_the_stack_over_and_rewinds(cab):
    home = told(cab)
    under_forces(cab)
    grasp(cab)
    held = paused(cab)
    when = cab.tell("store.frame.time")
    poses = cab.link_poses()
    assert held[number("box"), 2, 3] > home[number("box"), 2, 3] + 0.1
    cab.send(type="pause", on=False)
    cab.until("!facts.status.paused")
    cab.send(type="time_scale", scale=0.5)
    turn(cab, TURN, "forward", f"{height('stack 5')} < 0.7")
    cab.send(type="time_scale", scale=1)
    fallen = paused(cab)
    assert not np.array_equal(fallen, held)
    cab.send(type="rewind", time=when)
    cab.until(f"store.frame.time === {when!r}")
    eventually(lambda: np.array_equal(places(cab), held))
    eventually(lambda: np.array_equal(cab.link_poses(), poses))
    cab.send(type="pause", on=False)
    cab.send(type="restart")
    cab.until("store.frame.time < 2")
    eventually(
        lambda: np.allclose(places(cab)[number("stack 5")], home[number("stack 5")], atol=1e-3)
    )


def test_kinematics_leave_bodies_where_they_are(cab):
    before = told(cab)
    turn(cab, TURN, "forward", "store.frame.joints[0] > 0.5")
    assert np.array_equal(told(cab), before)
    cab.find("tool-contacts").click()
    expect(cab.find("contacts-none")).to_contain_text("Dynamic")
    cab.find("close-tool").click()


def test_marks_and_shapes_are_shown_when_they_are_wanted(cab, findings):
    under_forces(cab)
    cab.find("tool-contacts").click()
    marks, shapes = cab.find("contacts-marks"), cab.find("contacts-shapes")
    expect(marks).not_to_be_checked()
    assert cab.tell("view.contactsShown") == 0
    marks.focus()
    cab.page.keyboard.press("Space")
    cab.until("view.contactsShown > 20")
    expect(cab.find("contacts-count")).not_to_have_text("0")
    expect(cab.find("contacts-list")).to_contain_text("Chain 2")
    expect(cab.find("contacts-list")).to_contain_text("holds")
    expect(cab.find("contacts-legend").locator("li")).to_have_count(4)
    shapes.check()
    cab.until("view.shapesShown > 20")
    assert findings(cab, "contacts") == []
    cab.find("close-tool").click()
    assert cab.tell("view.contactsShown > 20"), "they stay when the tool is closed"
    cab.find("tool-contacts").click()
    expect(marks).to_be_checked()
    marks.uncheck()
    shapes.uncheck()
    cab.until("view.contactsShown === 0 && view.shapesShown === 0")
    cab.find("close-tool").click()


def test_a_recording_shows_bodies_and_contacts_again(cab, kept):
    under_forces(cab)
    cab.find("tool-record").click()
    cab.find("record-field").fill("fall")
    cab.find("record-go").click()
    expect(cab.find("rec")).to_be_visible()
    cab.insist(  # the tool stands where the motor's buttons were
        lambda: cab.send(type="spin_motor", motor=TURN, speed=1.0),
        f"{height('stack 5')} < 0.7",
        f"!facts.status.motors.{TURN}",
    )
    cab.find("record-go").click()
    expect(cab.find("record-said")).to_contain_text("fall")
    times, frames = zip(*open_run(kept / "fall.mcap").frames(), strict=True)
    frames = [decode(frame) for frame in frames]
    assert all(len(frame.bodies) == 20 for frame in frames)
    live = paused(cab)
    cab.page.evaluate("headframe.view.showContacts(true)")
    cab.find("open-fall").click()
    for at in (0, len(frames) // 2):
        frame = frames[at]
        cab.find("film-scrub").evaluate(
            "(e, time) => { e.value = time; e.dispatchEvent(new Event('input')); "
            "e.dispatchEvent(new Event('change')); }",
            1e-9 * (times[at] - times[0]),
        )
        cab.until(f"store.replayed?.number === {frame.number}")
        wanted = frame.bodies[:, 1:4]
        eventually(lambda w=wanted: np.allclose(places(cab)[: len(w), :3, 3], w, atol=1e-6))
        count = int((np.linalg.norm(frame.contacts[:, 6:9], axis=1) > 0).sum())
        cab.until(f"view.contactsShown === {count}")
    cab.find("film-live").click()
    eventually(lambda: np.array_equal(places(cab), live))
    cab.find("close-tool").click()
    cab.send(type="pause", on=False)
