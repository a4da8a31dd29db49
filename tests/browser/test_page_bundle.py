"""What a browser fetches before it shows anything stays small."""

import gzip
import re

from headframe.server.settings import STATIC

MOST = 250_000  # bytes, packed as servers send them


def test_what_is_loaded_at_once_is_small():
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    names = re.findall(r'(?:src|href)="\./(assets/[^"]+)"', page)
    assert any(name.endswith(".js") for name in names)
    waiting, known = list(names), set(names)
    while waiting:  # and what these import without being asked for
        name = waiting.pop()
        if not name.endswith(".js"):
            continue
        text = (STATIC / name).read_text(encoding="utf-8")
        for found in re.findall(r'(?:from|import)\s*"\./([^"]+\.js)"', text):
            if (other := f"assets/{found}") not in known:
                known.add(other)
                waiting.append(other)
    sizes = {name: len(gzip.compress((STATIC / name).read_bytes())) for name in known}
    assert sum(sizes.values()) <= MOST, sizes
    assert sum(sizes.values()) > 0.5 * MOST  # three.js is among them
