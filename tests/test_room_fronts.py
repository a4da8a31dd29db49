"""Rooms know each other by their fronts: what the contract for import-linter refuses."""

import grimp
import pytest
from tools.room_fronts import FrontsContract


def checked(importer, imported):
    """Whether the contract lets one module import another."""
    graph = grimp.ImportGraph()
    modules = {importer, imported, "house.sim.session", "house.jit.cache", "house.errors"}
    for module in sorted(modules | {m.rpartition(".")[0] for m in modules} | {"house"}):
        graph.add_module(module)
    graph.add_import(importer=importer, imported=imported)
    options = {"type": "fronts", "package": "house", "fronts": ["house.jit.open"]}
    contract = FrontsContract("rooms", {"root_packages": ["house"]}, options)
    return contract.check(graph, verbose=False).kept


@pytest.mark.parametrize(
    "imported",
    ["house.jit", "house.jit.kernels", "house.jit.open", "house.errors", "house.sim.simulation"],
)
def test_fronts_and_the_own_room_are_open(imported):
    assert checked("house.sim.session", imported)


@pytest.mark.parametrize("importer", ["house.sim.session", "house.sim", "house.errors"])
@pytest.mark.parametrize("imported", ["house.jit.cache", "house.jit.parts.kernels"])
def test_a_file_behind_a_front_is_not(importer, imported):
    assert not checked(importer, imported)
