"""Recordings: the same motion as without them, at the right moments, and whole in a file."""

import json

import numpy as np
import pytest

import headframe as hf
from headframe.errors import DynamicsError, ExportError, StateError
from headframe.sim import recording as recordings
from headframe.sim.recording import Recorder, load_npz, record, save_npz
from trees import tree_of_kinds

ARRAYS = (
    "time", "q", "v", "lengths", "speeds", "positions", "rates", "forces", "stops", "bounds",
    "first", "energies", "ledger",
)  # fmt: skip
NAMES = ("q_names", "v_names", "q_units", "cylinders", "drives", "units", "motors", "commands")


@pytest.fixture(scope="module")
def lhd():
    return hf.load("lhd")


def lifting(lhd, **options):
    """Lifts the bucket while the slide is free to give way."""
    simulation = hf.Simulation(lhd, **options)
    simulation.command({"lift": hf.speed(0.1), "slide": hf.floating()})
    return simulation


@pytest.fixture(scope="module")
def lifted(lhd):
    return record(lifting(lhd), 0.5, rate=200.0, options={"why": "a test"})


# --------------------------------------------------------------------- motion


def test_rows_are_the_motion_without_a_recorder_bit_for_bit(lhd, lifted):
    other = lifting(lhd)
    for row in range(1, len(lifted)):
        other.step(5)
        energy = other.energy()
        assert lifted.time[row] == other.time
        assert (lifted.q[row] == other.q).all()
        assert (lifted.v[row] == other.v).all()
        assert dict(zip(lifted.drives, lifted.forces[row], strict=True)) == other.forces
        assert lifted.energies[row].tolist() == [energy.kinetic, energy.potential, energy.springs]
        assert lifted.balance[row] == pytest.approx(energy.balance, abs=1e-9)
    reading = other.cylinder("lift")
    column = lifted.cylinders.index("lift")
    assert (lifted.lengths[-1, column], lifted.speeds[-1, column]) == (
        reading.length,
        reading.speed,
    )


def test_the_balance_counts_from_the_start_of_the_simulation(lhd):
    """A recording that begins later has what was done before it in its ledger."""
    simulation = lifting(lhd)
    simulation.run(0.3)
    later = record(simulation, 0.1)
    assert np.abs(later.ledger[0]).max() > 100.0
    assert later.balance[-1] == pytest.approx(simulation.energy().balance, abs=1e-6)
    assert np.abs(later.balance).max() < 1e-3 * np.abs(later.ledger[0]).max()


def test_speeds_are_the_derivatives_of_lengths(lifted):
    """Central differences, away from the kinks of the guided acceleration."""
    dt = lifted.time[1]
    slope = (lifted.lengths[2:] - lifted.lengths[:-2]) / (2.0 * dt)
    assert np.allclose(slope[60:], lifted.speeds[61:-1], rtol=1e-4, atol=1e-6)
    assert (np.abs(lifted.speeds[61:-1]).max(axis=0) > 0.01).all()


def test_forces_times_speeds_make_the_work_of_the_drives(lifted):
    """Simpson's rule would need smooth forces: the trapezoid's is enough for 1 %."""
    power = (lifted.forces * lifted.rates).sum(axis=1)
    work = np.trapezoid(power, lifted.time)
    assert work == pytest.approx(lifted.ledger[-1, 0], rel=0.01)
    assert work > 1000.0


def test_first_row_has_the_forces_that_hold_the_start(lhd):
    """By virtual work, without the dynamics."""
    simulation = hf.Simulation(lhd)
    simulation.command({"lift": hf.locked(), "slide": hf.locked()})
    found = record(simulation, 0.003, rate=1000.0)
    order = [found.drives.index(name) for name in found.cylinders]
    assert np.allclose(found.forces[:, order], lhd.statics(), rtol=1e-9)
    assert np.abs(found.forces).max() > 1e4
    assert np.ptp(found.lengths, axis=0).max() < 1e-12


def test_energy_that_was_on_its_way(lifted):
    assert lifted.turnover == pytest.approx(np.abs(lifted.ledger).sum(axis=1).max(), rel=0.05)
    assert np.abs(lifted.balance).max() < 1e-6 * lifted.turnover


def test_stops_are_recorded(lhd):
    simulation = hf.Simulation(lhd, start=lhd.fk({"lift": 1.55}))
    simulation.command({"lift": hf.floating(), "slide": hf.locked()})
    found = record(simulation, 0.6)
    column = found.drives.index("lift")
    assert found.stops[0, column] == 0
    assert found.stops[-1, column] == -1
    resting = found.stops[:, column] == -1
    assert np.allclose(found.positions[resting, column], found.bounds[column, 0], atol=1e-8)
    assert found.ledger[-1, 3] < 0.0
    assert (found.stops[:, found.drives.index("slide")] == 0).all()


# -------------------------------------------------------------------- moments


@pytest.mark.parametrize(
    ("seconds", "rate", "times"),
    [
        (0.03, 100.0, [0.0, 0.01, 0.02, 0.03]),
        (0.025, 100.0, [0.0, 0.01, 0.02, 0.025]),  # the end is always there
        (0.003, 1e6, [0.0, 0.001, 0.002, 0.003]),  # no more than every step
        (0.005, 1.0, [0.0, 0.005]),
        (0.006, 300.0, [0.0, 0.003, 0.006]),  # every third step is the nearest
    ],
)
def test_moments(lhd, seconds, rate, times):
    found = record(lifting(lhd), seconds, rate)
    assert np.allclose(found.time, times, atol=1e-12)
    assert found.about.steps == round(seconds / 0.001)
    assert found.seconds == pytest.approx(seconds)


def test_progress_is_told_in_steps(lhd, monkeypatch):
    monkeypatch.setattr(recordings, "CHUNK", 4)
    told = []
    found = record(lifting(lhd), 0.02, 100.0, lambda done, total: told.append((done, total)))
    assert told == [(4, 20), (8, 20), (10, 20), (14, 20), (18, 20), (20, 20)]
    assert len(found) == 3


def test_a_second_run_goes_on(lhd):
    recorder = Recorder(lifting(lhd))
    recorder.run(0.02)
    recorder.simulation.command({"lift": hf.locked()})
    recorder.run(0.02)
    found = recorder.recording
    assert np.allclose(found.time, [0.0, 0.01, 0.02, 0.03, 0.04])
    assert found.about.steps == 40
    assert found.commands[found.drives.index("lift")] == "locked"


def test_times_are_told_apart(lifted):
    assert 0.0 < lifted.about.stepping <= lifted.about.wall
    assert lifted.real_time_factor == pytest.approx(0.5 / lifted.about.wall)


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf"), "1", True, 1e-4])
def test_no_time(lhd, seconds):
    with pytest.raises(StateError, match="seconds: found"):
        record(lifting(lhd), seconds)


@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan"), float("inf"), None])
def test_no_rate(lhd, rate):
    with pytest.raises(StateError, match="rate: found"):
        record(lifting(lhd), 1.0, rate)


def test_more_than_memory_holds_is_refused(lhd):
    simulation = lifting(lhd)
    with pytest.raises(StateError, match=r"rows would take .* GB.*lower rate"):
        record(simulation, 1e6, 1000.0)
    assert simulation.time == 0.0


# --------------------------------------------------------------------- errors


def test_what_came_before_an_error_is_kept(lhd, monkeypatch):
    """The simulation stops in its 25th step: the state before it is the last row."""
    simulation = lifting(lhd)
    recorder, plain = Recorder(simulation), simulation.step

    def step(n):
        done = round(simulation.time / simulation.step_size)
        plain(min(n, 24 - done))
        if done + n > 24:
            raise DynamicsError("'lift' breaks (at 0.024 s)", "lift", 0.024)

    recorder.prepare()
    monkeypatch.setattr(hf.Simulation, "step", lambda _, n: step(n))
    with pytest.raises(DynamicsError, match="breaks"):
        recorder.run(1.0)
    found = recorder.recording
    assert np.allclose(found.time, [0.0, 0.01, 0.02, 0.024])
    assert (found.q[-1] == simulation.q).all()
    assert found.about.error == "'lift' breaks (at 0.024 s)"
    assert found.about.steps == 24


def test_a_first_step_that_fails_leaves_the_start(lhd, monkeypatch):
    simulation = lifting(lhd)

    def step(n):
        raise DynamicsError("it cannot begin")

    monkeypatch.setattr(hf.Simulation, "step", lambda _, n: step(n))
    recorder = Recorder(simulation)
    with pytest.raises(DynamicsError, match="cannot begin"):
        recorder.run(1.0)
    found = recorder.recording
    assert found.time.tolist() == [0.0]
    assert np.isnan(found.forces).all()
    assert found.real_time_factor == 0.0


def test_nothing_is_recorded_before_the_start(lhd):
    with pytest.raises(StateError, match="nothing is recorded"):
        _ = Recorder(lifting(lhd)).recording


# ---------------------------------------------------------------------- names


def test_names_and_units_of_a_machine(lifted, lhd):
    assert lifted.q_names[:4] == ("sliding", "arm_hinge", "bucket_pin", "link_pin")
    assert lifted.q_units[:4] == ("m", "rad", "rad", "rad")
    assert lifted.q_names[4:] == ("slide.angle", "slide.length", "lift.angle", "lift.length")
    assert lifted.v_names == lifted.q_names
    joint = lhd.fk({"lift": lifted.lengths[0, 1]}).joints["arm_hinge"]
    assert lifted.q[0, lifted.q_names.index("arm_hinge")] == pytest.approx(joint)
    assert lifted.q[-1, lifted.q_names.index("lift.length")] == lifted.lengths[-1, 1]
    assert lifted.drives == ("slide", "lift")
    assert lifted.commands == ("floating", "speed 0.1 m/s")
    assert lifted.units == ("m", "m")
    assert lifted.first.tolist() == [0, 1]


def test_names_of_all_kinds_of_joints():
    machine = tree_of_kinds(("spherical", "free", "universal", "prismatic"), 4)
    found = record(hf.Simulation(machine), 0.002)
    assert len(found.q_names) == len(set(found.q_names)) == found.q.shape[1] == 4 + 7 + 2 + 1
    assert len(found.v_names) == len(set(found.v_names)) == found.v.shape[1] == 3 + 6 + 2 + 1
    assert found.q_names[:3] == ("joint_4", "joint_3.first", "joint_3.second")
    assert found.q_units == ("m", "rad", "rad", *"1111", *"mmm", *"1111")
    quaternion = [n for n, unit in enumerate(found.q_units) if unit == "1"]
    assert np.allclose(np.square(found.q[:, quaternion]).sum(axis=1), 2.0)
    assert found.lengths.shape == (2, 0)


def test_motors_have_torques_and_idle_joints_have_none():
    machine = hf.load("shearer")
    simulation = hf.Simulation(machine)
    simulation.command({"cutting_left": hf.torque(100.0), "cutting_right_motor": hf.floating()})
    found = record(simulation, 0.01)
    left, right = (found.drives.index(name) for name in ("cutting_left", "cutting_right"))
    assert found.commands[left] == "torque 100 N m"
    assert found.motors[left] == "cutting_left_motor"
    assert found.first[left] == -1
    assert found.units[left] == "rad"
    assert (found.forces[:, left] == 100.0).all()
    assert (found.forces[:, right] == 0.0).all()
    assert found.rates[-1, left] > 0.0


# ---------------------------------------------------------------------- files


def test_a_file_holds_all_of_it(lifted, tmp_path):
    path = tmp_path / "run.npz"
    assert save_npz(lifted, path) == path
    back = load_npz(path)
    for name in ARRAYS:
        assert getattr(back, name).dtype == getattr(lifted, name).dtype
        assert (getattr(back, name) == getattr(lifted, name)).all(), name
    for name in NAMES:
        assert getattr(back, name) == getattr(lifted, name), name
    assert back.about == lifted.about == type(lifted).load(path).about
    assert back.about.options == {"why": "a test"}
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_explains_itself_to_numpy_alone(lifted, tmp_path):
    with np.load(save_npz(lifted, tmp_path / "run.npz"), allow_pickle=False) as file:
        assert str(file["machine"]) == "lhd"
        assert file["energy_names"].tolist() == ["kinetic", "potential", "springs"]
        assert file["ledger_names"].tolist() == ["drives", "dampers", "pulls", "stops", "joints"]
        assert file["lengths"].shape == (len(file["time"]), len(file["cylinders"]))
        assert file["q"].shape == (len(file["time"]), len(file["q_names"]))
        assert json.loads(str(file["about"]))["integrator"] == "rk4"
        assert json.loads(str(file["options"])) == {"why": "a test"}


@pytest.mark.parametrize("name", ["run.csv", "no/run.npz"])
def test_files_that_cannot_be_written(lifted, tmp_path, name):
    with pytest.raises(ExportError, match=r"\.npz"):
        save_npz(lifted, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_files_that_are_no_recordings(tmp_path):
    with pytest.raises(StateError, match="cannot be read: no such file"):
        load_npz(tmp_path / "run.npz")
    (tmp_path / "text.npz").write_text("no archive")
    np.savez(tmp_path / "other.npz", points=np.zeros(3))
    np.savez(tmp_path / "half.npz", about=np.array("{}"), options=np.array("{}"))
    np.save(tmp_path / "array.npy", np.zeros(3))
    (tmp_path / "empty.npz").touch()
    for name in ("text.npz", "other.npz", "half.npz", "array.npy", "empty.npz"):
        with pytest.raises(StateError, match="found no recording"):
            load_npz(tmp_path / name)


def test_a_recording_is_drawn(lifted, tmp_path):
    assert lifted.plot(tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")
    assert repr(lifted) == "Recording(lhd: 0.5 s, 101 rows)"
