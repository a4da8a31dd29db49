"""The rules of the house that no linter knows (CONTRIBUTING.md explains them)."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

import headframe
from kernel_hash import kernel_sources

PACKAGE = Path(headframe.__file__).parent
FILES = sorted(
    path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts
)
MODULES = [path for path in FILES if path.suffix == ".py"]
PERSONAL_PATH = re.compile(rb"/home/|/root/|/work/|/Users/|[A-Za-z]:\\\\?Users\\")


def place(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def imports(path: Path) -> set[str]:
    """Top-level names of everything that a module imports absolutely."""
    found = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_no_file_names_a_folder_of_somebodys_machine():
    assert [place(path) for path in FILES if PERSONAL_PATH.search(path.read_bytes())] == []


def test_numba_is_imported_by_kernel_modules_only():
    with_numba = {path for path in MODULES if "numba" in imports(path)}
    beside = {path for path in with_numba if path.parent != PACKAGE / "jit"}
    assert {place(path) for path in beside - set(kernel_sources())} == set()


def test_every_decorated_function_is_in_a_kernel_source():
    """The cache is keyed to files that a search in their text finds: it must miss none."""
    decorators = {"kernel", "batch_kernel", "inlined_kernel"}
    with_kernels = set()
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_bytes())):
            for decorator in getattr(node, "decorator_list", ()):
                name = getattr(decorator, "attr", getattr(decorator, "id", ""))
                with_kernels |= {path} if name in decorators else set()
    assert with_kernels == set(kernel_sources())


def test_a_class_name_has_one_meaning():
    """In the whole package; names with an underscore are a file's own."""
    places = defaultdict(set)
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(place(path))
    shared = {name: sorted(found) for name, found in places.items() if len(found) > 1}
    assert shared == {}


def test_the_old_name_of_compiling_is_an_alias_that_hides_nothing():
    """A program with `from headframe import *` keeps Python's own."""
    assert headframe.compile is headframe.compile_machine
    assert "compile" not in headframe.__all__


def test_no_folder_is_empty():
    folders = {path for path in PACKAGE.rglob("*") if path.is_dir() and path.name != "__pycache__"}
    filled = {parent for path in FILES for parent in path.parents}
    assert {place(path) for path in folders - filled} == set()


def test_no_package_is_a_placeholder():
    """A package has at least one module with more than a docstring, or data."""
    for init in PACKAGE.rglob("__init__.py"):
        inside = [path for path in FILES if path.is_relative_to(init.parent) and path != init]
        has_code = any(not isinstance(node, ast.Expr) for node in ast.parse(init.read_bytes()).body)
        assert inside or has_code, f"{place(init.parent)} is an empty package"


@pytest.mark.parametrize("name", headframe.__all__)
def test_public_name_resolves(name):
    assert getattr(headframe, name) is not None
    assert name in dir(headframe)


def test_public_names_are_unique():
    assert len(set(headframe.__all__)) == len(headframe.__all__)


def test_nothing_compiles_everything_before_its_work():
    """Commands compile what they use; `jit` alone knows how to compile ahead of use."""
    using = re.compile(rb"jit(?:\.warming)? import .*warm_up|\bjit\.warm_up")
    found = {place(path) for path in MODULES if using.search(path.read_bytes())}
    assert {name for name in found if not name.startswith("jit/")} == set()
