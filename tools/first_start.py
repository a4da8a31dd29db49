"""Measure a first start: `make run` in a fresh clone, until a machine moves in it.

    python tools/first_start.py                    nothing is there, not even a downloaded package
    python tools/first_start.py --keep-downloads   packages that pip and npm have fetched before are
    python tools/first_start.py --again            and then a second start

The clone, its environment and all caches lie in a temporary folder, which is removed in the end. It
is a clone of what is committed. Times are since `make run`.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from websockets.sync.client import connect

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 900.0  # [s]
BEAT = 0.05  # between two messages of levers [s]


def main() -> None:
    """Clone, start, drive, and print when each came."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep-downloads", action="store_true", help="use the caches of pip, npm")
    parser.add_argument("--again", action="store_true", help="measure a second start, too")
    parser.add_argument("--dynamics", action="store_true", help="wait for dynamics at the end")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="first-start-") as folder:
        clone, home = Path(folder) / "clone", Path(folder) / "home"
        home.mkdir()
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        environment = bare(home, chosen.keep_downloads)
        for name in ("first start", "second start")[: 2 if chosen.again else 1]:
            print(f"{name}:", flush=True)
            measure(clone, environment, chosen.dynamics and name == "first start")


def bare(home: Path, keep_downloads: bool) -> dict[str, str]:
    """The environment of a user who never ran this, with this Python in front."""
    dropped = ("VIRTUAL_ENV", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA", "PYTHONPATH")
    known = {name: value for name, value in os.environ.items() if name not in dropped}
    before = Path.home()
    path = os.pathsep.join([str(Path(sys.base_prefix) / "bin"), known.get("PATH", "")])
    known |= {"HOME": str(home), "PATH": path, "CI": "1"}
    for name, file in (
        ("NPM_CONFIG_USERCONFIG", before / ".npmrc"),
        ("PIP_CONFIG_FILE", before / ".config" / "pip" / "pip.conf"),
    ):  # where packages come from is no matter of a first start
        if file.is_file():
            known.setdefault(name, str(file))
    if keep_downloads:
        caches = before / ".cache"
        known |= {"PIP_CACHE_DIR": str(caches / "pip"), "NPM_CONFIG_CACHE": str(before / ".npm")}
    return known


def measure(clone: Path, environment: dict[str, str], dynamics: bool) -> None:
    """One start; prints when each phase was over [s]."""
    began = time.monotonic()

    def tell(what: str) -> None:
        print(f"  {time.monotonic() - began:6.1f} s  {what}", flush=True)

    with started(clone, environment, tell) as address:
        page, _, token = address.partition("#operator=")
        with urlopen(page) as answer:
            tell(f"page served ({answer.status})")
        with connect(
            f"{page.replace('http', 'ws', 1).partition('?')[0]}ws",
            additional_headers={"Authorization": f"Bearer {token}"},
            max_size=None,
        ) as socket:
            drive(socket, tell, dynamics)


@contextmanager
def started(clone: Path, environment: dict[str, str], tell: Any) -> Iterator[str]:
    """`make run`; gives the operator's address, and ends all that was started."""
    running = subprocess.Popen(
        ["make", "run", "ARGS=--no-browser --port 0"],
        cwd=clone,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield address_of(running, tell)
    finally:
        os.killpg(running.pid, signal.SIGTERM)
        try:
            running.wait(20.0)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)


def address_of(running: subprocess.Popen[str], tell: Any) -> str:
    """The operator's address, as soon as it is printed."""
    assert running.stdout is not None
    said = []
    for line in running.stdout:
        said.append(line)
        if "#operator=" in line:
            threading.Thread(target=running.stdout.read, daemon=True).start()
            return line.strip()
        if any(word in line for word in (" making ", " installing ", "unpacking", " installed ")):
            tell(line.strip())
    raise SystemExit("".join(said) + "make run ended")


def drive(socket: Any, tell: Any, dynamics: bool) -> None:
    """Wait for a frame, move the boom, and wait for dynamics if they are asked for."""
    from headframe.protocol import VERSION, decode

    def send(**message: Any) -> None:
        socket.send(json.dumps(message))

    send(type="hello", version=VERSION)
    first, asked, beat, end = None, False, 0.0, time.monotonic() + LONGEST
    while time.monotonic() < end:
        said = socket.recv(timeout=60.0)
        if time.monotonic() - beat > BEAT:
            beat = time.monotonic()
            send(
                type="levers",
                levers={"boom": 0.5 * (first is not None)},
                age=0.0,
                present=True,
                sent=0.0,
            )
        if isinstance(said, bytes):
            lengths = decode(said).lengths
            if first is None:
                first = lengths
                tell("first frame")
            elif not asked and abs(lengths - first).max() > 1e-3:
                tell("the machine moves")
                if not dynamics:
                    return
                asked = True
                send(type="set_physics", dynamics=True)
        elif (status := json.loads(said))["type"] == "status" and status["dynamics"]:
            tell("dynamics")
            return
    raise SystemExit(f"the machine did not move within {LONGEST:g} s")


if __name__ == "__main__":
    main()
