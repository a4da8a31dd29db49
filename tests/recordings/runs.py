"""Recordings for tests: machines of the catalogue, frames of plain numbers."""

import numpy as np

import headframe as hf
from headframe.export.page import machine_info
from headframe.export.scene_glb import link_scene
from headframe.protocol import Frame, bodies_of, encode, whole
from headframe.recordings import RunWriter
from headframe.recordings.about import About, Circumstances
from headframe.recordings.package import pack

START = 1_700_000_000_123_456_789  # [ns]
TICK = 16_666_667


def frame_of(info, number, rng, **fields):
    """A frame of a machine at a tick, whole; `fields` replace what it says."""
    links, cylinders = len(info.links), len(info.cylinders)
    said = {
        "number": number, "scene": 3, "time": number / 60, "oldest": 0.0, "newest": number / 60,
        "flags": 8, "step_time": 1e-5, "tick_time": 2e-4, "overruns": 0,
        "poses": rng.normal(size=(links, 7)), "lengths": rng.normal(size=cylinders),
        "speeds": rng.normal(size=cylinders), "forces": 1e5 * rng.normal(size=cylinders),
        "motors": rng.normal(size=(len(info.motors), 2)),
        "joints": rng.normal(size=len(info.joints)), "energy": rng.normal(size=4),
    }  # fmt: skip
    data = encode(Frame(**{**said, **fields}))
    return whole(data, bodies_of(data))


class Made:
    """A recording that was written: what went into it."""

    def __init__(
        self, path, machine="door", ticks=150, shapes=True, seed=1, frames=None, bodies=()
    ):
        self.path, self.machine = path, hf.load(machine)
        self.info, self.package = machine_info(self.machine.mechanism), pack(self.machine)
        self.about = About(
            machine=self.info,
            circumstances=Circumstances("tunnel", True, "embedded", "rk4", 9.81, 1e-3),
            started=START,
            fingerprint=self.package.fingerprint,
            files=tuple(self.package.files),
            headframe=hf.__version__,
            scene="yard",
            bodies=bodies,
        )
        rng = np.random.default_rng(seed)
        self.frames = frames or [frame_of(self.info, n, rng) for n in range(ticks)]
        self.times = [START + n * TICK for n in range(len(self.frames))]
        glb = link_scene(self.machine) if shapes else b""
        with (
            path.open("xb") as file,
            RunWriter(file, self.about, self.package, glb) as writer,
        ):
            for at, frame in zip(self.times, self.frames, strict=True):
                writer.add(at, frame)
        self.data = path.read_bytes()
