"""The page `contact.md`."""

from __future__ import annotations

from ..pages import BenchPage

PREFACE = """# Contact

Written by `headframe bench contact`: worlds in which things touch, beside MuJoCo and PyBullet, and
pairs of shapes beside coal. Everything runs on one core, in one run. A part that is run again with
`--only` replaces its own section and leaves the others as they were.
"""
CONTACT_PAGE = BenchPage(
    "contact.md", PREFACE, ("standing", "heap", "growth", "shapes"), __package__,
    ("mujoco", "pybullet", "coal"),
)  # fmt: skip
