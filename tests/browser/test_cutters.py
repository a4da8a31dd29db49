"""Tools for cutting are offered for links that cut, and for no others."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def choose(cab):
    """Brings a machine; afterwards the first one is back."""

    def go(name):
        return cab.fresh(name)

    yield go
    if cab.find("close-tool").count():
        cab.find("close-tool").click()
    cab.fresh()


@pytest.mark.blind
@pytest.mark.parametrize(
    ("machine", "cutters", "others"),
    [
        ("roadheader", ["cutter_head", "cutting_drum"], ["shovel_plate", "gathering_arm_left"]),
        ("shearer", ["cutter_hub_left", "drum_right"], []),
        ("sshs", [], ["canopy"]),
        ("gripper", [], ["palm"]),
    ],
)
def test_serpentine_and_section_are_for_cutters(choose, machine, cutters, others):
    cab = choose(machine)
    for tool, form in (("path", "path-cut"), ("workspace", "section-title")):
        cab.find(f"tool-{tool}").click()
        for link in [*cutters, *others]:
            cab.find(f"{tool}-link").select_option(link)
            expect(cab.find(form)).to_have_count(1 if link in cutters else 0)
        cab.find("close-tool").click()
