"""All pictures: what takes them, by name."""

from __future__ import annotations

from collections.abc import Callable

from ..studio import Studio
from . import (
    contacts,
    controls,
    inspect,
    machine,
    machines,
    notebook,
    path,
    plots,
    reach,
    record,
    robot,
    scenes,
    topology,
    tutorial,
    workspace,
)

SUBJECTS = (
    machines,
    reach,
    workspace,
    path,
    inspect,
    topology,
    plots,
    record,
    controls,
    machine,
    scenes,
    contacts,
    tutorial,
    robot,
    notebook,
)
PICTURES: dict[str, Callable[[Studio], None]] = {
    name: take for subject in SUBJECTS for name, take in subject.PICTURES.items()
}
