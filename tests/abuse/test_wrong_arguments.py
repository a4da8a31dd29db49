"""Every public function with every kind of wrong argument: an error of ours, or a sound answer.

Nothing else comes out: no AttributeError from the inside, no OverflowError, no NaN passed on. What
has an answer though it looks wrong is listed in ALLOWED, with the reason; anything else is refused.
"""

import inspect
import math
import warnings
from dataclasses import fields, is_dataclass
from functools import cache

import numpy as np
import pytest

import headframe as hf
from moving import boom, loaded

HUGE = 10**400  # a whole number beyond all doubles


class Odd:
    """What nobody expects: it has no meaning, but a text that breaks lines."""

    def __repr__(self):
        return "an\nodd thing"


WRONG = {
    "None": None,
    "True": True,
    "nought": 0,
    "minus": -1,
    "half": 0.5,
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "1e308": 1e308,
    "tiny": 5e-324,
    "huge": HUGE,
    "complex": 1j,
    "empty text": "",
    "text": "no such thing",
    "zero byte": "a\0b",
    "bytes": b"bytes",
    "empty list": [],
    "list of texts": ["x", "y"],
    "list of huge": [HUGE, 1.0, 2.0],
    "list of nan": [math.nan] * 3,
    "list of 1e308": [1e308] * 3,
    "ragged": [[1.0], [1.0, 2.0]],
    "empty map": {},
    "map": {"no such thing": 1.0},
    "map of numbers": {1: 2},
    "array": np.zeros(2),
    "deep array": np.zeros((1, 2, 3, 4)),
    "array of objects": np.array([Odd(), None], dtype=object),
    "array of nan": np.full((4, 4), np.nan),
    "function": lambda: 1,
    "type": int,
    "generator": None,  # made anew each time: see `wrong_values`
    "odd": Odd(),
}


def wrong_values():
    """Kinds and values; a generator that has been read once would be an empty one."""
    for kind, value in WRONG.items():
        yield kind, (n for n in (1.0, 2.0)) if kind == "generator" else value


@cache
def machine():
    return boom(ram={"speed": 0.3, "force": 1e5}, end_effector="arm")


BALL = {"type": "sphere", "r": 0.1}


def world():
    """A world with a ball in it."""
    made = hf.World()
    made.add_body("ball", BALL, 1.0)
    made.add_static("post", BALL, [9.0, 0.0, 0.0])
    return made


def sound(tmp_path):
    """Every public callable with sound arguments, by name."""
    m = machine()
    home, tree, cutter = m.home, m.mechanism, loaded("roadheader")
    target = m.fk({"ram": m.home.lengths[0] + 0.02}).pose("arm")
    sim = hf.Simulation(m)
    q, v = sim.q, sim.v
    zero, six = np.zeros(v.size), np.zeros(6)
    recorder = hf.Recorder(hf.Simulation(m))
    recording = hf.record(hf.Simulation(m), 0.05)
    reach = hf.workspace(m, samples=20)
    course = hf.trajectory(m, "arm", [home.pose("arm"), target])
    file = tmp_path / "machine.json"
    m.save(file)
    saved = recording.save(tmp_path / "run.npz")
    way = hf.Serpentine(
        profile=hf.arched(4.0, 1.5, 1.0), radius=0.3, margin=0.05, spacing=0.4,
        rows=np.zeros((1, 3)), points=np.array([[0.0, 1.0], [1.0, 1.0]]), left_out=(),
    )  # fmt: skip
    out = tmp_path / "out"
    out.mkdir()
    return {
        # ------------------------------------------------------------ making and solving
        "load": (
            hf.load,
            {"name_or_path": str(file), "packages": {}, "strict": False, "repair": None},
        ),
        "examine": (
            hf.examine, {"name_or_path": str(file), "packages": {}, "strict": False}
        ),
        "load_scene": (hf.load_scene, {"name_or_path": "yard"}),
        "assemble": (hf.assemble, {"machine": m}),
        "compile_machine": (hf.compile_machine, {"machine": m}),
        "Machine": (hf.Machine, {"robot": m.robot, "folder": None, "counts": {"links": 2}}),
        "Machine.fk": (m.fk, {"lengths": home.lengths, "start": home, "method": "exact"}),
        "Machine.ik": (
            m.ik,
            {
                "link": "arm", "target": target, "start": home, "weights": np.ones(6),
                "mask": [1] * 6, "method": "newton",
            },
        ),
        "Machine.fk_batch": (
            m.fk_batch,
            {"lengths": home.lengths[None], "links": ("arm",), "start": home, "base": np.eye(4)},
        ),
        "Machine.ik_batch": (
            m.ik_batch,
            {
                "link": "arm", "targets": target[None], "start": home, "weights": np.ones(6),
                "mask": [1] * 6, "chained": True, "links": ("arm",), "base": np.eye(4),
            },
        ),
        "Machine.repaired": (m.repaired, {"repair": "nearest"}),
        "Machine.jacobian": (m.jacobian, {"link": "arm", "state": home}),
        "Machine.statics": (m.statics, {"state": home, "wrenches": {"arm": six}, "gravity": 9.81}),
        "Machine.stroke": (m.stroke, {"state": home, "actuator": "ram"}),
        "Machine.save": (m.save, {"path": out / "m.json"}),
        "Machine.export": (m.export, {"path": out / "m.xml", "form": "mjcf"}),
        "Machine.draw": (m.draw, {"path": out / "m.png", "names": True}),
        "Machine.draw_topology": (m.draw_topology, {"path": out / "m.png", "stage": "raw"}),
        "FKBatch.pose": (m.fk_batch(home.lengths[None], ("arm",)).pose, {"link": "arm"}),
        "State": (hf.State, {"mechanism": tree, "q": home.q, "base": np.eye(4)}),
        "State.moved": (home.moved, {"base": np.eye(4)}),
        "State.pose": (home.pose, {"link": "arm"}),
        "Mechanism.positions": (tree.positions, {"q": home.q}),
        "Robot.link": (m.robot.link, {"name": "arm"}),
        "Robot.joint": (m.robot.joint, {"name": "lift"}),
        "Robot.actuator": (m.robot.actuator, {"name": "ram"}),
        "pose_error": (hf.pose_error, {"X": np.eye(4), "Y": np.eye(4)}),
        "workspace": (
            hf.workspace,
            {
                "machine": m, "link": "arm", "samples": 10, "seed": 0, "method": "random",
                "start": home, "point": np.zeros(3), "progress": None,
            },
        ),
        "Workspace.save": (reach.save, {"path": out / "w.npz", "folder": None}),
        "trajectory": (
            hf.trajectory,
            {
                "machine": m, "link": "arm", "via_points": [home.pose("arm"), target],
                "start": home, "weights": np.ones(6), "step": 0.01, "interval": 0.02,
                "link_speed": 0.2, "closest": False, "progress": None, "standing": home,
            },
        ),
        "Trajectory.slowed": (course.slowed, {"part": 0.5}),
        "Trajectory.save": (course.save, {"path": out / "t.csv"}),
        "Trajectory.plot": (course.plot, {"path": out / "t.png", "folder": None}),
        "serpentine": (
            hf.serpentine,
            {
                "machine": cutter, "link": "cutter_head", "profile": hf.arched(4.0, 1.8, 1.4),
                "depth": 5.6, "diameter": 1.0, "overlap": 0.2, "margin": 0.05, "floor": 0.0,
                "centre": 0.0, "every": 0.5, "contour": False, "start": cutter.home,
            },
        ),
        "Serpentine.covered": (way.covered, {"grid": 0.1}),
        "Serpentine.positions": (
            way.positions, {"depth": 1.0, "floor": 0.0, "centre": 0.0, "up": (0, 0, 1)}
        ),
        "arched": (hf.arched, {"width": 4.0, "wall": 1.5, "rise": 1.0}),
        # ------------------------------------------------------------ dynamics
        "rnea": (hf.rnea, {"mechanism": m, "q": q, "v": v, "vdot": zero, "out": None,
                           "wrenches": {"arm": six}}),
        "crba": (hf.crba, {"mechanism": m, "q": q, "out": None}),
        "aba": (hf.aba, {"mechanism": m, "q": q, "v": v, "tau": zero, "out": None,
                         "wrenches": {"arm": six}}),
        "forward_dynamics": (
            hf.forward_dynamics,
            {"mechanism": m, "q": q, "v": v, "tau": zero, "wrenches": {"arm": six}, "out": None},
        ),
        "body_jacobian": (
            hf.body_jacobian, {"mechanism": m, "q": q, "link": "arm", "point": np.zeros(3),
                               "out": None},
        ),
        "centre_of_mass": (hf.centre_of_mass, {"mechanism": m, "q": q}),
        "energy": (hf.energy, {"mechanism": m, "q": q, "v": v}),
        "momentum": (hf.momentum, {"mechanism": m, "q": q, "v": v}),
        "Simulation": (
            hf.Simulation,
            {
                "machine": m, "formulation": "auto", "integrator": "rk4", "step": 1e-3,
                "gravity": 9.81, "start": home, "velocity": {"ram": 0.01}, "coordinates": "auto",
                "repair": None,
            },
        ),
        "Simulation.run": (sim.run, {"seconds": 0.01}),
        "Simulation.step": (sim.step, {"n": 1}),
        "Simulation.pose": (sim.pose, {"link": "arm"}),
        "Simulation.joint": (sim.joint, {"name": "lift"}),
        "Simulation.cylinder": (sim.cylinder, {"name": "ram"}),
        "Simulation.command": (sim.command, {"commands": {"ram": hf.locked()}}),
        "Simulation.apply": (
            hf.Simulation(m).apply, {"link": "arm", "wrench": six, "point": np.zeros(3)}
        ),
        "Simulation.restore": (hf.Simulation(m).restore, {"saved": hf.Simulation(m).save()}),
        "World": (hf.World, {"scene": None, "step": 1e-3, "gravity": 9.81}),
        "World.add": (
            lambda **given: hf.World().add(**given),
            {"machine": m, "name": "it", "at": np.eye(4), "base": "fixed", "formulation": "auto"},
        ),
        "World.add_body": (
            lambda **given: hf.World().add_body(**given),
            {"name": "it", "shapes": BALL, "mass": 1.0, "at": np.zeros(3), "material": "steel",
             "velocity": six, "folder": tmp_path},
        ),
        "World.add_static": (
            lambda **given: hf.World().add_static(**given),
            {"name": "it", "shapes": BALL, "at": np.zeros(3), "material": "steel",
             "folder": tmp_path},
        ),
        "World.join": (
            lambda **given: world().join(**given),
            {"a": "ball", "b": "post", "type": "fixed", "at": np.zeros(3), "name": "joint"},
        ),
        "World.pose_of": (world().pose_of, {"name": "ball"}),
        "World.remove": (lambda name: world().remove(name), {"name": "ball"}),
        "World.part": (world().part, {"name": "ball"}),
        "World.run": (world().run, {"seconds": 0.01}),
        "World.step": (world().step, {"n": 1}),
        "World.restore": (world().restore, {"saved": world().save()}),
        "World.contacts_of": (world().contacts_of, {"name": "ball"}),
        "Recorder": (hf.Recorder, {"simulation": sim, "rate": 100.0, "options": {}}),
        "Recorder.run": (recorder.run, {"seconds": 0.01, "progress": None}),
        "Recorder.steps_in": (recorder.steps_in, {"seconds": 0.01}),
        "record": (
            hf.record,
            {"simulation": sim, "seconds": 0.01, "rate": 100.0, "progress": None, "options": {}},
        ),
        "Recording.save": (recording.save, {"path": out / "r.npz"}),
        "Recording.load": (hf.Recording.load, {"path": saved}),
        "Recording.plot": (recording.plot, {"path": out / "r.png"}),
        "Command": (hf.Command, {"kind": "speed", "value": 0.1}),
        "speed": (hf.speed, {"rate": 0.1}),
        "force": (hf.force, {"newtons": 1.0}),
        "length": (hf.length, {"metres": 1.0}),
        "position": (hf.position, {"value": 1.0}),
        "torque": (hf.torque, {"newton_metres": 1.0}),
    }  # fmt: skip


# Made by functions that check; their constructors, and what is for the kernels' neighbours, are
# not for users. `show` needs a notebook (its own tests).
INNER = {
    "CentreOfMass", "FKBatch", "IKBatch", "IKResult", "Mechanism", "Problem", "Recording", "Robot",
    "Serpentine", "Stroke", "Trajectory", "TreeEnergy", "Workspace", "Machine.show",
    "Mechanism.joint_at", "Mechanism.positions_of", "Mechanism.targets", "Mechanism.poses",
    "Mechanism.twists", "Mechanism.velocities_in", "Mechanism.frames", "State.solved", "State.pin",
    "World.loose_record", "World.joined_records", "World.add_things", "World.add_obstacle",
}  # fmt: skip


def public_names():
    """Every callable with arguments that a user sees: functions, classes, their methods."""
    for name in hf.__all__:
        thing = getattr(hf, name)
        if inspect.isclass(thing) and issubclass(thing, Exception):
            continue
        yield name, thing
        if inspect.isclass(thing):
            for inner, method in vars(thing).items():
                if not inner.startswith("_") and callable(getattr(thing, inner)):
                    yield f"{name}.{inner}", getattr(method, "__func__", method)


def test_no_public_function_is_left_out(tmp_path):
    assert list(sound(tmp_path)) == NAMES
    listed = {*NAMES, *INNER}
    for name, thing in public_names():
        arguments = [p for p in inspect.signature(thing).parameters if p != "self"]
        assert name in listed or not arguments, name


def not_finite(value, depth=0):
    """Whether an answer holds numbers that are not finite."""
    if isinstance(value, float):
        return not math.isfinite(value)
    if isinstance(value, np.ndarray):
        return value.dtype.kind == "f" and not np.isfinite(value).all()
    if depth < 3 and is_dataclass(value) and not isinstance(value, type):
        return any(not_finite(getattr(value, f.name), depth + 1) for f in fields(value))
    return False


NAMES = [
    "load", "examine", "load_scene", "assemble", "compile_machine", "Machine", "Machine.fk",
    "Machine.ik", "Machine.fk_batch", "Machine.ik_batch", "Machine.repaired", "Machine.jacobian",
    "Machine.statics", "Machine.stroke", "Machine.save", "Machine.export", "Machine.draw",
    "Machine.draw_topology", "FKBatch.pose", "State", "State.moved", "State.pose",
    "Mechanism.positions", "Robot.link", "Robot.joint", "Robot.actuator", "pose_error",
    "workspace", "Workspace.save", "trajectory", "Trajectory.slowed", "Trajectory.save",
    "Trajectory.plot", "serpentine", "Serpentine.covered", "Serpentine.positions", "arched",
    "rnea", "crba", "aba", "forward_dynamics", "body_jacobian", "centre_of_mass", "energy",
    "momentum", "Simulation", "Simulation.run", "Simulation.step", "Simulation.pose",
    "Simulation.joint", "Simulation.cylinder", "Simulation.command", "Simulation.apply",
    "Simulation.restore", "World", "World.add", "World.add_body", "World.add_static",
    "World.join", "World.pose_of", "World.remove", "World.part", "World.run", "World.step",
    "World.restore", "World.contacts_of",
    "Recorder", "Recorder.run", "Recorder.steps_in", "record",
    "Recording.save", "Recording.load", "Recording.plot", "Command", "speed", "force",
    "length", "position", "torque",
]  # fmt: skip


# Which kinds of WRONG have an answer: why, which kinds, and for which arguments.
ALLOWED = [
    (
        "None: the default, or nothing",
        ["None"],
        """load.packages load.repair examine.packages Machine.folder Machine.counts
        Machine.fk.start Machine.ik.start Machine.ik.weights Machine.ik.mask
        Machine.fk_batch.start Machine.fk_batch.base
        Machine.ik_batch.start Machine.ik_batch.weights Machine.ik_batch.mask Machine.ik_batch.base
        Machine.repaired.repair Machine.jacobian.state Machine.statics.state
        Machine.statics.wrenches Machine.stroke.state State.base
        workspace.link workspace.start workspace.progress Workspace.save.folder
        trajectory.link trajectory.start trajectory.weights trajectory.link_speed
        trajectory.progress trajectory.standing Trajectory.plot.folder
        serpentine.link serpentine.start
        rnea.out rnea.wrenches crba.out aba.out aba.wrenches
        forward_dynamics.wrenches forward_dynamics.out body_jacobian.point body_jacobian.out
        Simulation.integrator Simulation.start Simulation.velocity Simulation.repair
        Simulation.apply.wrench Simulation.apply.point World.scene World.add.name World.add.at
        World.add.base World.add_body.at World.add_body.velocity World.add_static.at
        World.add_body.folder World.add_static.folder World.join.at World.join.name
        Recorder.options Recorder.run.progress record.progress record.options""",
    ),
    (
        "an empty map: nothing by name",
        ["empty map"],
        """load.packages examine.packages Machine.counts Machine.fk.lengths Machine.statics.wrenches
        rnea.wrenches aba.wrenches forward_dynamics.wrenches Simulation.velocity
        Simulation.command.commands Recorder.options record.options""",
    ),
    (
        "no names: poses of no links",
        ["empty list", "empty map"],
        "Machine.fk_batch.links Machine.ik_batch.links",
    ),
    ("notes of the user's own", ["map", "map of numbers"], "Recorder.options record.options"),
    (
        "a switch",
        ["True"],
        """load.strict examine.strict Machine.ik_batch.chained Machine.draw.names trajectory.closest
        serpentine.contour""",
    ),
    (
        "the answer is a list of problems, never an error",
        ["empty text", "text", "zero byte"],
        "examine.name_or_path",
    ),
    (
        "a name of a member of a world",
        ["text", "zero byte"],
        "World.add.name World.add_body.name World.add_static.name World.join.name",
    ),
    ("a file of that name is written", ["text"], "Machine.save.path Machine.export.path"),
    (
        "a folder need not be there: only meshes are looked for in it",
        ["empty text", "text"],
        """Machine.folder Trajectory.plot.folder Workspace.save.folder World.add_body.folder
        World.add_static.folder""",
    ),
    (
        "the same; its name is looked at with the first mesh",
        ["zero byte"],
        """Machine.folder Trajectory.plot.folder Workspace.save.folder World.add_body.folder
        World.add_static.folder""",
    ),
    (
        "any number: a place, a pull, a command",
        ["nought", "minus", "half", "tiny"],
        """Machine.statics.gravity serpentine.floor serpentine.centre Serpentine.positions.depth
        Serpentine.positions.floor Serpentine.positions.centre Simulation.gravity World.gravity
        Command.value speed.rate force.newtons length.metres position.value torque.newton_metres""",
    ),
    (
        "a command is compared with what its drive can do when it is given to one",
        ["1e308"],
        "Command.value speed.rate force.newtons length.metres position.value torque.newton_metres",
    ),
    (
        "a size or time that may be nought",
        ["nought", "half", "tiny"],
        """serpentine.overlap serpentine.margin arched.wall arched.rise Simulation.run.seconds
        World.run.seconds""",
    ),
    ("a size or speed above nought", ["half", "tiny"], "arched.width trajectory.link_speed"),
    (
        "a number that will do",
        ["half"],
        """trajectory.step trajectory.interval Trajectory.slowed.part serpentine.diameter
        serpentine.every Serpentine.covered.grid Simulation.step Recorder.rate Recorder.run.seconds
        World.step World.add_body.mass
        Recorder.steps_in.seconds record.seconds record.rate""",
    ),
    (
        "a whole number that may be nought",
        ["nought"],
        "workspace.seed Simulation.step.n World.step.n",
    ),
]


def allowed_for(name):
    """Arguments of a function and kinds that have an answer."""
    return {
        (argument, kind)
        for _, kinds, places in ALLOWED
        for function, _, argument in (place.rpartition(".") for place in places.split())
        if function == name
        for kind in kinds
    }


def test_what_is_allowed_is_there(table):
    """A name that is misspelt would allow nothing, and nobody would know."""
    there = {
        f"{name}.{argument}" for name, (_, arguments) in table.items() for argument in arguments
    }
    listed = {place for _, _, places in ALLOWED for place in places.split()}
    assert listed <= there
    assert all(kind in WRONG for _, kinds, _ in ALLOWED for kind in kinds)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return sound(tmp_path_factory.mktemp("sound"))


@pytest.mark.parametrize("name", NAMES)
def test_wrong_arguments_are_refused_in_our_words(table, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a text may be the name of a file
    function, arguments = table[name]
    function(**arguments)  # else nothing below says anything
    bad, accepted = [], set()
    for argument in arguments:
        for kind, value in wrong_values():
            if argument == "progress" and callable(value):
                continue  # what the user's own function raises is the user's
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", hf.HeadframeWarning)
                try:
                    answer = function(**{**arguments, argument: value})
                except hf.HeadframeError:
                    continue
                except BaseException as error:  # any other is a defect
                    bad.append(f"{argument} = {kind}: {type(error).__name__}: {error}"[:160])
                    continue
            accepted.add((argument, kind))
            if not_finite(answer):
                bad.append(f"{argument} = {kind}: numbers that are not finite")
    allowed = allowed_for(name)
    bad += [f"{argument} = {kind}: accepted" for argument, kind in sorted(accepted - allowed)]
    bad += [f"{argument} = {kind}: refused by now" for argument, kind in sorted(allowed - accepted)]
    assert not bad, "\n" + "\n".join(bad)
