"""Run commands at the same time: `python tools/side_by_side.py "make unit" "make docs"`.

What the first one says is seen at once, what the others say when they have ended. All are run to
their end; the exit code is 1 if one of them failed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from typing import IO


def main(commands: list[str]) -> int:
    """Run them all."""
    start = time.monotonic()
    failed = []
    with ExitStack() as files:
        running = {}
        for command in commands:
            said = files.enter_context(tempfile.TemporaryFile()) if running else None
            with_it = None if said is None else subprocess.STDOUT
            process = subprocess.Popen(command, shell=True, stdout=said, stderr=with_it)
            running[process] = said
        while running:
            time.sleep(0.05)
            for process in [each for each in running if each.poll() is not None]:
                show(running.pop(process))
                if process.returncode:
                    failed.append(f"{process.args!s} (exit code {process.returncode})")
    print(f"[headframe] {time.monotonic() - start:.0f} s: {', '.join(commands)}", flush=True)
    for command in failed:
        print(f"[headframe] failed: {command}", file=sys.stderr)
    return 1 if failed else 0


def show(said: IO[bytes] | None) -> None:
    """Print all that a command has said, if it was kept."""
    if said is not None:
        said.seek(0)
        sys.stdout.flush()
        sys.stdout.buffer.write(said.read())
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
