"""Every version bound of the project is in pyproject.toml, once."""

import re
import tomllib
from collections import Counter
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
OWN = re.compile(r"headframe\[([\w,]+)\]")


def test_no_bound_stands_twice():
    everything = [*PROJECT["dependencies"], *(line for extra in EXTRAS.values() for line in extra)]
    names = [re.match(r"[\w.-]+", line)[0] for line in everything if not OWN.match(line)]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_extras_refer_to_extras_that_are_there():
    for extra in EXTRAS.values():
        for line in extra:
            if found := OWN.fullmatch(line):
                assert set(found[1].split(",")) <= EXTRAS.keys()


def test_developers_have_what_the_tests_need():
    extras = set(OWN.fullmatch(EXTRAS["dev"][0])[1].split(","))
    assert {"notebook", "parquet", "peers", "plot", "watch"} <= extras
