"""The rule of conftest.py: with CI set, a crosscheck that would skip fails."""

from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")

SKIPS_ONE_TEST = """
import pytest

def test_against_engine():
    pytest.importorskip("an_engine_that_is_not_installed")
"""

SKIPS_WHOLE_MODULE = """
import pytest

engine = pytest.importorskip("an_engine_that_is_not_installed")

def test_against_engine():
    pass
"""

FAILS_AS_EXPECTED = """
import pytest

@pytest.mark.xfail
def test_known_difference():
    assert False
"""

MARKED = """
import pytest

@pytest.mark.crosscheck
@pytest.mark.skip(reason="no engine")
def test_against_engine():
    pass
"""

FOLDER = "crosscheck/test_engine"
ELSEWHERE = "test_engine"


@pytest.fixture
def outcomes(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """Run one test file under our conftest and count its outcomes."""

    def run(name: str, source: str, ci: bool) -> dict[str, int]:
        if ci:
            monkeypatch.setenv("CI", "true")
        else:
            monkeypatch.delenv("CI", raising=False)
        pytester.makeini("[pytest]\nmarkers =\n    crosscheck: against another engine\n")
        pytester.makeconftest(CONFTEST)
        (pytester.path / name).parent.mkdir(exist_ok=True)
        pytester.makepyfile(**{name: source})
        return pytester.runpytest("--strict-markers").parseoutcomes()

    return run


@pytest.mark.parametrize(
    ("name", "source", "on_desk", "in_ci"),
    [
        pytest.param(FOLDER, SKIPS_ONE_TEST, "skipped", "failed", id="one test"),
        pytest.param(FOLDER, SKIPS_WHOLE_MODULE, "skipped", "errors", id="whole module"),
        pytest.param(FOLDER, FAILS_AS_EXPECTED, "xfailed", "xfailed", id="expected failure"),
        pytest.param(ELSEWHERE, MARKED, "skipped", "errors", id="marked, in another folder"),
        pytest.param(ELSEWHERE, SKIPS_ONE_TEST, "skipped", "skipped", id="not a crosscheck"),
    ],
)
def test_skip_of_a_crosscheck(outcomes, name, source, on_desk, in_ci):
    assert outcomes(name, source, ci=False) == {on_desk: 1}
    assert outcomes(name, source, ci=True) == {in_ci: 1}
