"""Recordings as tables."""

import builtins
import csv

import numpy as np
import pytest
from runs import TICK, Made, frame_of
from tests.servo_machines import EXAMPLES

import headframe as hf
from headframe.export.page import machine_info
from headframe.protocol import decode
from headframe.recordings import open_run, tables
from headframe.recordings.tables import export_run


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_csv_has_a_row_a_tick_and_exact_numbers(made, tmp_path):
    done = export_run(open_run(made.path), tmp_path / "run.csv")
    titles, *rows = rows_of(tmp_path / "run.csv")
    assert (done.rows, done.columns) == (len(rows), len(titles)) == (900, done.columns)
    assert done.seconds == pytest.approx(899 * TICK * 1e-9)
    told = decode(made.frames[321])
    row = dict(zip(titles, rows[321], strict=True))
    assert float(row["time [s]"]) == pytest.approx(321 * TICK * 1e-9)
    assert float(row["simulated time [s]"]) == told.time
    for n, cylinder in enumerate(made.info.cylinders):
        for what, unit, values in (
            ("length", "m", told.lengths), ("speed", "m/s", told.speeds),
            ("force", "N", told.forces),
        ):  # fmt: skip
            assert np.float32(row[f"{cylinder.name} {what} [{unit}]"]) == np.float32(values[n])
    for n, joint in enumerate(made.info.joints):
        unit = "rad" if joint.turns else "m"
        assert np.float32(row[f"{joint.name} position [{unit}]"]) == np.float32(told.joints[n])
    assert np.float32(row["unaccounted energy [J]"]) == np.float32(told.energy[3])
    assert (row["dynamics [1]"], row["paused [1]"]) == ("1", "0")


def test_poses_come_along_when_asked_for(made, tmp_path):
    export_run(open_run(made.path), tmp_path / "run.csv", poses=True)
    titles, *rows = rows_of(tmp_path / "run.csv")
    link = made.info.links[2]
    at = titles.index(f"{link} x [m]")
    assert titles[at + 3] == f"{link} qw [1]"
    read = np.array(rows[5][at : at + 7], np.float32)
    np.testing.assert_array_equal(read, decode(made.frames[5]).poses[2])


def test_parquet_says_the_same_as_csv(made, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("run.csv", "run.parquet"):
        export_run(open_run(made.path), tmp_path / name, poses=True)
    table = parquet.read_table(tmp_path / "run.parquet")
    titles, *rows = rows_of(tmp_path / "run.csv")
    assert table.column_names == titles
    assert table.schema.metadata[b"machine"] == b"door"
    for n, title in enumerate(titles):
        column = table[title].to_numpy()
        kind = np.uint8 if column.dtype == bool else column.dtype
        np.testing.assert_array_equal(column, np.array([row[n] for row in rows]).astype(kind))


def test_parquet_without_pyarrow_says_what_to_install(made, tmp_path, monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(hf.MissingExtraError, match=r"headframe\[parquet\]"):
        export_run(open_run(made.path), tmp_path / "run.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_cut_recording_is_exported_up_to_the_cut(made, tmp_path):
    path = tmp_path / "cut.mcap"
    path.write_bytes(made.data[: len(made.data) // 2])
    run = open_run(path)
    done = export_run(run, tmp_path / "run.csv")
    assert 0 < done.rows < 900
    assert run.cut


@pytest.mark.parametrize("name", ["run.txt", "run", "none/run.csv"])
def test_what_cannot_be_written_is_told(made, tmp_path, name):
    with pytest.raises(hf.ExportError, match=r"suffix|no folder"):
        export_run(open_run(made.path), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("rows", [1, 250, 300, 899, 900, 901])
def test_tables_written_in_pieces_are_whole(made, tmp_path, monkeypatch, rows):
    """Time goes on from piece to piece, and no row is lost or told twice where one ends."""
    monkeypatch.setattr(tables, "ROWS", rows)
    done = export_run(open_run(made.path), tmp_path / "run.csv")
    titles, *lines = rows_of(tmp_path / "run.csv")
    assert done.rows == len(lines) == 900
    assert done.seconds == pytest.approx(899 * TICK * 1e-9)
    told = np.array(lines, float)
    np.testing.assert_allclose(told[:, titles.index("time [s]")], np.arange(900) * TICK * 1e-9)
    simulated = [decode(frame).time for frame in made.frames]
    np.testing.assert_array_equal(told[:, titles.index("simulated time [s]")], simulated)


def test_motors_have_a_column_of_speed_and_one_of_torque(tmp_path):
    made = Made(tmp_path / "run.mcap", "roadheader", ticks=3, shapes=False)
    export_run(open_run(made.path), tmp_path / "run.csv")
    titles, *rows = rows_of(tmp_path / "run.csv")
    assert made.info.motors
    for line, frame in zip(rows, made.frames, strict=True):
        row, told = dict(zip(titles, line, strict=True)), decode(frame)
        for motor, (speed, torque) in zip(made.info.motors, told.motors, strict=True):
            assert np.float32(row[f"{motor.name} speed [rad/s]"]) == np.float32(speed)
            assert np.float32(row[f"{motor.name} torque [N m]"]) == np.float32(torque)


def test_a_slide_has_metres_and_newtons(tmp_path):
    path = EXAMPLES / "picker_description" / "urdf" / "picker.urdf"
    Made(tmp_path / "run.mcap", path, ticks=3, shapes=False)
    export_run(open_run(tmp_path / "run.mcap"), tmp_path / "run.csv")
    titles = set(rows_of(tmp_path / "run.csv")[0])
    assert {"left_finger speed [m/s]", "left_finger force [N]"} <= titles
    assert {"elbow speed [rad/s]", "elbow torque [N m]"} <= titles


def test_poses_of_bodies_are_columns_too(tmp_path):
    info, rng = machine_info(hf.load("door").mechanism), np.random.default_rng(6)
    lying = np.array([[0.0, 1.5, 2.5, 3.5, 1.0, 0.0, 0.0, 0.0]])
    frames = [frame_of(info, 0, rng, bodies=lying)]
    made = Made(tmp_path / "run.mcap", shapes=False, frames=frames, bodies=("box",))
    export_run(open_run(made.path), tmp_path / "run.csv", poses=True)
    titles, row = rows_of(tmp_path / "run.csv")
    told = dict(zip(titles, row, strict=True))
    assert (told["box x [m]"], told["box z [m]"], told["box qw [1]"]) == ("1.5", "3.5", "1.0")
