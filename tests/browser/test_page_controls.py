"""Time, rewinding, physics, languages, and names that look like HTML."""

import json

import pytest
from playwright.sync_api import expect

import headframe as hf

pytestmark = pytest.mark.blind


def test_pause_and_step(cab):
    cab.find("pause").click()
    cab.until("facts.status.paused && (store.frame.flags & 1) === 1")
    before = cab.time
    cab.page.wait_for_timeout(200)
    assert cab.time == before
    for n in (1, 2):
        cab.find("step").click()
        cab.until(f"Math.abs(store.frame.time - {before + 0.001 * n}) < 1e-9")
    cab.page.keyboard.press("p")
    cab.until(f"!facts.status.paused && store.frame.time > {before + 0.1}")


def test_time_scale(cab):
    cab.slide("timescale", 0.0)
    cab.until("facts.status.scale === 0.1")
    cab.slide("timescale", 1.0)
    cab.until("facts.status.scale === 4")
    cab.find("timescale-reset").click()
    cab.until("facts.status.scale === 1")


def test_gravity(cab):
    cab.find("gravity-moon").click()
    cab.until("facts.status.gravity === 1.62")
    cab.slide("gravity", 0.0)
    cab.until("facts.status.gravity < 0.3")
    cab.find("gravity-number").fill("3.71")
    cab.find("gravity-number").press("Enter")
    cab.until("facts.status.gravity === 3.71")
    cab.find("gravity-earth").click()
    cab.until("facts.status.gravity === 9.81")


def dynamic(cab):
    cab.find("mode-dynamic").click()
    cab.until("facts.status.dynamics && facts.loading === null")
    cab.alive()


def test_formulation_and_integrator(cab):
    expect(cab.find("formulation")).to_be_disabled()
    dynamic(cab)
    assert cab.status["formulation"] == "embedded"
    cab.find("formulation").select_option("constrained")
    cab.until("facts.status.formulation === 'constrained' && facts.loading === null")
    names = [name for name in cab.tell("facts.scene.integrators") if name]
    cab.find("integrator").select_option(names[0])
    cab.until(f"facts.status.integrator === '{names[0]}' && facts.loading === null")
    cab.find("mode-kinematic").click()
    cab.until("!facts.status.dynamics && facts.status.formulation === 'kinematic'")


def test_restart_brings_the_machine_home(cab):
    before = cab.length("boom")
    cab.drive("w", "boom", 0.02)
    cab.find("restart").click()
    cab.until(f"Math.abs(store.frame.lengths[2] - {before}) < 1e-9")


def test_boom_falls_and_is_rewound(cab):
    dynamic(cab)
    up_here = cab.length("boom")
    began = cab.time
    cab.find("float-boom").click()
    cab.until("facts.status.floating.includes('boom')")
    expect(cab.find("float-boom")).to_have_attribute("aria-pressed", "true")
    cab.until("store.frame.lengths[2] < 1.49")
    cab.slide("rewind", 0.0)
    cab.until("facts.status.paused && (store.frame.flags & 1) === 1")
    cab.until(f"store.frame.lengths[2] > {up_here - 0.01}")
    assert cab.time < began + 1.0
    assert cab.tell("store.frame.newest") > cab.time + 0.5
    cab.find("pause").click()
    cab.until("!facts.status.paused")
    time = cab.time
    cab.until(f"store.frame.time > {time + 0.2}")


# ---------------------------------------------------------------- languages


def test_german(server, visit):
    cab = visit(server.addresses[0], query="?test&lang=de").loaded()
    assert cab.page.evaluate("document.documentElement.lang") == "de"
    expect(cab.find("mode-dynamic")).to_have_text("Dynamisch")
    expect(cab.page.locator("hf-estop strong")).to_have_text("Not-Halt")
    cab.find("help").click()
    expect(cab.page.get_by_role("dialog")).to_be_visible()
    words = cab.page.evaluate(VISIBLE_WORDS)
    english = [
        "Kinematic", "Dynamic", "Gravity", "Emergency", "Pause or", "Close", "extend", "retract",
        "Release", "Camera", "Motors", "undefined", "You drive", "Help", "Keys", "Levers",
    ]  # fmt: skip
    assert not [word for word in english if word in words], words


VISIBLE_WORDS = """() => {
  const found = [];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent);
    if (node.nodeName === "STYLE" || node.nodeName === "SCRIPT") return;
    for (const name of ["title", "aria-label"])
      if (node.getAttribute?.(name)) found.push(node.getAttribute(name));
    if (node.nodeName === "OPTION") return;
    for (const child of node.shadowRoot?.childNodes ?? []) walk(child);
    for (const child of node.childNodes) walk(child);
  };
  walk(document.body);
  return found.join("\\n");
}"""


# ------------------------------------------------------------ names of files

EVIL = "<img src=x onerror=globalThis.hit=1>"


def test_names_in_a_machine_file_are_text(server, cab, tmp_path):
    """A file whose machine and group have names that are HTML."""
    path = tmp_path / "machine.json"
    hf.load("door").save(path)
    named = rename(json.loads(path.read_text(encoding="utf-8")))
    cookies = {c["name"]: c["value"] for c in cab.page.context.cookies()}
    answer = server.post(
        "/machine?name=machine.json", content=json.dumps(named), cookies=cookies, timeout=60
    )
    assert answer.status_code == 200, answer.text
    cab.until("facts.scene.machine.name.includes('<img')")
    cab.loaded()
    expect(cab.find("chooser")).to_contain_text("<img src=x")
    expect(cab.page.locator("hf-group h3")).to_contain_text("<img src=x", ignore_case=True)
    cab.find("help").click()
    expect(cab.page.get_by_role("dialog")).to_be_visible()
    cab.page.wait_for_timeout(300)
    assert cab.page.evaluate("globalThis.hit") is None
    assert cab.page.locator("img[src=x]").count() == 0


def rename(file):
    """A machine's file with an evil name for the machine and for its group."""
    cylinder = {**file["actuators"][0], "group": EVIL}
    kept = {key: value for key, value in file.items() if key not in ("geometry_file", "home")}
    return {**kept, "name": EVIL, "actuators": [cylinder]}
