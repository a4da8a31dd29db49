"""axe-core in a page."""

import os
from pathlib import Path

import pytest

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
DISMISS = """async () => {
  const { store } = headframe;
  for (const { id } of store.facts.toasts) store.dismiss(id);
  await document.querySelector("hf-app").updateComplete;
}"""
LOOK = """async () => {
  const { violations, incomplete } = await axe.run();
  return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
    nodes.map(({ target, any, all, none }) => {
      const why = [...any, ...all, ...none].map(({ message }) => message).join("; ");
      return `${id}: ${target.flat().join(" ")}: ${why}`;
    })
  );
}"""


def axe_source():
    """The program; a test without it fails in CI and is left out elsewhere."""
    if not AXE.is_file():
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no axe-core: run `make web`")
    return AXE.read_text(encoding="utf-8")


def look(cab, where, source):
    """One line for each thing that axe finds, or could not decide."""
    if not cab.page.evaluate("'axe' in globalThis"):
        cab.page.evaluate(source)
    cab.page.evaluate(DISMISS)  # they cover for a moment what is below them
    return [f"{where}: {line}" for line in cab.page.evaluate(LOOK)]
