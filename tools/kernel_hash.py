"""Print the folder of the Numba cache that belongs to the kernel sources as they are now.

Numba does not notice that a callee in another file has changed: a stale cache returns the results
of the old code. So the cache has one folder for each state of all kernel sources together.
"""

import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "headframe"


def kernel_sources() -> list[Path]:
    """All files that hold compiled code, and the decorator that compiles it."""
    return sorted([*PACKAGE.rglob("_kernels.py"), PACKAGE / "jit.py"])


def cache_folder() -> Path:
    """The absolute path `.cache/numba-<hash>` in the repository."""
    digest = hashlib.sha256()
    for path in kernel_sources():
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes() if path.exists() else b"")
    return ROOT / ".cache" / f"numba-{digest.hexdigest()[:16]}"


if __name__ == "__main__":
    print(cache_folder())
