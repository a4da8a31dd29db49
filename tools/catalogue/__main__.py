"""Writes the catalogue's machine files, or checks that they are what the scripts make.

    python tools/catalogue            writes src/headframe/machines/*.json
    python tools/catalogue --check    exits 1 when a file differs
    python tools/catalogue tcchs ...  only these

A module of this folder with a `build() -> dict` is a machine; its name is the file's.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MACHINES = HERE.parents[1] / "src" / "headframe" / "machines"

sys.path.insert(0, str(HERE))  # the scripts import each other by their bare names


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write the catalogue's machine files.")
    parser.add_argument("machines", nargs="*", help="names; all unless told")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args(arguments)

    parts = importlib.import_module("parts")
    found = {}
    for info in pkgutil.iter_modules([str(HERE)]):
        if info.name == "__main__":
            continue
        module = importlib.import_module(info.name)
        if hasattr(module, "build"):
            found[info.name] = module.build
    for name in options.machines:
        if name not in found:
            parser.error(f"no machine {name!r}; there are {', '.join(found)}")

    different = []
    for name in options.machines or found:
        text = parts.text_of(found[name]())
        path = MACHINES / f"{name}.json"
        if options.check:
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                different.append(path.name)
        else:
            MACHINES.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(path)
    if different:
        print("differ from their scripts:", ", ".join(different), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
