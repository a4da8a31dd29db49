"""The kernel decorator and its cache."""

import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core import config

import kernel_hash
from headframe import jit
from headframe.jit import sources
from headframe.jit.cache import is_kept, note
from headframe.jit.compile_order import PARTS
from headframe.jit.entries import entries_of


def run(code, **environment):
    """Run Python code in a fresh process without make's cache folder."""
    inherited = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    return subprocess.run(
        [sys.executable, "-W", "always", "-c", code],
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_decorating_leaves_numbas_settings_alone():
    before = config.CACHE_DIR

    @jit.kernel
    def double(x):
        return 2 * x

    assert double(21) == 42
    assert double.py_func(21) == 42
    assert before == config.CACHE_DIR


@pytest.fixture
def room(tmp_path, monkeypatch):
    """A package of one room to write kernels into."""
    monkeypatch.setattr(sources, "PACKAGE", tmp_path)
    sources.kernel_sources.cache_clear()
    (tmp_path / "room").mkdir()
    yield tmp_path / "room"
    sources.kernel_sources.cache_clear()


KERNEL = "from .sizes import N\n\n\n@kernel\ndef double(x):\n    return N * x\n"


def test_files_are_found_by_the_decorators_they_use(room):
    (room / "doubling.py").write_text(KERNEL)
    (room / "rows.py").write_text("@jit.batch_kernel\ndef rows(x):\n    return x\n")
    (room / "steps.py").write_text("if True:\n    @inlined_kernel\n    def step(x): ...\n")
    (room / "sizes.py").write_text('N = 2  # for whoever uses "@kernel"\n@kernels\ndef f(): ...\n')
    found = [path.name for path in jit.kernel_sources()]
    assert found == ["doubling.py", "rows.py", "steps.py"]


def test_any_change_in_any_kernel_source_changes_the_folder(room):
    source = room / "doubling.py"
    source.write_text(KERNEL)
    before = jit.source_hash()
    source.write_text(KERNEL.replace("N * x", "x * N"))
    assert jit.source_hash() != before


IMPORTS = {
    "from .sizes import N": "sizes.py",
    "from . import sizes": "sizes.py",
    "from ..room.sizes import N  # (a constant)": "sizes.py",
    "from .front import (\n    A,  # one )\n    sizes,\n)": "front/sizes.py",
    "from .front import N": "front/far.py",
}


@pytest.mark.parametrize("line", IMPORTS)
def test_a_change_in_what_a_kernel_imports_changes_the_folder(room, line):
    """Numbers of other files are compiled into kernels, which Numba does not notice."""
    (room / "front").mkdir()
    (room / "front" / "__init__.py").write_text("from .far import N\n")
    for name in ("sizes.py", "front/sizes.py", "front/far.py", "other.py"):
        (room / name).write_text("A = N = 2\n")
    (room / "doubling.py").write_text(f"{line}\n\n\n@kernel\ndef double(x): ...\n")
    before = jit.source_hash()
    (room / "other.py").write_text("A = N = 3\n")
    assert jit.source_hash() == before
    (room / IMPORTS[line]).write_text("A = N = 3\n")
    assert jit.source_hash() != before


def test_hash_covers_numbas_version(monkeypatch):
    before = jit.source_hash()
    monkeypatch.setattr(numba, "__version__", "0.0.0")
    assert jit.source_hash() != before


def test_cache_goes_to_the_users_cache_folder(tmp_path):
    code = (
        "from headframe.jit import cache\n"
        "cache._repository = lambda: None\n"  # as where the package was installed
        "print(cache.cache_folder())"
    )
    done = run(code, XDG_CACHE_HOME=str(tmp_path), LOCALAPPDATA="")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path / "headframe" / "kernels-"))


def test_tests_and_command_share_the_cache_of_a_repository(tmp_path):
    """What `make test` has compiled, `make run` need not compile again."""
    code = "from headframe import jit; print(jit.cache_folder())"
    done = run(code, XDG_CACHE_HOME=str(tmp_path), LOCALAPPDATA="")
    assert done.stdout.strip() == str(kernel_hash.cache_folder())
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_written_kernels_still_run(tmp_path):
    """A file in place of the folder: nobody, not even root, can make a folder below it."""
    blocker = tmp_path / "file"
    blocker.write_text("")
    code = (
        "from headframe.jit import kernel\n"
        "@kernel\n"
        "def double(x):\n    return 2 * x\n"
        "@kernel\n"
        "def triple(x):\n    return 3 * x\n"
        "print(double(21) + triple(1))"
    )
    done = run(code, NUMBA_CACHE_DIR=str(blocker / "cache"))
    assert done.stdout.strip() == "45", done.stderr
    assert done.stderr.count("compiled anew in every process") == 1


def test_without_a_home_kernels_still_run():
    """No HOME and no entry in the list of users, as in some containers."""
    code = (
        "import pathlib\n"
        "from headframe.jit import cache\n"
        "cache._repository = lambda: None\n"
        "def home():\n    raise RuntimeError('Could not determine home directory.')\n"
        "pathlib.Path.home = home\n"
        "from headframe.jit import kernel\n"
        "@kernel\n"
        "def double(x):\n    return 2 * x\n"
        "@kernel\n"
        "def triple(x):\n    return 3 * x\n"
        "print(double(21) + triple(1))"
    )
    done = run(code, XDG_CACHE_HOME="", LOCALAPPDATA="")
    assert done.stdout.strip() == "45", done.stderr
    assert done.stderr.count("compiled anew in every process") == 1


def test_make_and_the_package_agree_on_the_state_of_the_sources(monkeypatch):
    assert kernel_hash.cache_folder().name == f"numba-{jit.source_hash()}"
    before = kernel_hash.cache_folder()
    monkeypatch.setattr(numba, "__version__", "0.0.0")
    assert kernel_hash.cache_folder() != before


@pytest.mark.parametrize("name", [sources.module_name(path) for path in jit.kernel_sources()])
def test_every_kernel_module_can_warm_up(name):
    """By declared types or by a function; neither, where nothing is called from outside."""
    module = importlib.import_module(name)
    for kernel in entries_of(module):
        jit.compile_entry(kernel)
        assert kernel.entry_types in kernel.overloads
    if hasattr(module, "warm_up"):
        module.warm_up()


USE = """
import sys
import headframe
from build import rssr, stewart_platform

m = headframe.load("tcchs")
home = m.home
lengths = home.lengths.copy()
lengths[0] += 1e-3
headframe.mechanism.follow(home.mechanism, home.q, home.lengths, lengths)
m.draw(sys.argv[1])
stewart_platform().home  # a free joint
spatial = rssr().home  # spherical joints in the tree and in a closure
headframe.mechanism.length_rates(spatial)
r = headframe.load("roadheader")
moved = r.fk({"boom": 1.5})
r.ik("cutter_head", moved.pose("cutter_head"), start=moved)
b = m.fk_batch([home.lengths] * 2, links=["canopy"])
m.ik_batch("canopy", b.poses[:, 0])
m.jacobian("canopy"), m.statics()
platform = stewart_platform()
platform.ik("platform", platform.fk(platform.home.lengths + 0.01).pose("platform"))
loader = headframe.load("lhd")
for formulation in ("embedded", "constrained", "augmented", "simgc", "simmc", "xpbd"):
    sim = headframe.Simulation(loader, formulation)
    sim.run(0.005)
    sim.q, sim.v, sim.energy(), sim.pose("bucket"), sim.position_error()
mechanism = loader.mechanism
tau = headframe.rnea(mechanism, sim.q, sim.v, 0.0 * sim.v)
headframe.crba(mechanism, sim.q), headframe.aba(mechanism, sim.q, sim.v, tau)
headframe.forward_dynamics(mechanism, sim.q, sim.v, tau)
headframe.body_jacobian(mechanism, sim.q, "bucket"), headframe.momentum(mechanism, sim.q, sim.v)
headframe.centre_of_mass(mechanism, sim.q), headframe.energy(mechanism, sim.q, sim.v)
"""


def listed_by_make():
    """Files of everything that is compiled ahead of use, and their names; none if it was not."""
    if "NUMBA_CACHE_DIR" not in os.environ or not all(map(is_kept, PARTS)):
        return []
    names = {name for part in PARTS for name in note(part).read_text(encoding="utf-8").split()}
    return [(jit.cache_folder() / name, name) for name in names]


def test_warming_up_compiles_all_that_the_package_uses(tmp_path):
    """After `python -m headframe.jit` no process compiles anything more.

    What `make` has warmed up is taken as it was then; without it everything is compiled here.
    """
    folder = tmp_path / "cache"
    folder.mkdir()
    paths = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": paths}

    def compiled(*arguments):
        subprocess.run([sys.executable, *arguments], env=environment, check=True)
        return {path.name for path in folder.rglob("*.nbc")}

    files = listed_by_make()
    if files:
        for path, name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, folder / name)
        warm = {path.name for path in folder.rglob("*.nbc")}
    else:
        warm = compiled("-m", "headframe.jit")
    assert warm
    assert compiled("-c", USE, str(tmp_path / "x.png")) - warm == set()


def test_parts_and_tables_are_views():
    """In a kernel and in Python alike they share the memory of what they were cut from."""

    def cuts(array, at):
        row, grid = jit.part(array, at, 3), jit.table(array, at + 1, 2, 3)
        row[0] = -1.0
        grid[1, 2] = -2.0
        return row.sum(), grid.sum(), grid.shape

    for function in (cuts, numba.njit(cuts)):
        array = np.arange(10.0)
        assert function(array, 2) == (6.0, 23.0, (2, 3))
        assert array.tolist() == [0, 1, -1, 3, 4, 5, 6, 7, -2, 9]


def test_kernels_are_called_by_address():
    signature = "Tuple((int64, float64))(float64[::1], int64)"
    call = jit.caller(signature)

    def first(values, n):
        values[0] += n
        return n, values[0]

    def second(values, n):
        return -n, values[1]

    def both(addresses, values):
        total = 0.0
        for n in range(addresses.size):
            sign, value = call(addresses[n], values, n + 1)
            total += sign * value
        return total

    for made, caller in ((numba.njit, numba.njit(both)), (lambda f: f, both)):
        addresses = np.array([jit.address_of(made(f), signature) for f in (first, second)])
        assert caller(addresses, np.array([1.0, 10.0])) == 2.0 - 20.0


def test_call_with_other_types_is_refused():
    call = jit.caller("int64(float64[::1])")
    with pytest.raises(numba.TypingError):
        numba.njit(lambda address, values: call(address, values[::2]))(0, np.zeros(4))


def test_compiling_is_told_at_once_and_only_where_it_is_asked_for(tmp_path):
    """A command says that it compiles before it is silent for long; nothing where all is kept."""
    code = (
        "import numpy as np\n"
        "from headframe.jit import progress\n"
        "progress.TOLD_EVERY = 0.01\n"
        "from headframe.actuation import guiding\n"
        "from headframe.jit import compile_entry\n"
        "compile_entry(guiding.guide)\n"
    )
    kept = {"NUMBA_CACHE_DIR": str(tmp_path)}
    quiet = run(code, NUMBA_CACHE_DIR=str(tmp_path / "other"))
    told = run(code, HEADFRAME_PROGRESS="1", **kept)
    again = run(code, HEADFRAME_PROGRESS="1", **kept)
    assert quiet.stderr == ""
    first, second, *_ = told.stderr.splitlines()
    assert first == "compiling kernels, which are kept for the next time"
    counted = re.fullmatch(r"  (\d+) of at most (\d+) kernels compiled, 0 s", second)
    assert int(counted[1]) <= int(counted[2])
    assert again.stderr == ""
