"""`python -m headframe.protocol [--check] [FILE]`: write the TypeScript types, or compare them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .typescript import source

FILE = Path("web/src/protocol/generated.ts")


def main() -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description="The protocol's TypeScript types.")
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    if not options.check:
        options.file.parent.mkdir(parents=True, exist_ok=True)
        options.file.write_text(source(), encoding="utf-8", newline="\n")
        return 0
    there = options.file.read_text(encoding="utf-8") if options.file.exists() else ""
    if there == source():
        return 0
    print(f"{options.file} is not what src/headframe/protocol says: make protocol", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
