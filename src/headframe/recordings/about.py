"""What a recording tells of itself before its first moment: machine, physics, who wrote it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from pydantic import TypeAdapter, ValidationError

from ..errors import RecordingError
from ..protocol import OLDEST, STRONGEST, VERSION
from ..protocol.down import MachineInfo

FORMAT = 1  # of recordings; another one cannot be read by this version
RECORD = "headframe"  # name of the metadata in the file

_MACHINE: TypeAdapter[MachineInfo] = TypeAdapter(MachineInfo)
_NAMES: TypeAdapter[tuple[str, ...]] = TypeAdapter(tuple[str, ...])


@dataclass(frozen=True)
class Circumstances:
    """How a machine moved when its recording began.

    Attributes:
        environment: name of the surroundings.
        dynamics: under forces; otherwise by kinematics.
        formulation, integrator: of the motion.
        gravity: [m/s^2].
        step: a substep [s].
    """

    environment: str = ""
    dynamics: bool = False
    formulation: str = ""
    integrator: str = ""
    gravity: float = 0.0
    step: float = 0.0


@dataclass(frozen=True)
class About:
    """What a recording tells of itself.

    Attributes:
        machine: its names, in the order in which frames have their numbers.
        circumstances: how it moved.
        started: nanoseconds since 1970-01-01 UTC.
        fingerprint: of the machine's description with all files; equal machines have equal ones.
        files: names of the attachments that the machine consists of, its MRDF text first.
        headframe: version that wrote the recording.
        frames: version of the frames in it.
        scene: name of the scene; empty where nobody said it.
        bodies: names of the loose bodies, in the order in which frames have them.
    """

    machine: MachineInfo
    circumstances: Circumstances
    started: int
    fingerprint: str
    files: tuple[str, ...]
    headframe: str
    frames: int = VERSION
    scene: str = ""
    bodies: tuple[str, ...] = ()

    @property
    def contacts(self) -> int:
        """How many contacts a frame has room for."""
        return STRONGEST if self.frames == VERSION else 0

    def record(self) -> dict[str, str]:
        """As MCAP metadata: texts by name, to be read by people too."""
        how = self.circumstances
        return {
            "format": str(FORMAT),
            "headframe": self.headframe,
            "machine": self.machine.name,
            "machine_class": self.machine.machine_class,
            "environment": how.environment,
            "physics": "dynamics" if how.dynamics else "kinematics",
            "formulation": how.formulation,
            "integrator": how.integrator,
            "gravity_m_per_s2": repr(how.gravity),
            "step_s": repr(how.step),
            "started": datetime.fromtimestamp(self.started / 1e9, UTC).isoformat(),
            "started_ns": str(self.started),
            "fingerprint": self.fingerprint,
            "frames": str(self.frames),
            "scene": self.scene,
            "bodies": json.dumps(self.bodies, ensure_ascii=False),
            "files": json.dumps(self.files, ensure_ascii=False),
            "names": json.dumps(asdict(self.machine), ensure_ascii=False, allow_nan=False),
        }


def about_from(record: dict[str, str]) -> About:
    """What metadata say.

    Raises:
        RecordingError: of another format, or with something missing or wrong in it.
    """
    written_by = record.get("headframe", "an unknown version")[:40]
    try:
        form, frames = int(record["format"]), int(record["frames"])
    except (KeyError, ValueError):
        raise RecordingError("its metadata say no format, expected a number") from None
    if form > FORMAT or frames > VERSION:
        raise RecordingError(
            f"written by Headframe {written_by} in a newer format ({form}, frames {frames}); this "
            f"version reads up to format {FORMAT} with frames {VERSION}: install a newer Headframe"
        )
    if form != FORMAT or frames < OLDEST:
        raise RecordingError(
            f"found format {form} with frames {frames}, written by Headframe {written_by}, "
            f"expected format {FORMAT} with frames {OLDEST} to {VERSION}"
        )
    try:
        return About(
            machine=_MACHINE.validate_json(record["names"]),
            circumstances=Circumstances(
                environment=record["environment"],
                dynamics=record["physics"] == "dynamics",
                formulation=record["formulation"],
                integrator=record["integrator"],
                gravity=float(record["gravity_m_per_s2"]),
                step=float(record["step_s"]),
            ),
            started=int(record["started_ns"]),
            fingerprint=record["fingerprint"],
            files=_NAMES.validate_json(record["files"]),
            headframe=written_by,
            frames=frames,
            scene=record.get("scene", ""),
            bodies=_NAMES.validate_json(record.get("bodies", "[]")),
        )
    except KeyError as error:
        raise RecordingError(f"its metadata lack {error.args[0]!r}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise RecordingError(f"its metadata are wrong: {place}: {first['msg']}") from None
    except ValueError as error:
        raise RecordingError(f"its metadata are wrong: {error}") from None
