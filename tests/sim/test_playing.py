"""A planned motion is played: exactly by kinematics, closely under forces, and never on its own."""

from dataclasses import replace

import numpy as np
import pytest

import headframe as hf
from headframe.errors import CommandError, StateError
from headframe.sim.pacer import TICK
from headframe.sim.playing import GAIN, Course, Playing, course_problems, play, read_course
from headframe.sim.session import Physics, Session, Target
from headframe.workbench.path import course_of

HEAD = "cutter_head"
VIA = [(5.62, 0.3, 1.7), (5.6, 0.5, 1.9), (5.58, 0.4, 2.1)]


@pytest.fixture(scope="module")
def motion():
    return hf.trajectory(hf.load("roadheader"), HEAD, VIA)


@pytest.fixture(scope="module")
def course(motion):
    return replace(course_of(hf.load("roadheader"), motion), number=7)


class Driver:
    """Ticks a session by a clock of its own."""

    def __init__(self, physics=None):
        self.session, self.now = Session(hf.load("roadheader"), physics), 100.0
        self.session.tick(self.now)
        self.tick()

    def tick(self, levers=None, present=True):
        self.now += TICK
        self.session.cab.beat(self.now, levers or {}, 0.0, present)
        self.session.tick(self.now)

    @property
    def playing(self):
        return self.session.cab.switches.playing

    def until(self, condition, most=4000):
        for _ in range(most):
            if condition():
                return
            self.tick()
        raise AssertionError("never so")

    def play(self, course, **options):
        """Play, and go to the start."""
        self.session.play(course, **options)
        self.until(lambda: self.playing is None or self.playing.there)
        assert self.playing is not None
        return self


def lengths(session):
    state, robot = session.motion.state, session.machine.robot
    return state.lengths[[members[0] for members in robot.groups]]


def led(session, course):
    return lengths(session)[course.inputs]


# --------------------------------------------------------------------- courses


def test_what_is_played_is_over_at_its_very_end_and_not_before():
    one = Course(1, np.array([0]), np.array([0.0, 2.0]), np.zeros((2, 1)), np.zeros((2, 1)))
    at_the_start = Playing(one, 0.5, 0.5, patience=4)
    assert [at_the_start.later(n).over(0.25) for n in (4, 5)] == [False, True]  # patience
    there = replace(at_the_start, begun=0)
    assert there.later(12).moment(0.25) == 2.0
    assert [there.later(n).over(0.25) for n in (11, 12)] == [False, True]


def test_patience_is_the_longest_way_to_the_start_and_five_seconds(course):
    robot = hf.load("roadheader").robot
    values = hf.load("roadheader").home.inputs
    wanted, step = course.at(0.0)[0], 2e-3
    speeds = np.array([robot.inputs[number].full_speed for number in course.inputs])
    longest = (np.abs(wanted - values[course.inputs]) / speeds).max()
    assert longest > 0.5
    assert play(course, robot, values, 1.0, 0.0, step).patience == round((longest + 5.0) / step)


def test_course_passes_its_rows_and_keeps_its_speeds(course):
    for row in range(0, len(course.times), 37):
        got, speeds = course.at(course.times[row])
        np.testing.assert_allclose(got, course.values[row], atol=1e-12)
        np.testing.assert_allclose(speeds, course.speeds[row], atol=1e-9)


def test_course_is_smooth_between_rows(course):
    """Speeds are the derivatives of the lengths, by differences of twice 1e-5 s."""
    for seconds in np.linspace(0.05, course.duration - 0.05, 23):
        before, after = course.at(seconds - 1e-5)[0], course.at(seconds + 1e-5)[0]
        np.testing.assert_allclose(course.at(seconds)[1], (after - before) / 2e-5, atol=1e-6)


def test_course_rests_at_both_ends(course):
    for seconds, row in ((-1.0, 0), (0.0, 0), (course.duration, -1), (course.duration + 1.0, -1)):
        got, speeds = course.at(seconds)
        np.testing.assert_array_equal(got, course.values[row])
        assert not speeds.any()


def test_course_has_the_groups_that_move_the_link(course):
    names = hf.load("roadheader").robot.group_names
    assert [names[group] for group in course.inputs] == ["slew", "boom", "telescope"]


def test_course_from_a_file(course, tmp_path):
    robot = hf.load("roadheader").robot
    course.save(tmp_path / "c.npz", robot)
    back = read_course(tmp_path / "c.npz", robot, 3)
    assert back.number == 3
    np.testing.assert_array_equal(back.values, course.values)
    with pytest.raises(CommandError, match="path of 'roadheader', expected one of 'lhd'"):
        read_course(tmp_path / "c.npz", hf.load("lhd").robot, 3)
    with pytest.raises(CommandError, match="gone"):
        read_course(tmp_path / "none.npz", robot, 3)
    replace(course, values=course.values + 9.0).save(tmp_path / "far.npz", robot)
    with pytest.raises(CommandError, match="slew_left"):
        read_course(tmp_path / "far.npz", robot, 3)


def test_all_problems_of_a_course(course):
    robot = hf.load("roadheader").robot
    assert course_problems(course, robot) == []
    wrong = course.values.copy()
    wrong[5, 0] = 3.0
    wrong[9:, 2] = 1.0
    found = course_problems(replace(course, values=wrong), robot)
    assert sum("slew_left" in problem for problem in found) == 2  # too long, and too fast
    assert sum("telescope" in problem for problem in found) == 2
    assert f"{len(wrong) - 9} rows" in next(p for p in found if "telescope" in p)
    fast = course_problems(replace(course, times=course.times / 2.0), robot)
    assert fast
    assert all("m/s" in problem for problem in fast)


# ------------------------------------------------------------------ kinematics


def test_kinematics_places_the_machine_exactly(course, motion):
    """At every tick the lengths of that moment, and the link where the plan has it."""
    driver = Driver().play(course)
    session, begun = driver.session, driver.playing.begun
    seen = 0
    while driver.playing is not None:
        moment = (session.steps - begun) * 1e-3
        assert driver.playing.moment(1e-3) == pytest.approx(moment, abs=1e-9)
        np.testing.assert_allclose(led(session, course), course.at(moment)[0], atol=1e-9)
        if seen % 20 == 0:
            row = np.searchsorted(motion.times, moment)
            near = motion.poses[[max(row - 1, 0), min(row, len(motion) - 1)], :3, 3]
            apart = np.linalg.norm(session.motion.state.pose(HEAD)[:3, 3] - near, axis=1)
            assert apart.min() < 0.01
        driver.tick()
        seen += 1
    assert seen > 60
    np.testing.assert_allclose(led(session, course), course.values[-1], atol=1e-9)
    assert session.motion.state.pose(HEAD)[:3, 3] == pytest.approx(VIA[-1], abs=1e-6)
    assert (session.steps - begun) * 1e-3 == pytest.approx(course.duration, abs=0.03)


def test_way_to_the_start_is_at_the_cylinders_own_speed(course):
    driver = Driver()
    robot = driver.session.machine.robot
    limits = np.array([robot.actuators[robot.groups[g][0]].speed for g in course.inputs])
    driver.session.play(course)
    before, fastest = led(driver.session, course), 0.0
    while not driver.playing.there:
        driver.tick()
        now = led(driver.session, course)
        share = (np.abs(now - before) / TICK / limits).max()
        assert share < 1.1  # a tick has 16 or 17 substeps
        fastest, before = max(fastest, share), now
    assert fastest > 0.9
    first = course.at(driver.playing.moment(1e-3))[0]  # the tick has begun to play
    np.testing.assert_allclose(led(driver.session, course), first, atol=1e-9)
    assert driver.playing.steps <= 17


def test_slower_and_from_the_middle(course):
    driver = Driver().play(course, rate=0.25, start=0.5 * course.duration)
    begun = driver.playing.begun
    for _ in range(60):
        driver.tick()
    moment = 0.5 * course.duration + 0.25 * (driver.session.steps - begun) * 1e-3
    np.testing.assert_allclose(led(driver.session, course), course.at(moment)[0], atol=1e-9)


def test_motors_turn_on_and_other_groups_hold(course):
    driver = Driver()
    driver.session.spin("cutting_motor", 1.0)
    before = lengths(driver.session)
    driver.play(course)
    driver.until(lambda: driver.playing is None)
    after = lengths(driver.session)
    others = [n for n in range(len(after)) if n not in course.inputs]
    np.testing.assert_array_equal(after[others], before[others])
    assert driver.session.motion.rate("cutting_motor") == pytest.approx(4.8, rel=0.01)


def test_pause_waits(course):
    driver = Driver().play(course)
    for _ in range(30):
        driver.tick()
    driver.session.pause(True)
    steps, now = driver.session.steps, led(driver.session, course)
    for _ in range(30):
        driver.tick()
    assert driver.playing is not None
    assert driver.session.steps == steps
    np.testing.assert_array_equal(led(driver.session, course), now)
    driver.session.step(100, driver.now)  # single steps go on along it
    moment = driver.playing.moment(1e-3)
    np.testing.assert_allclose(led(driver.session, course), course.at(moment)[0], atol=1e-9)
    driver.session.pause(False)
    driver.until(lambda: driver.playing is None)
    np.testing.assert_allclose(led(driver.session, course), course.values[-1], atol=1e-9)


# --------------------------------------------------------------------- endings


def test_any_lever_ends_it(course):
    driver = Driver().play(course)
    driver.tick()
    driver.tick({"stabiliser_left": 0.1})  # of another group
    assert driver.playing is None


def endings():
    return {
        "hidden": lambda d: d.tick(present=False),
        "emergency": lambda d: d.session.cab.stop(),
        "leave": lambda d: d.session.cab.leave("closed"),
        "stop": lambda d: d.session.stop_playing(),
        "go to": lambda d: d.session.cab.go_to("telescope", 2.0),
        "reach": lambda d: d.session.reach(Target(HEAD, VIA[1])),
        "physics": lambda d: d.session.set_physics(Physics(gravity=5.0)),
        "restart": lambda d: d.session.restart(),
    }


@pytest.mark.parametrize("name", list(endings()))
def test_what_ends_it(course, name):
    driver = Driver().play(course)
    for _ in range(20):
        driver.tick()
    assert driver.playing is not None
    endings()[name](driver)
    assert driver.playing is None


def test_silence_ends_it_and_cylinders_come_to_rest(course):
    """Without heartbeats the machine stands after the dead man's time and its own braking."""
    driver = Driver().play(course)
    for _ in range(40):
        driver.tick()
    session = driver.session
    for _ in range(60):
        driver.now += TICK
        session.tick(driver.now)
    assert driver.playing is None
    assert session.cab.dead_man.reason == "silent"
    stood = led(session, course)
    driver.now += TICK
    session.tick(driver.now)
    np.testing.assert_array_equal(led(session, course), stood)
    assert np.abs(stood - course.values[-1]).max() > 0.01  # in the middle of it


def test_braking_is_within_the_limit(course):
    driver = Driver().play(course)
    driver.until(lambda: np.abs(driver.session.motion.speeds[:5]).max() > 0.04)
    driver.session.stop_playing()
    driver.session.pause(True)
    seen = [led(driver.session, course)]
    for _ in range(40):
        driver.tick()
        driver.session.step(10, driver.now)
        seen.append(led(driver.session, course))
    speeds = np.diff(seen, axis=0) / 0.01
    assert np.abs(speeds[0]).max() > 0.03
    assert np.abs(np.diff(speeds, axis=0) / 0.01).max() < 0.3 * 1.01
    assert np.abs(speeds[-1]).max() == 0.0


def test_what_cannot_be_played(course):
    driver = Driver()
    for options, message in (
        ({"rate": 0.0}, "speed: found 0"),
        ({"rate": 1.5}, "speed: found 1.5"),
        ({"start": course.duration}, "start: found"),
    ):
        with pytest.raises(CommandError, match=message):
            driver.session.play(course, **options)
    driver.session.cab.stop()
    with pytest.raises(CommandError, match="emergency"):
        driver.session.play(course)
    assert driver.playing is None


def test_start_that_is_never_reached_is_given_up(course, monkeypatch):
    """Held in place, the machine would wait for ever."""
    driver = Driver()
    driver.session.play(course)
    patience = driver.playing.patience
    monkeypatch.setattr(type(driver.session.motion), "step", lambda self, n=1: None)
    driver.until(lambda: driver.playing is None)
    assert driver.session.steps == pytest.approx(patience, abs=60)


# -------------------------------------------------------------------- dynamics


@pytest.mark.parametrize("formulation", ["embedded", "simgc"])
def test_dynamics_follows_closely(course, formulation):
    """Within a fifth of a millimetre: a cylinder's acceleration over a tick makes 0.04 mm."""
    driver = Driver(Physics(True, formulation)).play(course)
    worst = 0.0
    while driver.playing is not None:
        wanted = course.at(driver.playing.moment(1e-3))[0]
        worst = max(worst, np.abs(led(driver.session, course) - wanted).max())
        driver.tick()
    assert worst < 2e-4
    assert led(driver.session, course) == pytest.approx(course.values[-1], abs=2e-4)


# ------------------------------------------------------------------- rewinding


@pytest.mark.parametrize("dynamics", [False, True])
def test_rewound_playback_repeats_bit_for_bit(course, dynamics):
    driver = Driver(Physics(dynamics))
    driver.session.play(course)
    session, moments = driver.session, []
    for _ in range(3):
        driver.tick()
    driver.until(lambda: driver.playing.there)
    for _ in range(40):
        driver.tick()
        moments.append((session.steps, session.motion.state.q.tobytes(), driver.playing))
    steps, then, playing = moments[12]
    session.rewind(steps * 1e-3)
    assert session.paused
    assert session.motion.state.q.tobytes() == then
    assert driver.playing == playing
    session.pause(False)
    for steps, then, playing in moments[13:]:
        session.cab.beat(driver.now, {}, 0.0, True)
        session._advance(steps - session.steps, driver.now)
        assert session.motion.state.q.tobytes() == then
        assert driver.playing == playing


def test_rewinding_between_ticks_and_to_the_way_there(course):
    driver = Driver()
    driver.session.play(course)
    for _ in range(5):
        driver.tick()
    early = driver.session.time
    driver.until(lambda: driver.playing.there)
    for _ in range(30):
        driver.tick()
    session, playing = driver.session, driver.playing
    session.rewind(session.time - 0.1035)
    moment = playing.moment(1e-3) - 0.1035
    assert driver.playing.moment(1e-3) == pytest.approx(moment, abs=6e-4)
    np.testing.assert_allclose(
        led(session, course), course.at(driver.playing.moment(1e-3))[0], atol=1e-9
    )
    session.rewind(early)
    assert driver.playing is not None
    assert not driver.playing.there


def test_rewinding_under_the_emergency_stop_plays_nothing(course):
    driver = Driver().play(course)
    for _ in range(20):
        driver.tick()
    then, now = driver.session.time, led(driver.session, course)
    for _ in range(20):
        driver.tick()
    driver.session.cab.stop()
    driver.session.rewind(then)
    assert driver.playing is None
    np.testing.assert_array_equal(led(driver.session, course), now)


def test_course_counts_in_the_ring(course):
    driver = Driver()
    driver.tick()
    before = driver.session.ring_bytes
    driver.tick()
    usual = driver.session.ring_bytes - before
    driver.session.play(course)
    driver.tick()
    first = driver.session.ring_bytes - before - usual
    driver.tick()
    second = driver.session.ring_bytes - before - usual - first
    assert first - second == pytest.approx(course.values.nbytes * 2 + course.times.nbytes, rel=0.3)


def test_course_out_of_reach_is_trouble_not_a_jump(course):
    """What forward kinematics refuses stops the simulation at the last good state."""
    driver = Driver()
    far = Course(1, course.inputs, course.times, course.values.copy(), course.speeds)
    far.values[40:] += 5.0
    driver.play(far)
    driver.until(lambda: driver.session.trouble)
    assert np.abs(led(driver.session, course) - course.values[0]).max() < 0.2
    with pytest.raises(CommandError, match="has stopped"):
        driver.session.pause(False)
    with pytest.raises(StateError):
        driver.session.rewind(1e6)


@pytest.mark.parametrize("rate", [0.8, 0.25])
def test_slowed_course_is_told_at_its_slowed_speed(course, rate):
    """The course's speed times the rate, and more to make good what the machine lags behind."""
    robot = hf.load("roadheader").robot
    step, count, start = 1e-3, 16, 0.25 * course.duration
    playing = replace(
        play(course, robot, np.zeros(len(robot.groups)), rate, start, step), begun=0, steps=200
    )
    here = start + 200 * step * rate
    on_it = np.zeros(len(robot.groups))
    on_it[course.inputs] = course.at(here)[0]
    wanted = rate * course.at(here + count * step * rate)[1]
    assert np.abs(wanted).max() > 1e-3
    for lag in (0.0, 2e-5):
        told = playing.commands(robot, on_it - lag, count, step)
        assert list(told) == [robot.group_names[group] for group in course.inputs]
        found = [command.value for command in told.values()]
        np.testing.assert_allclose(found, wanted + GAIN * lag, rtol=1e-9)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_what_is_told_stays_within_the_cylinders_speed(course, side):
    robot = hf.load("roadheader").robot
    playing = replace(play(course, robot, np.zeros(99), 1.0, 0.0, 1e-3), begun=0)
    told = playing.commands(robot, np.full(len(robot.groups), -9.0 * side), 16, 1e-3)
    limits = [robot.actuators[robot.groups[group][0]].speed for group in course.inputs]
    assert [command.value for command in told.values()] == [side * limit for limit in limits]


def test_a_motor_that_is_not_led_turns_while_a_path_is_played(course):
    driver = Driver().play(course)
    driver.session.spin("cutting_motor", 0.5)
    driver.tick()
    assert driver.playing is not None
    assert driver.session.cab.switches.motors == {"cutting_motor": 0.5}
    assert driver.session.motion.rate("cutting_motor") > 0.0


def test_nothing_swings_beyond_an_end_between_two_rows():
    """A finger that comes to its end still moving, a little before the next row."""
    times, lengths = np.array([0.0, 0.1, 0.2]), np.array([[0.0], [0.03], [0.03]])
    course = Course(1, np.array([0]), times, lengths, np.array([[0.0], [0.05], [0.0]]))
    values = np.array([course.at(t)[0][0] for t in np.linspace(0.0, 0.2, 101)])
    assert values.max() == 0.03
    assert values.min() == 0.0
