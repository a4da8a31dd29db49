"""The wheel in an empty environment, far from the repository, behaves as the repository does."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from running import LONG, Running

from headframe.protocol import VERSION

ROOT = Path(__file__).parents[2]
FIRST = 600.0  # for a part to be compiled, on a computer that has other things to do [s]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


def call(*command, **options):
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Folder of an environment with the wheel, and variables that lead to nothing of ours.

    What the package needs is taken from the environment of the tests.
    """
    folder = tmp_path_factory.mktemp("installed")
    call(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "dist", cwd=ROOT)
    (wheel,) = (folder / "dist").glob("*.whl")
    call(sys.executable, "-m", "venv", "--without-pip", folder / "env")
    scripts = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    pip = (sys.executable, "-m", "pip", "--python", scripts / "python", "install", "--no-deps")
    call(*pip, "--no-index", wheel, cwd=folder)
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(call(scripts / "python", "-c", code).strip())
    for name in ("purelib", "platlib"):
        with (packages / "of_the_tests.pth").open("a", encoding="utf-8") as file:
            file.write(f"{sysconfig.get_path(name)}\n")
    variables = {
        "HOME": str(folder / "home"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "LOCALAPPDATA": str(folder / "cache"),
        "NUMBA_CACHE_DIR": "",
        "PYTHONPATH": "",
    }
    return folder, scripts, variables


def test_it_is_the_wheel_that_is_used(environment):
    folder, scripts, variables = environment
    code = "import headframe; print(headframe.__file__)"
    told = call(scripts / "python", "-c", code, cwd=folder, env={**os.environ, **variables})
    assert Path(told.strip()).is_relative_to(folder)


def test_small_commands_compile_nothing(environment):
    folder, scripts, variables = environment
    env = {**os.environ, **variables}
    assert "roadheader" in call(scripts / "headframe", "list", cwd=folder, env=env)
    assert "roadheader" in call(scripts / "headframe", "info", "roadheader", cwd=folder, env=env)
    assert list((folder / "cache").rglob("*.nbc")) == []


def test_it_is_driven_while_the_rest_compiles(environment):
    folder, scripts, variables = environment
    server = Running(
        "--port", "0", env=variables, program=(str(scripts / "headframe"),), cwd=folder
    )
    try:
        page = server.get("/")
        assert page.status_code == 200
        assert "<script" in page.text
        with server.talk(hello=False) as operator:
            operator.send(type="hello", version=VERSION)
            operator.until(lambda: operator.frame and operator.status, FIRST)
            operator.alive()
            before = operator.length("boom_left")
            operator.hold_until(
                lambda: operator.length("boom_left") > before + 0.01, {"boom": 1.0}, LONG
            )
            operator.send(type="set_physics", dynamics=True)
            operator.until(lambda: operator.prepared[-1]["waiting"] == ["set_physics"])
            assert operator.prepared[-1]["part"] == "dynamics"
            frames = operator.frames
            operator.hold(1.0)
            assert operator.frames > frames + 20  # it goes on moving meanwhile
            operator.hold_until(lambda: operator.status["dynamics"], timeout=FIRST)
            assert operator.refused == []
    finally:
        code, _, said = server.stop()
    assert code == 0, said
    assert list((folder / "cache" / "headframe").rglob("driving_*.txt"))
