"""Recordings that are cut off, damaged, or none at all."""

import struct
import zlib

import numpy as np
import pytest
from mcap.opcode import Opcode
from mcap.writer import CompressionType, Writer
from runs import START, TICK, Made

import headframe as hf
from headframe.recordings import open_run
from headframe.recordings.about import RECORD
from headframe.recordings.reading import glance
from headframe.recordings.records import CUT_OFF, Walk


def chunk_ends(path):
    """Where each chunk ends, and how many frames stand before that."""
    with path.open("rb") as file:
        walk = Walk(file)
        return [record.start + record.size for record in walk if record.opcode == Opcode.CHUNK]


def frames_in_chunks(made):
    """Frames up to the end of each chunk, from the file's own index of messages."""
    from mcap.reader import make_reader

    with made.path.open("rb") as file:
        chunks = make_reader(file).get_summary().chunk_indexes
    return [(c.message_end_time - START) // TICK + 1 for c in chunks]


def opened(path):
    """The recording, or what was said against it."""
    try:
        return open_run(path), ""
    except hf.RecordingError as error:
        return None, str(error)


@pytest.mark.parametrize("place", range(100))
def test_a_cut_loses_less_than_a_chunk(made, tmp_path, place):
    ends, counts = chunk_ends(made.path), frames_in_chunks(made)
    first = ends[0] * 9 // 10  # before the first moment, for some
    size = first + (len(made.data) - 1 - first) * place // 99
    path = tmp_path / "cut.mcap"
    path.write_bytes(made.data[:size])
    whole = max((n for end, n in zip(ends, counts, strict=True) if end <= size), default=0)
    run, said = opened(path)
    if run is None:
        assert whole == 0
        assert "cut off before its first moment" in said
        return
    found = list(run.frames())
    assert whole <= len(found) <= len(made.frames)
    assert found == list(zip(made.times, made.frames, strict=True))[: len(found)]
    assert run.end == CUT_OFF
    assert run.machine() == made.package
    assert glance(path).cut


def test_some_of_a_large_chunk_that_is_cut_is_saved(made, tmp_path):
    frames = made.frames[:250]
    path = written(tmp_path / "large.mcap", made.about.record(), frames, metadata_first=True)
    (end,) = chunk_ends(path)
    path.write_bytes(path.read_bytes()[: end - 20])
    assert 100 < len(list(open_run(path).frames())) < len(frames)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 20, 60, 500, 3000])
def test_a_cut_in_the_head_is_told(made, tmp_path, size):
    path = tmp_path / "cut.mcap"
    path.write_bytes(made.data[:size])
    with pytest.raises(hf.RecordingError, match=r"cut\.mcap: .*(cut off before|empty)"):
        open_run(path)


def test_whatever_byte_is_wrong_nothing_else_is_raised(made, tmp_path):
    rng = np.random.default_rng(5)
    path = tmp_path / "bad.mcap"
    true = list(zip(made.times, made.frames, strict=True))
    for _ in range(150):
        data = bytearray(made.data)
        data[rng.integers(len(data))] ^= 1 << rng.integers(8)
        path.write_bytes(data)
        try:
            run = open_run(path)
            found = list(run.frames())
        except hf.RecordingError:
            continue
        assert found == true[: len(found)]  # a prefix: what is damaged is not passed on
        assert len(found) == len(true) or run.cut


def test_random_bytes_are_no_recording(tmp_path):
    rng = np.random.default_rng(6)
    path = tmp_path / "noise.mcap"
    for size in (3, 100, 10_000):
        path.write_bytes(rng.bytes(size))
        with pytest.raises(hf.RecordingError, match="expected an MCAP file"):
            open_run(path)
    path.write_bytes(b"\x89MCAP0\r\n" + rng.bytes(5000))
    with pytest.raises(hf.RecordingError):
        open_run(path)


def test_a_size_that_is_claimed_is_not_believed(made, tmp_path):
    path = tmp_path / "huge.mcap"
    path.write_bytes(made.data[: chunk_ends(made.path)[1]] + struct.pack("<BQ", 6, 2**63))
    run = open_run(path)
    assert 0 < len(list(run.frames())) < 150
    assert run.end == CUT_OFF


def test_a_chunk_that_unpacks_to_more_than_it_says_is_damaged(made, tmp_path):
    import zstandard

    packed = zstandard.compress(bytes(2**26))
    body = struct.pack("<QQQII", 0, 1, 1000, 0, 4) + b"zstd" + struct.pack("<Q", len(packed))
    body += packed
    path = tmp_path / "bomb.mcap"
    end = chunk_ends(made.path)[0]
    path.write_bytes(made.data[:end] + struct.pack("<BQ", 6, len(body)) + body)
    run = open_run(path)
    assert 0 < len(list(run.frames())) < 70
    assert "checksum" in run.end


def test_a_folder_or_nothing_is_no_recording(tmp_path):
    with pytest.raises(hf.RecordingError, match="cannot be read: is a directory"):
        open_run(tmp_path)
    with pytest.raises(hf.RecordingError, match=r"none\.mcap: cannot be read: no such file"):
        open_run(tmp_path / "none.mcap")


# ------------------------------------------------------------------ other files


def written(
    path,
    record=None,
    frames=(),
    library="somebody 1.0",
    compression=CompressionType.ZSTD,
    metadata_first=False,
):
    """A file with metadata and messages of its own."""
    with path.open("wb") as file:
        writer = Writer(file, compression=compression)
        writer.start("", library)
        if metadata_first:
            writer.add_metadata(RECORD, record)
        schema = writer.register_schema("headframe/State", "ros1msg", b"")
        channel = writer.register_channel("/state", "ros1", schema)
        for n, frame in enumerate(frames):
            writer.add_message(channel, START + n, frame, START + n)
        if record is not None and not metadata_first:
            writer.add_metadata(RECORD, record)
        writer.finish()
    return path


def test_another_programs_file_is_told(tmp_path):
    path = written(tmp_path / "ros.mcap", frames=[b"x"])
    with pytest.raises(hf.RecordingError, match=r"another program \('somebody 1.0'\)"):
        open_run(path)


def test_a_newer_format_is_told(made, tmp_path):
    record = {**made.about.record(), "format": "2", "headframe": "9.9"}
    path = written(tmp_path / "new.mcap", record, made.frames[:2])
    with pytest.raises(hf.RecordingError, match=r"Headframe 9\.9 in a newer format.*install"):
        open_run(path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "x"}, "no format"),
        ({"format": "0"}, "found format 0"),
        ({"names": "{}"}, "metadata are wrong: name"),
        ({"names": "no json"}, "metadata are wrong"),
        ({"gravity_m_per_s2": "much"}, "metadata are wrong"),
        ({"files": "7"}, "metadata are wrong"),
    ],
)
def test_wrong_metadata_are_told(made, tmp_path, change, said):
    record = {**made.about.record(), **change}
    path = written(tmp_path / "wrong.mcap", record, made.frames[:2])
    with pytest.raises(hf.RecordingError, match=said):
        open_run(path)


def test_missing_metadata_are_told(made, tmp_path):
    record = made.about.record()
    del record["environment"]
    with pytest.raises(hf.RecordingError, match="lack 'environment'"):
        open_run(written(tmp_path / "wrong.mcap", record, made.frames[:2]))


def test_a_recording_without_moments_is_told(made, tmp_path):
    path = written(tmp_path / "none.mcap", made.about.record())
    with pytest.raises(hf.RecordingError, match="it holds no moment"):
        open_run(path)


def test_frames_of_another_machine_are_told(made, tmp_path):
    path = written(tmp_path / "other.mcap", made.about.record(), [made.frames[0][:-4]])
    with pytest.raises(hf.RecordingError, match="no frame of its machine"):
        open_run(path)


@pytest.mark.parametrize("third", [4, 6])
def test_time_that_goes_back_or_stays_ends_the_recording(made, tmp_path, third):
    path = tmp_path / "back.mcap"
    with path.open("wb") as file:
        writer = Writer(file)
        writer.start()
        writer.add_metadata(RECORD, made.about.record())
        schema = writer.register_schema("headframe/State", "ros1msg", b"")
        channel = writer.register_channel("/state", "ros1", schema)
        for at, frame in zip((5, 6, third), made.frames[:3], strict=True):
            writer.add_message(channel, at, frame, at)
        writer.finish()
    run = open_run(path)
    assert [at for at, _ in run.frames()] == [5, 6]
    assert "time does not go on" in run.end


@pytest.mark.parametrize("kind", CompressionType)
def test_files_that_were_packed_anew_are_read(made, tmp_path, kind):
    path = written(tmp_path / "again.mcap", made.about.record(), made.frames[:9], compression=kind)
    run = open_run(path)
    assert [frame for _, frame in run.frames()] == made.frames[:9]
    assert not run.cut
    with pytest.raises(hf.RecordingError, match=r"lacks the file 'machine\.json'"):
        run.machine()


def test_messages_outside_of_chunks_are_read(made, tmp_path):
    path = tmp_path / "plain.mcap"
    with path.open("wb") as file:
        writer = Writer(file, use_chunking=False)
        writer.start()
        writer.add_metadata(RECORD, made.about.record())
        schema = writer.register_schema("headframe/State", "ros1msg", b"")
        channel = writer.register_channel("/state", "ros1", schema)
        for n, frame in enumerate(made.frames[:5]):
            writer.add_message(channel, START + n, frame, START + n)
        writer.finish()
    assert [frame for _, frame in open_run(path).frames()] == made.frames[:5]


def test_a_damaged_machine_is_told(made, tmp_path):
    at = made.data.index(b'"mrdf"')
    data = made.data[:at] + b'"MRDF"' + made.data[at + 6 :]
    assert zlib.crc32(data) != zlib.crc32(made.data)
    path = tmp_path / "bad.mcap"
    path.write_bytes(data)
    with pytest.raises(hf.RecordingError, match=r"file 'machine\.json' is damaged"):
        open_run(path).machine()


@pytest.mark.parametrize("machine", ["door", "lhd"])
def test_twelve_seconds_cut_anywhere_after_the_first_open(tmp_path, machine):
    """At rest too, when frames take almost nothing beside the shapes."""
    made = Made(tmp_path / "run.mcap", machine, ticks=1)
    rest = Made(tmp_path / "rest.mcap", machine, frames=made.frames * 720)
    path = tmp_path / "cut.mcap"
    after = chunk_ends(rest.path)[0]  # less than the first second
    assert frames_in_chunks(rest)[0] <= 60
    for size in np.linspace(after, len(rest.data) - 1, 60).astype(int):
        path.write_bytes(rest.data[:size])
        run = open_run(path)
        assert sum(1 for _ in run.frames()) > 0
        assert run.machine() == rest.package
