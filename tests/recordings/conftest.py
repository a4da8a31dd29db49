"""A recording that tests read; those who spoil one make their own."""

import pytest
from runs import Made


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    return Made(tmp_path_factory.mktemp("made") / "run.mcap", ticks=900, shapes=False)
