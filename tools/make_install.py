"""Install the package, editable and with the given extras, into the Python that runs this file.

What it needs is fetched while the page is built beside. Prints one line for each package that is
fetched, and all output of whatever fails.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import build_web

ROOT = Path(__file__).resolve().parents[1]
PIP = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]


def main() -> int:
    """Install everything and return pip's exit code."""
    extras = sys.argv[1:]
    start = time.monotonic()
    say(f"installing .[{','.join(extras)}] and what it needs")
    if not build_web.has_node():  # the page's own checks need it, too
        code = pip(build_web.node_wheel())
        if code:
            return code
    page = Page()
    wanted = sorted({*requirements(extras), *_pyproject()["build-system"]["requires"]})
    code = pip("--no-compile", *wanted)  # Python compiles what it imports, which is less
    if page.wait() and not code:
        return 1
    code = code or pip("--no-deps", "--no-build-isolation", "--editable", ".")
    if not code:
        say(f"installed in {time.monotonic() - start:.0f} s")
    return code


def requirements(extras: list[str]) -> Iterator[str]:
    """What the package and these extras of it need; an extra may name others."""
    project = _pyproject()["project"]
    yield from project["dependencies"]
    for extra in extras:
        for each in project["optional-dependencies"][extra]:
            own = re.fullmatch(rf"{project['name']}\[([\w,-]+)\]", each)
            if own is None:
                yield each
            else:
                yield from requirements(own[1].split(","))


def pip(*arguments: str) -> int:
    """Run pip, telling what it fetches; all it said if it fails. Gives back its exit code."""
    log = []
    with subprocess.Popen(
        [*PIP, "--progress-bar", "off", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            log.append(line)
            if found := re.match(r"Collecting ([\w.-]+)", line):
                say(f"  {found[1]}")
            elif line.startswith("Installing collected packages") and "headframe" not in line:
                say("  unpacking")
    code = process.returncode
    if code:
        print("".join(log), file=sys.stderr)
        print(f"[headframe] pip failed (exit code {code}), see above", file=sys.stderr)
    return code


class Page:
    """The page in the browser, built in a process beside."""

    def __init__(self) -> None:
        """Begin."""
        self._process = subprocess.Popen(
            [sys.executable, str(ROOT / "tools" / "build_web.py")],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        self._log = ""
        self._reading = threading.Thread(target=self._read)
        self._reading.start()

    def _read(self) -> None:
        self._log, _ = self._process.communicate()

    def wait(self) -> int:
        """Exit code, as soon as it is built."""
        if self._reading.is_alive():
            say("  the page in the browser (with npm)")
        self._reading.join()
        if self._process.returncode:
            print(self._log, file=sys.stderr)
        return self._process.returncode


def say(text: str) -> None:
    """Tell how far it is."""
    print(f"[headframe] {text}", flush=True)


def _pyproject() -> dict[str, Any]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)


if __name__ == "__main__":
    sys.exit(main())
