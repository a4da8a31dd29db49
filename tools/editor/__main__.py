"""Draw what VS Code's JSON service offers in a machine file: `python tools/editor`.

The answers are the service's own; the window around them is drawn here, since the editor itself is
not at hand where this runs. Writes docs/_static/editor.png.
"""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import sync_playwright

import browser
from editor.asking import CARET, ask
from headframe.description.schema import mrdf_schema

TARGET = Path(__file__).resolve().parents[2] / "docs" / "_static" / "editor.png"
CHOSEN = "tube_offset"
SHOWN = 9  # completions
TEXT = """\
{
  "$schema": "./mrdf.schema.json",
  "mrdf": "1",
  "name": "lift",
  "links": [{"name": "base"}, {"name": "arm"}],
  "joints": [
    {"name": "hinge", "parent": "base", "child": "arm", "type": "revolute", "axis": [0, -1, 0]},
  ],
  "actuators": [
    {
      "name": "ram", // raises the arm
      "tube_parent": "base",
      |
    },
  ],
}"""
STYLE = """
body { margin: 0; background: #1f1f1f; color: #ccc; font: 15px/22px "DejaVu Sans Mono", monospace;
       width: 980px; height: 560px; position: relative; }
pre { margin: 0; padding-top: 14px; font: inherit; }
.n { color: #6e7681; display: inline-block; width: 3em; text-align: right; margin-right: 1.4em; }
.k { color: #9cdcfe } .s { color: #ce9178 } .c { color: #6a9955 } .d { color: #b5cea8 }
.caret { border-left: 2px solid #fff; margin-right: -2px; }
.bad { text-decoration: underline wavy #f14c4c 1px; text-underline-offset: 4px; }
.list, .words { position: absolute; background: #202020; border: 1px solid #454545; }
.list { left: 118px; top: 302px; width: 250px; }
.list div { padding: 0 10px; } .list .on { background: #04395e; color: #fff; }
.words { left: 369px; top: 302px; width: 400px; padding: 8px 12px;
         font: 14px/20px "DejaVu Sans", sans-serif; }
.words b { display: block; font-family: "DejaVu Sans Mono", monospace; color: #9cdcfe; }
.foot { position: absolute; bottom: 0; left: 0; right: 0; background: #181818; color: #f14c4c;
        padding: 4px 16px; font-size: 13px; border-top: 1px solid #333; }
"""
TOKEN = re.compile(r'("[^"]*")(\s*:)?|(//[^\n]*)|(-?\b\d[\d.]*)')


def painted(line: str) -> str:
    """A line of JSON with colours."""

    def paint(found: re.Match[str]) -> str:
        text = html.escape(found[0].rstrip(": "), quote=False)
        rest = found[0][len(found[0].rstrip(": ")) :]
        kind = "c" if found[3] else "d" if found[4] else "k" if found[2] else "s"
        return f'<span class="{kind}">{text}</span>{rest}'

    return TOKEN.sub(paint, line).replace(CARET, '<span class="caret"></span>')


def page() -> str:
    """The picture as HTML."""
    answer = ask(mrdf_schema(), TEXT)
    names = sorted(answer.completions)
    first = max(names.index(CHOSEN) - SHOWN + 2, 0)
    rows = "".join(
        f'<div class="{"on" if name == CHOSEN else ""}">{html.escape(name)}</div>'
        for name in names[first : first + SHOWN]
    )
    lines = "\n".join(
        f'<span class="n">{n}</span>{painted(line)}' for n, line in enumerate(TEXT.split("\n"), 1)
    )
    words = html.escape(answer.completions[CHOSEN][1])
    problems = html.escape("; ".join(answer.problems))
    return (
        f"<style>{STYLE}</style><pre>{lines}</pre><div class='list'>{rows}</div>"
        f"<div class='words'><b>{CHOSEN}</b>{words}</div><div class='foot'>{problems}</div>"
    )


def main() -> int:
    """Write the picture."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser.find(), args=browser.flags())
        view = started.new_page(viewport={"width": 980, "height": 560})
        view.set_content(page())
        view.screenshot(path=TARGET)
        started.close()
    print(TARGET)
    return 0


if __name__ == "__main__":
    sys.exit(main())
