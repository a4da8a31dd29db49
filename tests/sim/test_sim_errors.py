"""What a simulation refuses, and what it does when a step cannot be made."""

from dataclasses import replace

import numpy as np
import pytest

import headframe as hf
from build import joint
from build import machine as build_machine
from headframe.bench.mechanisms import simple_pendulum
from moving import block, boom, changed, loaded

INTEGRATORS = ("euler", "midpoint", "rk4", "rk6", "semi-implicit", "implicit")


@pytest.fixture
def sim():
    return hf.Simulation(loaded("sths"))


def state_of(sim):
    return sim.q, sim.v, sim.energy(), sim.forces, sim.time, sim._engine.drives.copy()


def unchanged(before, after):
    return all(np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b
               for a, b in zip(before, after, strict=True))  # fmt: skip


# ------------------------------------------------------------------------------------ arguments


@pytest.mark.parametrize("machine", [None, "roadheader", 3, {}, [], loaded("sths").robot])
def test_what_is_no_machine(machine):
    with pytest.raises(hf.NotAMachineError, match=r"found .*, expected a Machine"):
        hf.Simulation(machine)


@pytest.mark.parametrize("name", ["", "embed", "exact", 3, None, True, ["embedded"]])
def test_unknown_formulation(name):
    with pytest.raises(hf.StateError, match=r"^formulation: found .*; (there are|did you mean)"):
        hf.Simulation(loaded("sths"), formulation=name)


def test_choices_are_named():
    with pytest.raises(hf.StateError) as caught:
        hf.Simulation(loaded("sths"), formulation="zzz")
    for name in ("auto", "embedded", "constrained", "augmented", "simgc", "simmc", "xpbd"):
        assert repr(name) in str(caught.value)
    with pytest.raises(hf.StateError) as caught:
        hf.Simulation(loaded("sths"), integrator="zzz")
    for name in INTEGRATORS:
        assert repr(name) in str(caught.value)
    with pytest.raises(hf.StateError, match="did you mean 'embedded'"):
        hf.Simulation(loaded("sths"), formulation="embeded")


@pytest.mark.parametrize("name", ["", "rk5", "RK4", 4, True, ["rk4"]])
def test_unknown_integrator(name):
    with pytest.raises(hf.StateError, match=r"^integrator: found .*; (there are|did you mean)"):
        hf.Simulation(loaded("sths"), integrator=name)


@pytest.mark.parametrize("name", ["", "joints", 4, None, ["lengths"]])
def test_unknown_coordinates(name):
    with pytest.raises(hf.StateError, match=r"^coordinates: found .*; (there are|did you mean)"):
        hf.Simulation(loaded("sths"), coordinates=name)


@pytest.mark.parametrize(
    "step", [0, 0.0, -1e-3, np.nan, np.inf, "1e-3", True, None, [1e-3], 10.0, 1e9, 1j]
)
def test_wrong_step(step):
    with pytest.raises(hf.StateError, match=r"^step: found .*, expected seconds, more than 0"):
        hf.Simulation(loaded("sths"), step=step)


@pytest.mark.parametrize("step", [1, np.float32(0.5), np.int64(2), np.float64(1e-6)])
def test_step_may_be_any_number(step):
    assert hf.Simulation(simple_pendulum(), step=step).step_size == float(step)


@pytest.mark.parametrize(
    "gravity",
    [None, "9.81", np.nan, np.inf, True, [1, 2], [1, 2, 3, 4], [0, 0, np.nan], [[0, 0, 1]], []],
)
def test_wrong_gravity(gravity):
    with pytest.raises(hf.StateError, match=r"^gravity: found"):
        hf.Simulation(loaded("sths"), gravity=gravity)


@pytest.mark.parametrize(
    "velocity", [[0.0], np.zeros(14), np.zeros((15, 1)), np.full(15, np.nan), 1.0]
)
def test_wrong_velocity(velocity):
    with pytest.raises(hf.StateError, match=r"^velocity: found"):
        hf.Simulation(loaded("sths"), velocity=velocity)


def test_start_of_another_machine():
    with pytest.raises(hf.HeadframeError, match="start"):
        hf.Simulation(loaded("sths"), start=loaded("sshs").home)


@pytest.mark.parametrize("start", [3, "home", np.zeros(7), {}])
def test_what_is_no_start(start):
    with pytest.raises(hf.HeadframeError, match="start"):
        hf.Simulation(loaded("sths"), start=start)


def test_options_that_the_formulation_does_not_take():
    with pytest.raises(hf.StateError, match="found iterations, which 'embedded' does not take"):
        hf.Simulation(loaded("sths"), formulation="embedded", iterations=3)


def test_loops_that_cannot_be_embedded():
    with pytest.raises(hf.DynamicsError, match=r"loops cannot be embedded: .*no planar four-bars"):
        hf.Simulation(loaded("peaucellier"), formulation="embedded")
    with pytest.raises(hf.DynamicsError, match=r"loops cannot be embedded: .*repeater"):
        hf.Simulation(loaded("gripper"), formulation="embedded")


# ---------------------------------------------------------------------------------------- calls


@pytest.mark.parametrize("n", [-1, 1.0, 0.5, True, None, "3", np.nan, [1]])
def test_wrong_number_of_steps(sim, n):
    with pytest.raises(hf.StateError, match=r"^n: found .*, expected a whole number"):
        sim.step(n)
    assert sim.time == 0.0


def test_number_of_steps_may_be_of_numpy(sim):
    sim.step(np.int64(3))
    sim.step(0)
    assert sim.time == pytest.approx(3e-3)


@pytest.mark.parametrize("seconds", [-1.0, np.nan, np.inf, True, None, "3", [1.0]])
def test_wrong_seconds(sim, seconds):
    with pytest.raises(hf.StateError, match=r"^seconds: found .*, expected a number"):
        sim.run(seconds)
    assert sim.time == 0.0


def test_unknown_names_are_answered_with_the_nearest(sim):
    cases = [
        (lambda: sim.joint("shield_canopi"), "shield_canopy"),
        (lambda: sim.pose("canopie"), "canopy"),
        (lambda: sim.cylinder("leg"), "legs"),
        (lambda: sim.command({"legz": hf.locked()}), "legs"),
        (lambda: sim.apply("canopie", np.zeros(6)), "canopy"),
    ]
    for call, nearest in cases:
        with pytest.raises(hf.UnknownElementError, match=f"did you mean '{nearest}'"):
            call()


@pytest.mark.parametrize("name", [3, None, 2.5])
def test_names_that_are_none(sim, name):
    for call in (sim.joint, sim.pose, sim.cylinder, lambda n: sim.apply(n, np.zeros(6))):
        with pytest.raises(hf.UnknownElementError):
            call(name)


@pytest.mark.parametrize(
    ("wrench", "point"),
    [
        (np.zeros(5), None),
        (np.zeros((6, 1)), None),
        ([0, 0, 0, 0, 0, np.nan], None),
        (np.zeros(6), [0, 0]),
        (np.zeros(6), [0, 0, np.inf]),
        (3.0, None),
    ],
)
def test_wrong_pulls_change_nothing(sim, wrench, point):
    sim.apply("canopy", [0, 0, 0, 0, 0, 7.0])
    with pytest.raises(hf.StateError, match=r"^(wrench|point): found"):
        sim.apply("canopy", wrench, point)
    assert sim._engine.pulls.force[:, 2].tolist() == [7.0]


# ------------------------------------------------------------------------------------- commands

WRONG = {
    "no command": ("legs", 0.05, "found 0.05, expected a command such as"),
    "no command, a word": ("legs", "locked", "found 'locked', expected a command"),
    "no command, a function": ("legs", hf.locked, "expected a command"),
    "torque of a cylinder": ("legs", hf.torque(1.0), "is a cylinder: found torque.*a force"),
    "too long": ("legs", hf.length(99.0), r"found length\(99\), expected a length of 1.95 to 2.95"),
    "too short": ("legs", hf.length(0.1), r"expected a length of 1.95 to 2.95 m"),
    "too fast": ("legs", hf.speed(0.2), r"found speed\(0.2\), expected at most 0.1 m/s"),
    "too strong": ("legs", hf.force(9e7), "expected at most .* N .2 cylinders of"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_commands_change_nothing(sim, case):
    """Not even those in the same call that are right."""
    sim.command({"legs": hf.speed(0.03), "balance_jack": hf.force(7.0)})
    sim.step(3)
    before = state_of(sim)
    name, command, message = WRONG[case]
    with pytest.raises(hf.CommandError, match=f"^'{name}'.*{message}"):
        sim.command({"balance_jack": hf.locked(), name: command})
    assert unchanged(before, state_of(sim))


def test_partners_follow_their_first(sim):
    names = [a.name for a in loaded("sths").actuators if a.name != "balance_jack"]
    partner = next(n for n in names if n in sim._commands.leader_of)
    with pytest.raises(hf.CommandError, match=f"'{partner}' follows the first .* command 'legs'"):
        sim.command({partner: hf.locked()})
    assert sim.cylinder(partner).length == pytest.approx(sim.cylinder("legs").length, abs=1e-9)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (hf.force(3.0), "is a motor: found force.*expected a torque, a speed or a position"),
        (hf.length(1.0), "is a motor: found length"),
        (hf.torque(1e9), "expected at most 48000 N m"),
        (hf.speed(99.0), "expected at most 4.8 rad/s"),
    ],
)
def test_wrong_commands_of_motors(command, message):
    sim = hf.Simulation(loaded("roadheader"))
    with pytest.raises(hf.CommandError, match=message):
        sim.command({"cutting": command})


def test_joint_without_a_motor_takes_no_command(sim):
    with pytest.raises(hf.UnknownElementError, match="no cylinder, group or motor is called"):
        sim.command({"shield_canopy": hf.torque(1.0)})


def test_motor_is_no_cylinder():
    with pytest.raises(hf.UnknownElementError, match="cylinder or group"):
        hf.Simulation(loaded("roadheader")).cylinder("cutting")


# ------------------------------------------------------------------------------- saved states


@pytest.mark.parametrize("saved", [None, 3, "state", np.zeros(4), {}])
def test_what_was_never_saved(sim, saved):
    with pytest.raises(hf.StateError, match=r"^saved: found .*, expected what `save` gave"):
        sim.restore(saved)


def test_state_of_another_machine_or_formulation(sim):
    other = hf.Simulation(loaded("sshs"))
    with pytest.raises(hf.StateError, match=r"found a state of 'sshs' .*, expected one of 'sths'"):
        sim.restore(other.save())
    foreign = replace(sim.save(), formulation="simgc")
    before = state_of(sim)
    with pytest.raises(hf.StateError, match="simgc"):
        sim.restore(foreign)
    assert unchanged(before, state_of(sim))


# ------------------------------------------------------------------------------ steps that fail


def stiff():
    """A box on a slide with damping that large explicit steps cannot bear."""
    return build_machine(
        [joint("slide", "base", "box", "prismatic", axis=[0, 0, 1], damping=1e5)],
        links=[{"name": "base"}, block("box", 2.0)],
    )


@pytest.mark.parametrize("integrator", ["euler", "semi-implicit"])
def test_motion_that_is_not_finite_any_more(integrator):
    """The error names the body and the time and has the last states, oldest first."""
    sim = hf.Simulation(stiff(), integrator=integrator, step=0.1)
    with pytest.raises(hf.DynamicsError, match="'slide' is not finite any more") as caught:
        sim.step(1000)
    error = caught.value
    assert error.body == "slide"
    assert error.time == sim.time
    assert f"{sim.time:.6g} s" in str(error)
    assert np.isfinite(sim.q).all()
    assert np.isfinite(sim.v).all()
    assert 1 < len(error.states) <= 8
    speeds = [abs(v[0]) for _, v in error.states]
    assert speeds == sorted(speeds)
    assert error.states[-1][0][0] == sim.q[0]
    assert error.states[-1][1][0] == sim.v[0]
    # and so once more: nothing has been reset
    with pytest.raises(hf.DynamicsError):
        sim.step()
    assert sim.time == error.time


def test_state_is_the_one_before_the_step_that_failed():
    """Bit by bit the same as a run that ends there."""
    failing = hf.Simulation(stiff(), integrator="euler", step=0.1)
    with pytest.raises(hf.DynamicsError):
        failing.step(1000)
    ending = hf.Simulation(stiff(), integrator="euler", step=0.1)
    ending.step(round(failing.time / 0.1))
    assert unchanged(state_of(failing), state_of(ending))


def test_machine_of_nothing():
    """A machine without a freedom stands still."""
    sim = hf.Simulation(build_machine([joint("weld", "base", "box", "fixed")]))
    sim.step(10)
    assert sim.time == pytest.approx(0.01)
    assert sim.q.size == 0
    assert sim.energy().total == 0.0


def test_boom_of_nothing_but_a_mass_at_its_end():
    """A massless cylinder is fine."""
    bare = changed(
        boom(), lambda c: [k.update(inertial=None) for k in c["links"] if "ram" in k["name"]]
    )
    sim = hf.Simulation(bare)
    sim.step(10)
    assert sim.v[0] != 0.0


def test_drives_are_those_before_the_step_that_failed():
    """A step that fails leaves what guides and limits have made of the commands as it was."""

    def stiff(content):
        content["joints"][0]["damping"] = 1e5
        content["motors"] = ({"name": "motor", "joint": "hinge", "max_torque": 10.0},)

    one, found = changed(simple_pendulum(), stiff), []
    for steps in (1000, None):
        sim = hf.Simulation(one, integrator="euler", step=0.01)
        sim.command({"motor": hf.speed(1.0)})
        if steps:
            with pytest.raises(hf.DynamicsError):
                sim.step(steps)
        else:
            sim.step(round(found[0].time / 0.01))
        found.append(sim)
    for array in ("coordinates", "velocities", "drives"):
        a, b = (getattr(sim._engine, array) for sim in found)
        assert np.array_equal(a, b), array
    assert found[0]._engine.work_done() == found[1]._engine.work_done()


@pytest.mark.parametrize("commands", ["legs", None, 3, [("legs", hf.locked())]])
def test_what_is_no_mapping_of_commands(commands):
    with pytest.raises(hf.CommandError, match="expected commands by name"):
        hf.Simulation(loaded("sths")).command(commands)


@pytest.mark.parametrize(("kind", "value"), [("nonsense", 1.0), ("speed", np.nan), ("force", "x")])
def test_commands_made_by_hand_are_checked(kind, value):
    with pytest.raises(hf.CommandError):
        hf.Simulation(loaded("sths")).command({"legs": hf.Command(kind, value)})


@pytest.mark.parametrize("name", [[], {}, ["canopy"]])
def test_names_that_cannot_be_names(name):
    sim = hf.Simulation(loaded("sths"))
    for call in (sim.joint, sim.pose, sim.cylinder, lambda n: sim.apply(n, np.zeros(6))):
        with pytest.raises(hf.UnknownElementError):
            call(name)


def test_numbers_that_are_too_large():
    one = loaded("sths")
    for call in (
        lambda: hf.Simulation(one, gravity=10**400),
        lambda: hf.Simulation(one, step=10**400),
        lambda: hf.Simulation(one, gravity=[[1], [2, 3]]),
        lambda: hf.Simulation(one).step(10**30),
        lambda: hf.Simulation(one).run(1e300),
        lambda: hf.speed(10**400),
    ):
        with pytest.raises(hf.HeadframeError):
            call()


def test_fixed_joints_have_no_reading():
    one = loaded("roadheader")
    fixed = next(j.name for j in one.joints if j.type == "fixed")
    with pytest.raises(hf.UnknownElementError, match="movable joint"):
        hf.Simulation(one).joint(fixed)


def test_one_group_is_commanded_once():
    """A group and its first cylinder are the same drive."""
    sim = hf.Simulation(loaded("sths"))
    first = loaded("sths").robot.actuators[0].name
    with pytest.raises(hf.CommandError, match=f"'legs' and '{first}' are one"):
        sim.command({"legs": hf.locked(), first: hf.floating()})
    assert sim.cylinder("legs").mode == "floating"


def step_on(sim, at_once):
    """A thousand steps, so many in a call."""
    while sim.time < 100.0:
        sim.step(at_once)


@pytest.mark.parametrize("formulation", ["embedded", "constrained"])
def test_all_is_as_before_the_step_that_failed(formulation):
    """State, ledger and drives are, bit for bit, those of a run that ends there."""
    failing, ending = (
        hf.Simulation(stiff(), formulation, integrator="euler", step=0.1) for _ in range(2)
    )
    with pytest.raises(hf.DynamicsError):
        failing.step(1000)
    ending.step(round(failing.time / 0.1))
    one, other = failing._engine.save(), ending._engine.save()
    for name in ("state", "drives", "pulls"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name


def test_states_of_single_steps_are_kept_too():
    """A loop of single steps has the same past as many steps at once."""
    found = []
    for at_once in (1, 1000):
        sim = hf.Simulation(stiff(), integrator="euler", step=0.1)
        with pytest.raises(hf.DynamicsError) as caught:
            step_on(sim, at_once)
        found.append(caught.value.states)
    assert len(found[0]) == len(found[1]) == 8
    for (q, v), (q_there, v_there) in zip(*found, strict=True):
        assert np.array_equal(q, q_there)
        assert np.array_equal(v, v_there)


def test_coordinates_are_for_embedded_loops():
    with pytest.raises(hf.StateError, match="but 'simgc' has its own"):
        hf.Simulation(loaded("sths"), "simgc", coordinates="lengths")


def test_states_of_other_integrators_are_refused():
    sim, other = (hf.Simulation(loaded("sths"), integrator=i) for i in ("rk4", "rk6"))
    with pytest.raises(hf.StateError, match="state of integrator rk6, expected rk4"):
        sim.restore(other.save())


def test_what_a_simulation_does_not_have_cannot_be_set():
    with pytest.raises(AttributeError, match="gravity"):
        hf.Simulation(loaded("sths")).gravity = 1.62


@pytest.mark.parametrize("gravity", [np.nan, np.inf, 10**400])
def test_gravity_that_is_not_finite(gravity):
    with pytest.raises(
        hf.StateError, match=r"gravity: found .*, expected a finite number or three"
    ):
        hf.Simulation(loaded("sths"), gravity=gravity)


def test_misspelt_options_get_a_hint():
    with pytest.raises(hf.StateError, match=r"fomulation, which .* 'formulation'"):
        hf.Simulation(loaded("sths"), fomulation="simgc")


# ---------------------------------------------------------------------------- limits of commands


def limits(name):
    """Of every drive of a machine: a command at its limit, by one number, and the limit."""
    machine = loaded(name)
    robot = machine.robot
    for group, members in zip(robot.group_names, robot.groups, strict=True):
        first = robot.actuators[members[0]]
        yield group, hf.speed, first.speed
        yield group, hf.force, None if first.force is None else len(members) * first.force
    for motor in robot.motors:
        yield motor.name, hf.speed, motor.max_speed
        yield motor.name, hf.torque, motor.max_torque


@pytest.mark.parametrize("name", ["roadheader", "tcchs", "gripper"])
def test_drives_take_what_is_within_their_limits_both_ways(name):
    """A group pushes as hard as all its cylinders together."""
    sim, found = hf.Simulation(loaded(name)), set()
    for drive, command, limit in limits(name):
        if limit is None:
            continue
        found.add(command)
        for side in (-1.0, 1.0):
            sim.command({drive: command(side * limit)})
            before = state_of(sim)
            with pytest.raises(hf.CommandError, match=f"^'{drive}': found .*, expected at most"):
                sim.command({drive: command(1.001 * side * limit)})
            assert unchanged(before, state_of(sim))
    assert {hf.speed, hf.torque if name == "gripper" else hf.force} <= found


def test_length_is_taken_from_end_to_end():
    sim = hf.Simulation(loaded("roadheader"))
    bounds = loaded("roadheader").robot.actuator("telescope").bounds
    for length, beyond in ((bounds.lower, -1e-6), (bounds.upper, 1e-6)):
        sim.command({"telescope": hf.length(length)})
        with pytest.raises(hf.CommandError, match=r"expected a length of 1\.9 to 2\.45 m"):
            sim.command({"telescope": hf.length(length + beyond)})
        assert sim.cylinder("telescope").mode == "length"
