"""Where a comparison ran: processor, Python, versions."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("headframe", "numpy", "scipy", "numba", "mujoco", "drake", "cma", "pin", "pybullet")
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def one_thread() -> None:
    """Keep the linear algebra of all methods on one core.

    Libraries read this when they are loaded, so it must come before NumPy.
    """
    for name in THREADS:
        os.environ.setdefault(name, "1")


def processor() -> str:
    """Name of the processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return (names or [platform.processor() or platform.machine()])[0]


def surroundings() -> dict[str, str]:
    """What a reader needs to judge the times."""
    facts = {
        "processor": f"{processor()}, {os.cpu_count()} cores, of which one is used",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
    }
    for name in PACKAGES:
        try:
            facts[name] = version(name)
        except PackageNotFoundError:
            facts[name] = "not installed"
    return facts
