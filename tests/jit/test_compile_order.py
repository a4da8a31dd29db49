"""Which kernels are compiled first."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import pytest

from headframe.jit import compile_order, kernel_sources
from headframe.jit.sources import module_name
from headframe.protocol.down import Part

MODULES = [module_name(path) for path in kernel_sources()]
NAMES = [name for names in compile_order.PARTS.values() for name in names]


@pytest.mark.parametrize("module", MODULES)
def test_every_kernel_source_belongs_to_a_part(module):
    assert compile_order.part_of(module) in compile_order.PARTS


def test_parts_share_all_sources_among_them():
    shared = [path for part in compile_order.PARTS for path in compile_order.sources_of(part)]
    assert sorted(shared) == sorted(kernel_sources())
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_that_of_kernels(name):
    """One that was renamed would silently fall to another part."""
    assert find_spec(f"headframe.{name}")
    assert [m for m in MODULES if f"{m}.".startswith(f"headframe.{name}.")]


def test_the_longest_name_decides():
    assert compile_order.part_of("headframe.kinematics.new") == compile_order.DRIVING
    assert compile_order.part_of("headframe.kinematics.inverse.new") == compile_order.REACHING
    assert compile_order.part_of("headframe.kinematics.inverse_new") == compile_order.DRIVING
    with pytest.raises(LookupError, match=r"headframe\.unknown\.room"):
        compile_order.part_of("headframe.unknown.room")


def test_pages_know_all_parts():
    assert get_args(Part) == ("", *compile_order.PARTS)


USED = """
import sys
import headframe
from numba.core.dispatcher import Dispatcher
from headframe.cli.main import app
from headframe.jit.compile_order import part_of
from headframe.jit import kernel_sources
from headframe.jit.sources import module_name

def show_used(what):
    used = set()
    for path in kernel_sources():
        module = sys.modules.get(module_name(path))
        for kernel in vars(module).values() if module else ():
            if isinstance(kernel, Dispatcher) and kernel.overloads:
                used.add(part_of(kernel.py_func.__module__))
    print("used by", what, *sorted(used))
"""
KINEMATICS = """
from test_worker import Bench
from headframe.machine import machines
from headframe.protocol import up
from headframe.staging import scenes

app(["info", "roadheader"], standalone_mode=False)
show_used("info")
for scene, machine in [("tunnel", name) for name in machines()] + [(name, "") for name in scenes()]:
    bench = type("InScene", (Bench,), {"scene": scene})(machine)
    groups = bench.worker.session.machine.robot.group_names
    bench.tick(2)
    for _ in range(8):
        bench.now += 1 / 60
        bench.order(up.Levers({group: 0.5 for group in groups}, 0.0, True, 0.0))
        bench.worker.tick(bench.now)
    for message in (up.Inspect(1), up.Restart()):
        bench.order(message)
    bench.tick(2)
show_used("driving")
app(["fk", "roadheader", "--set", "boom=2.1"], standalone_mode=False)
show_used("fk")
app(["ik", "roadheader", "--position", "5.4", "0.8", "2.0"], standalone_mode=False)
show_used("ik")
"""
DYNAMICS = """
for formulation in ("auto", "constrained", "augmented", "simgc", "simmc", "xpbd"):
    sim = headframe.Simulation(headframe.load("lhd"), formulation)
    sim.run(0.005)
    sim.q, sim.v, sim.energy(), sim.forces, sim.poses(), sim.position_error()
    show_used(formulation)
"""
DRAWING = """
app(["draw", "roadheader", "-o", sys.argv[1] + "/x.png"], standalone_mode=False)
show_used("draw")
"""
DRIVING = {compile_order.DRIVING}
UNDER_FORCES = {compile_order.DRIVING, compile_order.DYNAMICS}
ALL_FORMULATIONS = {
    *UNDER_FORCES, compile_order.AUGMENTED, compile_order.IMPULSES, compile_order.COMPARISON,
}  # fmt: skip
USES = [  # one after the other in one process, which is quicker
    (KINEMATICS, {
        "info": set(), "driving": DRIVING, "fk": DRIVING, "ik": {*DRIVING, compile_order.REACHING},
    }),
    (DYNAMICS, {
        "auto": UNDER_FORCES,
        "constrained": UNDER_FORCES,
        "augmented": {*UNDER_FORCES, compile_order.AUGMENTED},
        "simgc": {*UNDER_FORCES, compile_order.AUGMENTED, compile_order.IMPULSES},
        "simmc": ALL_FORMULATIONS,
        "xpbd": ALL_FORMULATIONS,
    }),
    (DRAWING, {"draw": {*DRIVING, compile_order.PICTURES}}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), USES, ids=["kinematics", "dynamics", "drawing"])
def test_what_is_used_needs_no_other_part(tmp_path, code, expected):
    """What is compiled first suffices; physics would else compile between two ticks."""
    tests = Path(__file__).parents[1]
    paths = [str(tests), str(tests / "server"), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-c", USED + code, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = [line.split()[2:] for line in done.stdout.splitlines() if line.startswith("used by")]
    assert {what: used for what, *used in told if not set(used) <= expected[what]} == {}
    assert [what for what, *_ in told] == list(expected)
