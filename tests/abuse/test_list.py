"""The list in README.md names tests that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_test_of_the_list_is_there():
    text = (ROOT / "tests" / "abuse" / "README.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")][2:]
    assert len(rows) == 12
    for row in rows:
        found = re.findall(r"`((?:tests|web)/[\w/.]+)?(?:::(\w+))?`", row.split("|")[2])
        assert found, row
        file = ""
        for path, name in found:
            file = path or file  # a name alone is in the file before it
            source = (ROOT / file).read_text(encoding="utf-8")
            assert f"def {name}(" in source or not name, f"{file}::{name}"
