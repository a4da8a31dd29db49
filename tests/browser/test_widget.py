"""The machine in a notebook's cell: the script in a real browser, the kernel's part in Python."""

import base64
import functools
import http.server
import json
import threading

import numpy as np
import pytest

import headframe as hf
from headframe.notebook.view import SCRIPT

PAGE = """<!doctype html><meta charset="utf-8"><div id="cell"></div><script type="module">
import widget from "./widget.js";
const traits = await (await fetch("./traits.json")).json();
const bytes = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
traits.geometry = bytes(traits.geometry);
traits.poses = bytes(traits.poses);
const heard = {};
globalThis.bytes = bytes;
globalThis.model = {
  saved: [],
  get: (name) => traits[name],
  set(name, value) { traits[name] = value; },
  save_changes() { this.saved.push(structuredClone(traits.lengths)); },
  on(event, act) { (heard[event] ??= []).push(act); },
  off() {},
  told(name, value) {
    traits[name] = value;
    for (const act of heard[`change:${name}`] ?? []) act();
  },
};
globalThis.end = widget.render({ model, el: document.querySelector("#cell") });
</script>"""


@pytest.fixture
def cell(chromium, kept, tmp_path):
    kept.alone()
    view = hf.load("lhd").show()
    traits = {
        "machine": view.machine,
        "geometry": base64.b64encode(view.geometry).decode(),
        "poses": base64.b64encode(view.poses).decode(),
        "lengths": view.lengths,
        "problem": "",
    }
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "traits.json").write_text(json.dumps(traits), encoding="utf-8")
    (tmp_path / "widget.js").write_bytes(SCRIPT.read_bytes())
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    handler = functools.partial(quiet, directory=str(tmp_path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = chromium.new_page(viewport={"width": 500, "height": 600})
    page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
    page.wait_for_function("globalThis.model && document.querySelector('#cell').cell")
    yield page, view
    page.close()
    server.shutdown()
    server.server_close()


PLACES = """() => { const { cell } = document.querySelector('#cell');
  return model.get('machine').links.map((link) => cell.view.worldMatrix(link)?.slice(12, 15)); }"""


def test_cell_shows_the_machine_and_its_sliders_move_it(cell):
    page, view = cell
    page.wait_for_function(f"({PLACES})().every((place) => place)")
    links = view.machine["links"]
    slider = page.locator("input[type=range]").first
    slider.evaluate(
        "e => { e.value = +e.min + 0.3 * (e.max - e.min); e.dispatchEvent(new Event('input')); }"
    )
    lengths = page.evaluate("model.saved.at(-1)")
    view.lengths = lengths  # the kernel's part
    assert view.problem == ""
    page.evaluate(
        "poses => model.told('poses', bytes(poses))", base64.b64encode(view.poses).decode()
    )
    shown = np.array(page.evaluate(PLACES))
    wanted = hf.load("lhd").fk(lengths)
    np.testing.assert_allclose(shown, [wanted.pose(n)[:3, 3] for n in links], atol=1e-5)
    page.evaluate("model.told('problem', 'too long')")
    assert page.get_by_role("alert").inner_text() == "too long"
    page.evaluate("end()")
    assert page.locator("canvas").count() == 0
