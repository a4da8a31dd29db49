"""What is written is read back, bit for bit, with the machine."""

import base64
import io
import json
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from mcap.reader import make_reader
from runs import START, TICK, Made, frame_of

import headframe as hf
from headframe.description.appearance import parts_of
from headframe.export.page import machine_info
from headframe.protocol import VERSION, decode
from headframe.recordings import RunWriter, open_run, reading
from headframe.recordings.foxglove import Transforms
from headframe.recordings.layout import frame_type, plain_names, state_definition
from headframe.recordings.package import Package, pack, unpack
from headframe.recordings.reading import glance

OLD = Path(__file__).parents[1] / "fixtures" / "recordings" / "version_2.mcap"


def test_frames_come_back_bit_for_bit(made):
    run = open_run(made.path)
    assert list(run.frames()) == list(zip(made.times, made.frames, strict=True))
    assert (run.end, run.cut) == ("", False)


def test_it_tells_of_itself(made):
    assert open_run(made.path).about == made.about
    look = glance(made.path)
    assert look.about == made.about
    assert look.seconds == pytest.approx(899 * TICK * 1e-9)
    assert not look.cut


def test_arrays_are_those_of_the_frames(made):
    times, frames = open_run(made.path).read()
    np.testing.assert_allclose(times, np.arange(900) * TICK * 1e-9, rtol=1e-12)
    told = decode(made.frames[17])
    row = frames[17]
    for name, values in (
        ("poses", told.poses), ("lengths", told.lengths), ("speeds", told.speeds),
        ("forces", told.forces), ("motor_values", told.motors), ("joint_values", told.joints),
        ("energy", told.energy),
    ):  # fmt: skip
        np.testing.assert_array_equal(row[name], values)
    assert (row["time"], row["flags"], row["overruns"]) == (told.time, 8, 0)


def test_bodies_and_contacts_are_in_frames_of_one_size(tmp_path):
    rng, info = np.random.default_rng(4), machine_info(hf.load("door").mechanism)
    lying = np.column_stack([np.arange(2), rng.normal(size=(2, 7))]).astype(np.float32)
    found = [rng.normal(size=(n, 12)).astype(np.float32) for n in (0, 3, 64)]
    frames = [frame_of(info, n, rng, bodies=lying, contacts=each) for n, each in enumerate(found)]
    made = Made(tmp_path / "run.mcap", ticks=3, shapes=False, frames=frames, bodies=("a", "box 2"))
    _, told = open_run(made.path).read()
    np.testing.assert_array_equal(told["body_values"][1], lying)
    for row, contacts in zip(told["contact_values"], found, strict=True):
        np.testing.assert_array_equal(row[: len(contacts)], contacts)
        assert not row[len(contacts) :].any()
    schema, _, data = messages(made.path, "/state")[1]
    read = ros1_value(schema.data.decode(), data)
    assert list(read["body_values"]) == ["a", "box_2"]
    assert read["body_values"]["box_2"]["qw"] == lying[1, 4]
    assert read["contact_values"]["contact_3"]["fz"] == found[1][2, 8]


def test_recordings_of_version_2_still_open():
    """Written by Headframe before frames told of bodies and contacts."""
    run = open_run(OLD)
    assert (run.about.frames, run.about.bodies, run.about.contacts) == (2, (), 0)
    assert run.about.machine == machine_info(hf.load("five_link_chain").mechanism)
    frames = [decode(frame) for _, frame in run.frames()]
    assert not run.cut
    assert [frame.number for frame in frames] == list(range(12))
    rng = np.random.default_rng(1)
    for frame in frames:
        assert frame.time == pytest.approx(frame.number / 60)
        drawn = decode(frame_of(run.about.machine, frame.number, rng))
        np.testing.assert_array_equal(frame.poses, drawn.poses)
        np.testing.assert_array_equal(frame.energy, drawn.energy)
        assert len(frame.bodies) == len(frame.contacts) == 0
    times, told = run.read()
    assert len(times) == len(told) == 12
    np.testing.assert_array_equal(told["poses"][5], frames[5].poses)
    assert set(told["version"]) == {VERSION}


@pytest.mark.parametrize("name", ["gripper", "door"])
def test_the_machine_is_inside(tmp_path, name):
    made = Made(tmp_path / "run.mcap", name, ticks=2, shapes=False)
    path = unpack(open_run(made.path).machine(), tmp_path / "there")
    machine = hf.load(path)
    assert machine.robot == made.machine.robot
    assert pack(machine).fingerprint == made.about.fingerprint
    for file, _ in made.machine.files():
        assert (path.parent / file).read_bytes() == (made.machine.folder / file).read_bytes()


def test_a_machine_of_other_looks_has_another_fingerprint(made):
    files = dict(made.package.files)
    assert Package(dict(reversed(files.items()))).fingerprint == made.about.fingerprint
    files["more.stl"] = b""
    assert Package(files).fingerprint != made.about.fingerprint


def test_chunks_are_of_about_a_quarter_of_a_second(made):
    with made.path.open("rb") as file:
        chunks = make_reader(file).get_summary().chunk_indexes
    lasting = [(c.message_end_time - c.message_start_time) * 1e-9 for c in chunks]
    assert len(chunks) >= 50
    assert all(0.15 < seconds < 0.5 for seconds in lasting[:-1]), lasting


# ---------------------------------------------------------------- other readers


def messages(path, topic):
    with path.open("rb") as file:
        reader = make_reader(file, validate_crcs=True)
        return [
            (schema, message.log_time, message.data)
            for schema, _, message in reader.iter_messages(topics=[topic])
        ]


def test_transforms_are_the_poses(made):
    said = messages(made.path, "/tf")
    assert len(said) == 900
    schema, at, data = said[40]
    assert (schema.name, schema.encoding) == ("foxglove.FrameTransforms", "jsonschema")
    base, *links = json.loads(data)["transforms"]
    assert (base["parent_frame_id"], base["child_frame_id"]) == ("world", "machine")
    assert base["rotation"] == {"x": 0, "y": 0, "z": 0, "w": 1}
    assert [link["child_frame_id"] for link in links] == list(made.info.links)
    assert {link["parent_frame_id"] for link in links} == {"machine"}
    assert links[0]["timestamp"] == {"sec": at // 10**9, "nsec": at % 10**9}
    read = np.array(
        [[*link["translation"].values(), *(link["rotation"][k] for k in "wxyz")] for link in links],
        np.float32,
    )
    np.testing.assert_array_equal(read, decode(made.frames[40]).poses)


def test_machines_that_stand_on_their_side_are_turned_upright(made):
    info = replace(made.info, up_axis="y", links=('50% "boom"',))
    text = Transforms(info).message(START, np.zeros((1, 7), np.float32))
    base, link = json.loads(text)["transforms"]
    x, w = base["rotation"]["x"], base["rotation"]["w"]
    assert (2 * x * w, 1 - 2 * x * x) == pytest.approx((1.0, 0.0))  # y goes to z
    assert link["child_frame_id"] == '50% "boom"'


def test_shapes_are_there_link_by_link(tmp_path):
    made = Made(tmp_path / "run.mcap", ticks=2)
    [(schema, at, data)] = messages(made.path, "/scene")
    assert (schema.name, at) == ("foxglove.SceneUpdate", START)
    shapes = parts_of(made.machine.robot, made.machine.folder)
    parts = dict(zip(made.info.links, shapes, strict=True))
    entities = json.loads(data)["entities"]
    assert {e["frame_id"] for e in entities} == {link for link, its in parts.items() if its}
    for entity in entities[:4]:
        [model] = entity["models"]
        turn = model["pose"]["orientation"]  # undoes that glTF is shown with its y upwards
        assert (2 * turn["x"] * turn["w"], turn["y"], turn["z"]) == pytest.approx((-1.0, 0.0, 0.0))
        mesh = trimesh.load(
            io.BytesIO(base64.b64decode(model["data"])), file_type="glb", force="mesh"
        )
        own = np.concatenate([part.vertices for part in parts[entity["frame_id"]]])
        np.testing.assert_allclose(mesh.bounds, [own.min(axis=0), own.max(axis=0)], atol=1e-5)


def ros1_value(definition, data):
    """A message read by its definition alone: an independent reader of ROS 1 messages."""
    head, *others = definition.split("\n" + "=" * 80 + "\n")
    types = {text.split("\n")[0].removeprefix("MSG: "): text.split("\n")[1:] for text in others}
    sizes = {"uint16": "H", "uint32": "I", "float32": "f", "float64": "d"}
    at = 0

    def value(lines):
        nonlocal at
        found = {}
        for line in lines:
            kind, name = line.split("#")[0].split() if line.strip() else ("", "")
            if kind in sizes:
                (found[name],) = struct.unpack_from("<" + sizes[kind], data, at)
                at += struct.calcsize(sizes[kind])
            elif kind:
                found[name] = value(types[kind])
        return found

    read = value(head.split("\n"))
    assert at == len(data)
    return read


def test_frames_read_as_ros_messages_with_names(made):
    said = messages(made.path, "/state")
    schema, _, data = said[7]
    assert schema.encoding == "ros1msg"
    read = ros1_value(schema.data.decode(), data)
    told = decode(made.frames[7])
    assert read["time"] == told.time
    assert list(read["lengths"].values()) == told.lengths.tolist()
    assert list(read["lengths"]) == [c.name for c in made.info.cylinders]
    assert list(read["poses"]) == list(made.info.links)
    assert [list(pose.values()) for pose in read["poses"].values()] == told.poses.tolist()
    assert list(read["energy"].values()) == told.energy.tolist()


def test_units_stand_in_the_definition(made):
    text = state_definition(made.about)
    assert f"float32 {made.info.cylinders[0].name} # [N]" in text
    assert "float64 time # [s]" in text


def test_names_for_definitions_are_plain_and_different():
    names = ["boom", "boom lift", "boom_lift", "2nd", "Größe", "boom"]
    assert plain_names(names) == ["boom", "boom_lift", "boom_lift_2", "n_2nd", "Gr__e", "boom_2"]


# --------------------------------------------------------------------- refusals


def test_a_frame_of_another_machine_is_refused(made):
    writer = RunWriter(io.BytesIO(), made.about, made.package)
    with pytest.raises(hf.RecordingError, match="found 10 bytes, expected"):
        writer.add(START, bytes(10))


def test_numbers_that_are_not_finite_are_refused(made):
    rng = np.random.default_rng(0)
    wrong = frame_of(made.info, 0, rng, energy=np.array([0.0, np.nan, 0.0, 0.0]))
    writer = RunWriter(io.BytesIO(), made.about, made.package)
    with pytest.raises(hf.RecordingError, match="not finite"):
        writer.add(START, wrong)
    assert writer.count == 0


def test_two_frames_of_one_moment_stay_two(tmp_path, made):
    path = tmp_path / "run.mcap"
    with path.open("xb") as file, RunWriter(file, made.about, made.package) as writer:
        for frame in made.frames[:3]:
            writer.add(START, frame)
    assert [at for at, _ in open_run(path).frames()] == [START, START + 1, START + 2]


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "c:x", "a\\b", "", "a\nb"])
def test_no_file_leads_out_of_the_folder(tmp_path, name):
    with pytest.raises(hf.RecordingError, match="expected a relative path"):
        unpack(Package({"machine.json": b"{}", name: b"x"}), tmp_path / "in")
    assert list(tmp_path.iterdir()) == []


def test_frame_type_is_as_long_as_a_frame(made):
    assert frame_type(made.about).itemsize == len(made.frames[0])


def test_files_that_are_too_large_are_not_taken(made, monkeypatch):
    run = open_run(made.path)
    largest = max(len(data) for data in made.package.files.values())
    monkeypatch.setattr(reading, "LARGEST_FILE", largest)
    assert run.machine().files == made.package.files
    monkeypatch.setattr(reading, "LARGEST_FILE", largest - 1)
    with pytest.raises(hf.RecordingError, match=r"its file .* is too large"):
        run.machine()
