"""The commands for recordings."""

import pytest
from runs import Made
from typer.testing import CliRunner

from headframe.cli.main import app


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return Made(tmp_path_factory.mktemp("made") / "run.mcap", ticks=130, shapes=False)


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_export_writes_a_table_and_says_so(made, tmp_path):
    done = run("export", made.path, "-o", tmp_path / "run.csv")
    assert done.exit_code == 0, done.output
    assert "door, 130 rows and" in done.output
    lines = (tmp_path / "run.csv").read_text().splitlines()
    assert len(lines) == 131
    assert lines[0].startswith("time [s],simulated time [s],")


def test_export_of_a_cut_recording_says_where_it_ends(made, tmp_path):
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(made.data[:-3000])
    done = run("export", cut, "-o", tmp_path / "run.csv")
    assert done.exit_code == 0
    assert "is cut off: read up to" in done.stderr


@pytest.mark.parametrize("command", ["replay", "export"])
def test_what_is_no_recording_is_told_in_a_line(tmp_path, command):
    bad = tmp_path / "bad.mcap"
    bad.write_bytes(b"no recording")
    for file, said in ((bad, "expected an MCAP file"), (tmp_path / "none.mcap", "cannot be read")):
        more = ["-o", tmp_path / "run.csv"] if command == "export" else ["--no-browser"]
        done = run(command, file, *more)
        assert done.exit_code == 1
        assert done.stderr.startswith(f"error: {file}: ")
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
    assert not (tmp_path / "run.csv").exists()


def test_suffixes_that_are_not_known_are_told(made, tmp_path):
    done = run("export", made.path, "-o", tmp_path / "run.xls")
    assert done.exit_code == 1
    assert "none of .csv, .parquet" in done.stderr


def test_recordings_must_be_a_folder(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    done = run("run", "door", "--recordings", tmp_path / "file", "--no-browser")
    assert done.exit_code == 1
    assert "--recordings: found" in done.stderr
