"""Install the package, editable and with the given extras, into the Python that runs this file.

Prints one line for each package that is fetched, and all of pip's output if something fails.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

import build_web

ROOT = Path(__file__).resolve().parents[1]
PIP = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]


def main() -> int:
    """Run pip and return its exit code."""
    wanted = sys.argv[1:]
    if not build_web.has_node():  # the page's own checks need it, too
        wanted.append("node")
    extras = ",".join(wanted)
    target = f".[{extras}]" if extras else "."
    print(f"[headframe] installing {target} and what it needs", flush=True)
    start = time.monotonic()
    pip = subprocess.Popen(
        [*PIP, "--progress-bar", "off", "--editable", target],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    assert pip.stdout is not None
    log = []
    for line in pip.stdout:
        log.append(line)
        if found := re.match(r"Collecting ([\w.-]+)", line):
            print(f"[headframe]   {found[1]}", flush=True)
        elif "Preparing editable metadata" in line and "started" in line:
            print("[headframe]   the page in the browser (with npm)", flush=True)
        elif line.startswith("Installing collected packages"):
            print("[headframe]   unpacking", flush=True)
    code = pip.wait()
    if code:
        print("".join(log), file=sys.stderr)
        print(f"[headframe] pip failed (exit code {code}), see above", file=sys.stderr)
    else:
        print(f"[headframe] installed in {time.monotonic() - start:.0f} s", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
