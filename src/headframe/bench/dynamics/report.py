"""The page `dynamics.md`."""

from __future__ import annotations

from ..pages import BenchPage

DYNAMICS_PEERS = ("pinocchio", "mujoco", "pybullet", "drake")
PREFACE = """# Dynamics

Written by `headframe bench dynamics`: Headframe's dynamics beside other engines, and the
experiments of the roadheader paper (figures 10 to 12) and of the SIMGC paper (table 1) with their
printed figures. Everything runs on one core. A part that is run again with `--only` replaces its
own section and leaves the others as they were. Printed times are those of other machines, for a
comparison of sizes only.
"""
DYNAMICS_PAGE = BenchPage(
    "dynamics.md", PREFACE,
    ("algorithms", "rates", "lifting", "drift", "impulses", "iftomm", "holding", "stiffening"),
    __package__, DYNAMICS_PEERS,
)  # fmt: skip
