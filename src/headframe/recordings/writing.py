"""Recordings written as MCAP.

The file begins with the metadata and the machine's files, so that a recording that was cut off
still has them. Then come chunks of about a quarter of a second, each compressed by itself: what a
cut takes is the chunk that was being filled. The first of them holds moments alone, the second the
shapes too, which are large. Channels:

    /state  every frame as it is, which reads as a ROS 1 message; see `layout`
    /tf     poses of all links, as foxglove.FrameTransforms in JSON
    /scene  shapes of all links, once at the start, as foxglove.SceneUpdate in JSON
"""

from __future__ import annotations

import json
from typing import IO, Self

import numpy as np
from mcap.writer import CompressionType, Writer

from ..errors import RecordingError
from ..protocol import HEADER, POSE
from .about import RECORD, About
from .foxglove import SCENE, SCHEMAS, TRANSFORMS, Transforms, scene_message
from .layout import STATE, frame_type, state_definition
from .package import DESCRIPTION, Package

TICKS = 15  # frames in a chunk: about a quarter of a second
MESSAGE = 31  # bytes of a message beside its data
STATE_TOPIC, TF_TOPIC, SCENE_TOPIC = "/state", "/tf", "/scene"
TYPES = {".json": "application/json", ".stl": "model/stl", ".obj": "model/obj"}
TYPES[".glb"] = "model/gltf-binary"


class RunWriter:
    """Writes a recording into an open file; `close` finishes it, the file itself stays open.

    Attributes:
        count: frames written.
        seconds: from the first to the last [s].
    """

    def __init__(
        self, file: IO[bytes], about: About, package: Package, shapes: bytes = b""
    ) -> None:
        """Write what stands at the start.

        Args:
            file: open for writing bytes.
            about: what the recording tells of itself.
            package: the machine.
            shapes: as `export.scene_glb.link_scene` gives them; none are written if empty.
        """
        self.count, self.seconds = 0, 0.0
        self._file, self._about, self._shapes = file, about, shapes
        self._type = frame_type(about)
        self._transforms = Transforms(about.machine)
        self._first = self._last = 0
        tick = 2 * MESSAGE + self._type.itemsize
        tick += len(self._transforms.message(about.started, self._standing()))
        self._mcap = Writer(file, chunk_size=TICKS * tick, compression=CompressionType.ZSTD)
        self._mcap.start(profile="headframe", library=f"headframe {about.headframe}")
        self._mcap.add_metadata(RECORD, about.record())
        for name in (DESCRIPTION, *(name for name in package.files if name != DESCRIPTION)):
            kind = TYPES.get(name[name.rfind(".") :].lower(), "application/octet-stream")
            self._mcap.add_attachment(about.started, about.started, name, kind, package.files[name])
        self._channels()
        self._file.flush()
        self._head = self._file.tell()

    def _channels(self) -> None:
        mcap, definition = self._mcap, state_definition(self._about)
        state = mcap.register_schema(STATE, "ros1msg", definition.encode())
        self._state = mcap.register_channel(STATE_TOPIC, "ros1", state)
        json_schemas = {
            name: mcap.register_schema(name, "jsonschema", json.dumps(schema).encode())
            for name, schema in SCHEMAS.items()
        }
        self._tf = mcap.register_channel(TF_TOPIC, "json", json_schemas[TRANSFORMS])
        self._scene = mcap.register_channel(SCENE_TOPIC, "json", json_schemas[SCENE])

    def _standing(self) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        """Poses with as many digits as numbers have."""
        return np.full((len(self._about.machine.links), POSE), -1.23456789, np.float32)

    def add(self, nanoseconds: int, frame: bytes) -> None:
        """Write a frame that was made at a moment since 1970-01-01 UTC; later than the one before.

        Raises:
            RecordingError: the frame is not one of the machine, or has numbers that are not finite.
        """
        if len(frame) != self._type.itemsize:
            raise RecordingError(
                f"frame: found {len(frame)} bytes, expected {self._type.itemsize} for "
                f"{self._about.machine.name}"
            )
        if not np.isfinite(np.frombuffer(frame, "<f4", offset=HEADER)).all():
            raise RecordingError("frame: found numbers that are not finite")
        at = max(nanoseconds, self._last + 1)
        if self.count == 0:
            self._first = at
        elif self._shapes and self._file.tell() > self._head:  # the first chunk is written
            self._show_shapes()
        values = np.frombuffer(frame, self._type)[0]
        self._mcap.add_message(self._state, at, frame, at, self.count)
        transforms = self._transforms.message(at, values["poses"])
        self._mcap.add_message(self._tf, at, transforms, at, self.count)
        self._last = at
        self.count += 1
        self.seconds = (at - self._first) * 1e-9
        if self.count % TICKS == 0:
            self._file.flush()

    def _show_shapes(self) -> None:
        """Write the shapes, to be seen from the first moment on."""
        at, shapes, self._shapes = self._first, self._shapes, b""
        scene = scene_message(at, self._about.machine, shapes)
        self._mcap.add_message(self._scene, at, scene, at)

    def close(self) -> None:
        """Write the last chunk and what stands at the end."""
        if self._shapes and self.count:
            self._show_shapes()
        self._mcap.finish()  # type: ignore[no-untyped-call]
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
