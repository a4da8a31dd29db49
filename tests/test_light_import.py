"""`import headframe` stays light: heavy libraries load when something needs them."""

import json
import subprocess
import sys

HEAVY = {
    "numba", "matplotlib", "scipy.optimize", "trimesh",
    "fastapi", "starlette", "uvicorn",
    "mujoco", "pinocchio", "pydrake", "pybullet", "cma",
}  # fmt: skip


def modules_after(statement: str) -> set[str]:
    """All modules that a fresh interpreter has loaded after `statement`."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return set(json.loads(done.stdout))


def test_import_loads_nothing_heavy():
    assert modules_after("import headframe") & HEAVY == set()


def test_the_list_of_formats_loads_none_of_their_writers():
    loaded = modules_after("from headframe.export import FORMATS")
    assert loaded & {*HEAVY, "headframe.export.mjcf", "headframe.description"} == set()


def test_the_physics_process_does_without_the_web_server():
    loaded = modules_after("import headframe.server.worker, headframe.server.study_process")
    assert loaded & {"fastapi", "starlette", "uvicorn", "matplotlib"} == set()


def test_the_server_starts_without_statistics_and_drawing():
    """The page is to be there soon; these take half a second each."""
    loaded = modules_after("import headframe.server.serving")
    assert loaded & {"scipy.stats", "matplotlib", "trimesh"} == set()


def test_the_check_sees_a_heavy_import():
    assert "scipy.optimize" in modules_after("import headframe, scipy.optimize") & HEAVY
