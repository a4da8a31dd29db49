"""Scene files: what they say, and every sort of mistake in them with its place."""

import copy
import json
import math
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

import headframe as hf
from headframe import errors
from headframe.cli.main import app
from headframe.description.jsonc import parse
from headframe.staging import load_scene, scenes
from headframe.staging.reading import LARGEST_SCENE, looks_like_scene, read_scene
from headframe.staging.schema import scene_schema

CRANE = Path(__file__).parents[1] / "fixtures" / "canonical_crane.json"
GOOD = {
    "headframe_scene": 1,
    "name": "bay",
    "environment": {"kind": "longwall", "seam": 3.5},
    "machines": [
        {
            "name": "support",
            "machine": "tcchs",
            "origin": {"xyz": [1, 2, 3], "rpy": [0, 0, math.pi / 2]},
            "count": 4,
            "step": {"xyz": [0, 1.75, 0], "rpy": [0, 0, 0.1]},
        },
        {"name": "lifter", "machine": "crane.json"},
    ],
    "drive": "lifter",
}


@pytest.fixture
def write(tmp_path):
    shutil.copy(CRANE, tmp_path / "crane.json")
    shutil.copytree(CRANE.parent / "meshes", tmp_path / "meshes")

    def write(**changes):
        path = tmp_path / "scene.json"
        data = {**GOOD, **changes}
        path.write_text(json.dumps({k: v for k, v in data.items() if v != "left out"}))
        return path

    return write


def stand(**changes):
    return {"machines": [{"name": "a", "machine": "tcchs", **changes}], "drive": "left out"}


def test_a_stand_says_whether_its_machines_stand_free(write):
    staged = load_scene(write(**stand(base="free")))
    (free,) = staged.scene.machines
    machine = staged.machine(free)
    assert machine.robot.base == "free"
    assert machine is staged.machine(free)
    assert staged.machine(free.model_copy(update={"base": None})).robot.base == "fixed"
    assert machine.counts == hf.load("tcchs").counts
    with pytest.raises(hf.MachineFileError, match="base"):
        load_scene(write(**stand(base="loose")))


def test_catalogue():
    assert scenes() == ["longwall", "playground", "tunnel", "yard"]
    wall = load_scene("longwall").scene
    assert wall.driven.count == 100
    assert wall.guest is None
    poses = wall.driven.poses
    np.testing.assert_allclose(np.diff(poses[:, 1, 3]), 1.75)
    assert abs(poses[:, 1, 3].mean()) < 1e-9  # about the origin, where single precision is finest
    assert load_scene("tunnel").scene.driven is None
    assert load_scene("yard").scene.guest is not None


def test_a_scene_says_where_machines_stand(write):
    staged = load_scene(write())
    first, lifter = staged.scene.machines
    assert staged.scene.driven is lifter
    assert staged.scene.environment.face == 6.4  # what is not given has its usual value
    a, b = first.poses[:2]
    np.testing.assert_allclose(a[:3, 3], [1, 2, 3])
    np.testing.assert_allclose(b[:3, 3], [1 - 1.75, 2, 3], atol=1e-12)  # in the first one's axes
    turn = 3 * 0.1 + math.pi / 2
    np.testing.assert_allclose(first.poses[3][:2, 0], [math.cos(turn), math.sin(turn)], atol=1e-12)
    assert first.units == ("1", "2", "3", "4")
    assert staged.machine(lifter).name == "crane"
    assert staged.machine(lifter) is staged.machine(lifter)


BROKEN = [
    ({"headframe_scene": "left out"}, "headframe_scene", errors.MissingFieldError, "missing"),
    ({"headframe_scene": 2}, "headframe_scene", errors.ValueRangeError, "found 2, expected 1"),
    ({"headframe_scene": True}, "headframe_scene", errors.ValueRangeError, "found true"),
    ({"name": "left out"}, "name", errors.MissingFieldError, "missing"),
    ({"name": ""}, "name", errors.ValueRangeError, "1 to 256"),
    ({"naem": "x"}, "naem", errors.UnknownFieldError, "did you mean 'name'"),
    ({"environment": "left out"}, "environment", errors.MissingFieldError, "missing"),
    ({"environment": 5}, "environment", errors.WrongTypeError, "expected an object"),
    ({"environment": {}}, "environment.kind", errors.MissingFieldError, "tunnel, longwall, yard"),
    ({"environment": {"kind": "longwal"}}, "environment.kind", errors.ValueRangeError, "did you"),
    ({"environment": {"kind": ["yard"]}}, "environment.kind", errors.ValueRangeError, "one of"),
    ({"environment": {"kind": "yard", "seam": 3}}, "environment.seam", errors.UnknownFieldError,
     "unknown field"),
    ({"environment": {"kind": "longwall", "seam": 0.2}}, "environment.seam",
     errors.ValueRangeError, "at least 1"),
    ({"environment": {"kind": "longwall", "seam": "3"}}, "environment.seam",
     errors.WrongTypeError, "a number"),
    ({"machines": {}}, "machines", errors.WrongTypeError, "a list"),
    ({"machines": [5], "drive": "left out"}, "machines[0]", errors.WrongTypeError, "an object"),
    ({"machines": [], "drive": "left out"}, "machines", errors.MissingFieldError, "no room"),
    ({"machines": GOOD["machines"] * 20}, "machines", errors.TooManyElementsError, "at most 32"),
    ({"machines": [GOOD["machines"][1]] * 2}, "machines[1].name", errors.DuplicateNameError,
     "taken"),
    ({"drive": "supprt"}, "drive", errors.NameUnknownError, "did you mean 'support'"),
    ({"drive": 3}, "drive", errors.WrongTypeError, "a string"),
    ({"guest": {"xyz": [0, 0]}}, "guest.xyz", errors.WrongTypeError, "3 values"),
    ({"guest": {"xyz": [2e4, 0, 0]}}, "guest.xyz", errors.ValueRangeError, "at most 10000 m"),
    (stand(machine="left out"), "machines[0].machine", errors.NameUnknownError, "left out"),
    (stand(machine="tcch"), "machines[0].machine", errors.NameUnknownError, "did you mean 'tcchs'"),
    (stand(machine="none.json"), "machines[0].machine", errors.NotReadableError, "no such file"),
    (stand(machine="../crane.json"), "machines[0].machine", errors.NotReadableError, "inside"),
    (stand(machine="/etc/passwd.json"), "machines[0].machine", errors.NotReadableError, "inside"),
    (stand(count=0), "machines[0].count", errors.ValueRangeError, "at least 1"),
    (stand(count=1001), "machines[0].count", errors.ValueRangeError, "at most 1000"),
    (stand(count=2.5), "machines[0].count", errors.WrongTypeError, "a whole number"),
    (stand(count=True), "machines[0].count", errors.WrongTypeError, "a whole number"),
    (stand(count=3), "machines[0].step", errors.ValueRangeError, "in one place"),
    (stand(count=3, step={"rpy": [0, 0, 0.5]}), "machines[0].step", errors.ValueRangeError,
     "3 machines would stand in one place"),
    (stand(count=1000, step={"xyz": [20, 0, 0]}), "machines[0].step", errors.ValueRangeError,
     "19980 m away"),
    (stand(origin={"xyz": [0, 0, "0"]}), "machines[0].origin.xyz[2]", errors.WrongTypeError,
     "a number"),
    (stand(origin={"xyz": [0, 0, 1e400]}), "machines[0].origin.xyz[2]", errors.NotFiniteError,
     "finite"),
    (stand(origin={"zyx": [0, 0, 0]}), "machines[0].origin.zyx", errors.UnknownFieldError, "xyz"),
    (stand(step=7), "machines[0].step", errors.WrongTypeError, "an object"),
    ({"machines": [{"name": f"s{n}", "machine": "tcchs", "count": 600, "step": {"xyz": [0, 2, 0]}}
                   for n in range(2)], "drive": "left out"},
     "machines", errors.TooManyElementsError, "at most 1000"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "place", "kind", "said"), BROKEN)
def test_every_mistake_is_told_with_its_place(write, changes, place, kind, said):
    reading = read_scene(write(**changes))
    assert reading.scene is None
    found = {problem.place: problem for problem in reading.problems}
    assert place in found, reading.problems
    assert found[place].kind is kind
    assert said in str(found[place])
    assert found[place].line == 1 or "missing" in said or "no room" in said


def test_a_machine_may_stand_just_as_far_away_as_is_told(write):
    scene = load_scene(write(**stand(origin={"xyz": [0, -10_000, 0]}))).scene
    assert scene.machines[0].poses[0, 1, 3] == -10_000.0


def test_all_mistakes_are_told_at_once(write):
    path = write(
        name=5,
        environment={"kind": "yard", "length": 1},
        machines=[{"name": "a", "machine": "nothing", "count": -1, "origin": {"rpy": 3}}],
        drive="b",
    )
    places = {problem.place for problem in read_scene(path).problems}
    assert places == {
        "name", "environment.length", "machines[0].machine", "machines[0].count",
        "machines[0].origin.rpy", "drive",
    }  # fmt: skip
    with pytest.raises(errors.MachineFileError, match="6 problems"):
        load_scene(path)


def test_problems_of_a_machine_file_are_told_too(write, tmp_path):
    path = write()
    (tmp_path / "crane.json").write_text('{"mrdf": "1", "name": "x", "links": 3}')
    (problem,) = read_scene(path).problems
    assert problem.place == "machines[1].machine"
    assert "crane.json: links (line 1)" in problem.message


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", errors.NotJsonError),
        (b'{"headframe_scene": 1,', errors.NotJsonError),
        (b"[1]", errors.WrongTypeError),
        (b"\xff\xfe{", errors.NotJsonError),
        (b" " * (LARGEST_SCENE + 1), errors.FileTooLargeError),
        (b'{"a": ' * 100 + b"1" + b"}" * 100, errors.NestingError),
        (b'{"headframe_scene": 1, "name": "a", "name": "b"}', errors.DuplicateNameError),
    ],
)
def test_files_that_are_no_scenes(tmp_path, data, kind):
    path = tmp_path / "scene.json"
    path.write_bytes(data)
    reading = read_scene(path)
    assert reading.scene is None
    assert kind in [problem.kind for problem in reading.problems]


def test_unknown_names():
    with pytest.raises(errors.UnknownSceneError, match="did you mean 'longwall'"):
        load_scene("longwal")
    with pytest.raises(errors.UnknownSceneError, match="no such file"):
        load_scene("there/is/none.json")


def test_comments_and_lines(tmp_path):
    path = tmp_path / "scene.json"
    path.write_text(
        '{ // a scene\n"headframe_scene": 1, "name": "s",\n"environment": {"kind": "yard"},\n'
        '"machines": [\n{"name": "a", "machine": "lhd", "count": "2"},\n],}'
    )
    (problem,) = read_scene(path).problems
    assert (problem.place, problem.line) == ("machines[0].count", 5)


def test_check_understands_scenes(write):
    run = CliRunner().invoke
    good = write()
    done = run(app, ["check", str(good)])
    assert (done.exit_code, done.output) == (
        0, f"{good}: ok: bay, longwall, 4 x tcchs, 1 x crane.json\n",
    )  # fmt: skip
    done = run(app, ["check", str(write(drive="x"))])
    assert done.exit_code == 1
    assert "drive (line 1)" in done.output
    assert "1 problem\n" in done.output
    assert not looks_like_scene(CRANE)


def test_run_tells_problems_before_it_starts(write):
    run = CliRunner().invoke
    for arguments, said in [
        (["--scene", "longwal"], "did you mean 'longwall'"),
        (["--scene", str(write(drive="x"))], "no name of a machine"),
        (["lhd", "--scene", "longwall"], "no room for another machine"),
        (["--scene", "yard", "nothing"], "neither a catalogue machine"),
    ]:
        done = run(app, ["run", "--no-browser", *arguments])
        assert done.exit_code == 1
        assert said in done.output


def test_schema_describes_the_catalogue():
    schema = scene_schema()
    assert set(schema["required"]) == {"headframe_scene", "name", "environment"}
    assert schema["properties"]["machines"]["maxItems"] == 32
    kinds = {choice["$ref"] for choice in schema["properties"]["environment"]["oneOf"]}
    assert kinds == {"#/$defs/Tunnel", "#/$defs/Longwall", "#/$defs/Yard"}
    for element in (schema, *schema["$defs"].values()):
        assert all(field["description"] for field in element["properties"].values())
    stand = schema["$defs"]["Stand"]
    assert stand["additionalProperties"] is False
    assert stand["properties"]["count"]["maximum"] == 1000
    printed = CliRunner().invoke(app, ["schema", "--scene"]).output
    assert json.loads(printed) == schema


ODD = [None, True, 0, 1.0, 1, "x", [], {}, [0, 0, 0], {"xyz": [1, 2, 3]}, {"kind": "tunnel"}]


def changed(data, chance):
    """A scene with something else at a place or two."""
    for _ in range(chance.choice((1, 1, 2))):
        inside, waiting = [], [data]
        while waiting:
            item = waiting.pop()
            if isinstance(item, dict | list):
                inside += [item] if item else []
                waiting += item.values() if isinstance(item, dict) else item
        one = chance.choice(inside)
        key = chance.choice(list(one) if isinstance(one, dict) else range(len(one)))
        match chance.randrange(4):
            case 0:
                del one[key]
            case 1:
                one[key] = copy.deepcopy(chance.choice(ODD))
            case 2 if isinstance(one, dict):
                one[chance.choice(("guest", "step", "$schema", "drive"))] = chance.choice(ODD)
            case 3 if isinstance(one[key], int | float):
                one[key] = chance.choice((-1, 0.5, 2, 3.5, 40))
    return data


def test_the_schema_takes_what_the_reader_takes(write, tmp_path):
    validator, taken = Draft202012Validator(scene_schema()), 0
    for name in scenes():
        file = Path(hf.__file__).parent / "scenes" / f"{name}.json"
        assert list(validator.iter_errors(parse(file.read_text())[0])) == []
    file = write()  # with the machine file that it names beside it
    for seed in range(300):
        data = changed(copy.deepcopy(GOOD), random.Random(seed))
        file.write_text(json.dumps(data))
        if not read_scene(file).problems:
            taken += 1
            assert list(validator.iter_errors(data)) == [], data
    assert taken > 40


def test_a_scene_may_name_its_schema(write):
    assert load_scene(write(**{"$schema": "scene.schema.json"})).scene == load_scene(write()).scene
    (problem,) = read_scene(write(**{"$schema": 5})).problems
    assert problem.place == "['$schema']"
    assert "found 5" in problem.message


def test_library_names():
    assert hf.scenes() == scenes()
    assert hf.load_scene("yard").name == "yard"


def test_files_of_machines_are_told_by_the_names_in_the_scene(write, tmp_path):
    """Nothing of the disk above the scene's folder is told."""
    (tmp_path / "odd.json").write_text('{"mrdf": "1", "name": "odd"}')
    for name, said in (
        ("gone.json", "'gone.json', but there is no such file"),
        ("odd.json", "links"),
    ):
        (problem,) = read_scene(write(**stand(machine=name))).problems
        assert problem.place == "machines[0].machine"
        assert said in problem.message
        assert str(tmp_path) not in problem.message


def test_scene_is_no_machine(write):
    with pytest.raises(hf.MachineFileError, match=r"found a scene, expected a machine; .*--scene"):
        hf.load(write())
    done = CliRunner().invoke(app, ["run", "--no-browser", str(write())])
    assert (done.exit_code, "headframe run --scene" in done.output) == (1, True)


def test_machine_is_no_scene():
    with pytest.raises(hf.MachineFileError, match="found a machine, expected a scene"):
        load_scene(CRANE)
    assert repr(load_scene("longwall")) == "Staged(longwall: longwall, 100 x tcchs)"
