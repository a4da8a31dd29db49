"""Print the folder of the Numba cache that belongs to the kernel sources as they are now.

It is in the repository, and the command `headframe` uses the same one where it runs out of it.
Which state of the sources it belongs to is computed in one place, `headframe.jit`: this runs once
the package is installed.
"""

from pathlib import Path

from headframe.jit import kernel_sources, source_hash

__all__ = ["cache_folder", "kernel_sources"]
ROOT = Path(__file__).resolve().parents[1]


def cache_folder() -> Path:
    """The absolute path `.cache/numba-<hash>` in the repository."""
    return ROOT / ".cache" / f"numba-{source_hash()}"


if __name__ == "__main__":
    print(cache_folder())
