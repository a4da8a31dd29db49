"""Kernels as plain Python, for tests that compare them with what is compiled."""

from __future__ import annotations

from types import ModuleType

import pytest


def run_as_python(monkeypatch: pytest.MonkeyPatch, *modules: ModuleType) -> None:
    """Every kernel that some modules hold as plain Python, in the kernels that call it too."""
    for module in modules:
        for name, value in list(vars(module).items()):
            if hasattr(value, "py_func"):
                monkeypatch.setattr(module, name, value.py_func)
