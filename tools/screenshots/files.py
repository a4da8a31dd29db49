"""Where pictures go, and how they are kept."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "_static"
QUALITIES = (84, 78, 70, 60, 50)  # of a JPEG, the first that is small enough
LARGEST = 300_000  # bytes of a picture


def keep(taken: bytes | Image.Image, path: Path) -> None:
    """Write a picture as JPEG, as good as its size allows, and tell of it."""
    picture = taken if isinstance(taken, Image.Image) else Image.open(io.BytesIO(taken))
    for quality in QUALITIES:
        written = io.BytesIO()
        picture.convert("RGB").save(written, "JPEG", quality=quality, optimize=True)
        if written.tell() <= LARGEST:
            break
    else:
        raise SystemExit(f"{path.name}: {written.tell()} bytes are too many, {LARGEST} may be")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(written.getvalue())
    print(f"{path.relative_to(ROOT)}: {written.tell() / 1000:.0f} kB", flush=True)
