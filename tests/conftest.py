"""Settings that hold for every test, and the rule that a crosscheck may not skip in CI."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings
from numba.core import config

import overtime
from kernel_hash import cache_folder

# For tests that are started without make. Subprocesses inherit both.
os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder()))
os.environ.setdefault("MPLBACKEND", "Agg")
config.reload_config()  # Numba was imported before its folder was known

# No deadline: the first example may have to load or compile a kernel. The same examples every time
# in CI, so that a red run can be repeated; new ones on a desk.
settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")


def pytest_configure(config: pytest.Config) -> None:
    """No test goes on for ever; a run inside of a test is that test's business."""
    if "PYTEST_CURRENT_TEST" not in os.environ:
        overtime.watch(config)


# ------------------------------------------------------------- crosschecks
# A crosscheck compares with another engine. On a desk without that engine it skips. In CI every
# engine is installed, so a skip means that the comparison did not happen, and the run must fail.


def in_crosscheck_folder(path: Path) -> bool:
    return "crosscheck" in path.parent.parts


def forbid_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure if CI is set; an expected failure is not a skip."""
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"a crosscheck must not skip in CI: {reason}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if in_crosscheck_folder(item.path):
            item.add_marker(pytest.mark.crosscheck)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if item.get_closest_marker("crosscheck"):
        forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Cover modules that skip as a whole, such as by importorskip at their top."""
    report = yield
    if in_crosscheck_folder(collector.path):
        forbid_skip(report)
    return report
