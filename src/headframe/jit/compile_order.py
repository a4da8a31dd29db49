"""Which kernels belong together, and which are wanted first.

A program that compiles in the background does one part after the other, so that a person can drive
a machine while its dynamics compile. `PARTS` names rooms or modules; of all names that a module's
own name begins with, the longest decides.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .sources import DECORATED, PACKAGE, kernel_sources, module_name

DRIVING, DYNAMICS, REACHING = "driving", "dynamics", "reaching"
CONTACT, IMPULSES, AUGMENTED = "contact", "impulses", "augmented"
PICTURES, COMPARISON, BENCH = "pictures", "comparison", "bench"

PARTS = {  # most wanted first
    DRIVING: ("mechanism", "actuation", "kinematics"),  # assembling, moving by kinematics
    DYNAMICS: ("dynamics",),  # the formulations that "auto" chooses from
    REACHING: ("kinematics.inverse", "spatial"),  # inverse kinematics, and studies
    CONTACT: (  # worlds
        "contact",
        "dynamics.touching",
        "dynamics.embedding.responding",
        "dynamics.constrained.responding",
    ),
    IMPULSES: ("constraints",),
    AUGMENTED: ("constraints.augmented",),
    PICTURES: ("pictures",),
    COMPARISON: ("baselines",),
    BENCH: ("bench",),
}


def part_of(module: str) -> str:
    """The part of a module, "headframe.dynamics.loop_rows".

    Raises:
        LookupError: no part names it.
    """
    own = module.removeprefix(f"{PACKAGE.name}.")
    fits = [
        (len(name), part)
        for part, names in PARTS.items()
        for name in names
        if f"{own}.".startswith(f"{name}.")
    ]
    if not fits:
        raise LookupError(f"no part of jit.compile_order.PARTS names the kernels of {module}")
    return max(fits)[1]


@cache
def sources_of(part: str) -> tuple[Path, ...]:
    """Files of kernels of a part."""
    return tuple(path for path in kernel_sources() if part_of(module_name(path)) == part)


def weights() -> dict[str, tuple[str, float, float]]:
    """Of every module with kernels its part, its characters, and those of a kernel in it."""
    told = {}
    for path in kernel_sources():
        text, module = path.read_bytes(), module_name(path)
        told[module] = part_of(module), float(len(text)), len(text) / len(DECORATED.findall(text))
    return told
