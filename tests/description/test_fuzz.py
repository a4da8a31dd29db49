"""Mutated files: whatever is done to a file, it gives a robot or a list of problems, at once.

10,000 files in one run, spread over parametrised tests so that several processes share them.
"""

import copy
import random
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutating import as_text, mutate_tree

from headframe.description.jsonc import parse
from headframe.description.reading import Reading, read_bytes, read_text, robot_from
from headframe.description.writing import mrdf_text
from headframe.errors import HeadframeWarning, MachineFileError
from headframe.machine import Machine

FIXTURES = Path(__file__).parents[1] / "fixtures"
BASES = {
    name: (FIXTURES / f"{name}.json").read_bytes()
    for name in ("canonical_crane", "demo_dialect_support", "paper_dialect_support")
}
TREES = {name: parse(data.decode())[0] for name, data in BASES.items()}
PARTS = 4
EXAMPLES = 470  # a part
DIFFERENT = 420  # at least, of these; 2 kinds of mutation, 3 files and 4 parts make 10,080
SLOWEST = 1.0  # seconds a file


def fuzz(name: str, mutated: Callable[[random.Random], bytes]) -> None:
    """Check many mutated files. Each name gets files of its own."""
    files = set()

    @settings(max_examples=EXAMPLES, database=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 2**64))
    def run(seed: int) -> None:
        data = mutated(random.Random(f"{name} {seed}"))
        files.add(data)
        check(data)

    run()
    assert len(files) >= DIFFERENT


def check(data: bytes) -> None:
    """A file gives a robot that is whole, or problems that are all said in words."""
    start = time.process_time()  # not the clock on the wall: the machine may be busy
    reading = read_bytes(data, FIXTURES)
    took = time.process_time() - start
    assert took < SLOWEST, f"{took:.2f} s"
    assert (reading.robot is None) == bool(reading.problems)
    if reading.robot is None:
        with pytest.raises(MachineFileError) as caught:
            robot_from(reading, "fuzz.json")
        assert str(caught.value).startswith("fuzz.json: ")
        check_problems(reading, data)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HeadframeWarning)
        robot = robot_from(reading, "fuzz.json")
    assert Machine(robot).counts["links"] >= 1
    text = mrdf_text(robot)
    again = read_text(text, FIXTURES)
    assert again.problems == []
    assert again.robot == robot
    assert mrdf_text(again.robot) == text


def check_problems(reading: Reading, data: bytes) -> None:
    lines = data.count(b"\n") + 1
    for problem in reading.problems:
        assert issubclass(problem.kind, MachineFileError)
        assert problem.message.strip()
        assert "\n" not in str(problem)
        assert len(str(problem)) < 1500
        str(problem).encode()  # no half of a surrogate pair
        assert problem.line is None or 1 <= problem.line <= lines


# -- mutations of bytes ----------------------------------------------------------------

NASTY = [
    b"\x00",
    b"\xff\xfe",
    b"\xed\xa0\x80",  # half of a surrogate pair
    b"\xef\xbb\xbf",
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"9" * 5000,
    b"//",
    b"/*",
    b"*/",
    b'"',
    b"\\",
    b"\\ud800",
    b",",
    b"[" * 70,
    b"{",
    b"}",
    b"]",
    b"<robot>",
    b"\r\n",
    b'"mrdf": "1",',
]


def mutate_bytes(data: bytes, chance: random.Random) -> bytes:
    mutated = bytearray(data)
    for _ in range(chance.choice((1, 2, 2, 3, 5, 20))):
        at = chance.randrange(len(mutated) + 1)
        to = min(len(mutated), at + chance.choice((1, 1, 2, 5, 30, 400)))
        match chance.randrange(7):
            case 0 if at < len(mutated):
                mutated[at] ^= 1 << chance.randrange(8)
            case 1:
                del mutated[at:to]
            case 2:
                mutated[at:at] = mutated[at:to]
            case 3:
                mutated[at:at] = chance.choice(NASTY)
            case 4:
                mutated[at:to] = chance.choice(NASTY)
            case 5:
                elsewhere = chance.randrange(len(mutated) + 1)
                mutated[elsewhere:elsewhere] = mutated[at:to]
            case 6 if chance.random() < 0.3:
                del mutated[at:]
    return bytes(mutated)


# -- the tests -------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("base", BASES)
def test_mutated_bytes(base, part):
    fuzz(f"bytes {base} {part}", lambda chance: mutate_bytes(BASES[base], chance))


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("base", BASES)
def test_mutated_values(base, part):
    def mutated(chance):
        tree = TREES[base]
        while tree == TREES[base]:  # some mutations change nothing
            tree = mutate_tree(copy.deepcopy(TREES[base]), chance)
        return as_text(tree, chance).encode("utf-8", "surrogatepass")

    fuzz(f"values {base} {part}", mutated)


def test_mutations_reach_both_ends():
    """The mutations are neither so mild that all files load nor so wild that none does."""
    outcomes = Counter()
    for seed in range(300):
        chance = random.Random(seed)
        tree = mutate_tree(copy.deepcopy(TREES["canonical_crane"]), chance)
        reading = read_text(as_text(tree, chance), FIXTURES)
        outcomes[reading.robot is not None] += 1
        outcomes.update({problem.kind for problem in reading.problems})
    assert 15 < outcomes[True] < 150
    assert len(outcomes) > 15, "many kinds of problems"
