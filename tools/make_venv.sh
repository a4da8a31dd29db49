#!/bin/sh
# Make the virtual environment $1 with the newest Python that suits, or say what to install.
# Does nothing if the environment is there and works. PYTHON=... (environment) decides which Python.
set -eu

venv=$1
oldest=11 newest=14 # Python 3.11 to 3.14, as in pyproject.toml
wanted=${PYTHON:-}

say() { echo "[headframe] $*"; }

# "3.13" if $1 is a CPython that suits, nothing otherwise
suitable_version() {
    "$1" - "$oldest" "$newest" 2>/dev/null <<'PY' || true
import sys
oldest, newest = map(int, sys.argv[1:])
major, minor = sys.version_info[:2]
if sys.implementation.name == "cpython" and major == 3 and oldest <= minor <= newest:
    print(f"{major}.{minor}")
PY
}

venv_python() {
    if [ -x "$venv/Scripts/python.exe" ]; then echo "$venv/Scripts/python.exe"; else echo "$venv/bin/python"; fi
}

works() {
    # An environment does not survive being moved: .made holds the place where it was made.
    [ "$(cat "$venv/.made" 2>/dev/null)" = "$(pwd)" ] || return 1
    have=$(suitable_version "$(venv_python)")
    [ -n "$have" ] || return 1
    [ -z "$wanted" ] || [ "$have" = "$(suitable_version "$wanted")" ]
}

remove() {
    if [ -f "$venv/pyvenv.cfg" ]; then
        rm -rf "$venv"
    elif [ -e "$venv" ]; then
        say "'$venv' is in the way and is not a virtual environment; please move it."
        exit 1
    fi
}

advise() {
    say "$1"
    say "Install one, then run make again:"
    if [ -n "$without_venv" ]; then
        for version in $without_venv; do
            say "  Debian, Ubuntu   sudo apt install python$version-venv"
        done
    else
        say "  Debian, Ubuntu   sudo apt install python3 python3-venv"
        say "  Ubuntu 22.04     sudo apt install python3.11 python3.11-venv"
    fi
    say "  Fedora           sudo dnf install python3.13"
    say "  macOS            brew install python@3.13"
    say "  Windows          winget install Python.Python.3.13"
    say "Or name one that you have: make run PYTHON=/path/to/python3.13"
    exit 1
} >&2

without_venv=""
if works; then exit 0; fi
if [ -n "$wanted" ] && [ -z "$(suitable_version "$wanted")" ]; then
    advise "PYTHON=$wanted is not a Python 3.$oldest to 3.$newest."
fi
remove

candidates="python3.14 python3.13 python3.12 python3.11 python3 python"
for python in ${wanted:-$candidates}; do
    version=$(suitable_version "$python")
    [ -n "$version" ] || continue
    say "making $venv with Python $version ($python)"
    if "$python" -m venv "$venv" >/dev/null 2>&1 && "$(venv_python)" -m pip --version >/dev/null 2>&1; then
        pwd >"$venv/.made"
        exit 0
    fi
    say "Python $version ($python) cannot make virtual environments"
    without_venv="$without_venv $version"
    remove
done

advise "No Python 3.$oldest to 3.$newest with the modules venv and ensurepip was found."
