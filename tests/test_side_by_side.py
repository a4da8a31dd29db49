"""Commands that `make test` runs at the same time."""

import sys
import time

import side_by_side

PYTHON = f'"{sys.executable}" -S -c'


def test_they_run_at_the_same_time_and_their_words_are_kept_apart(tmp_path, capfd):
    """Each waits for a file that the other writes."""
    commands = [
        f"""{PYTHON} "
import os, pathlib, time
print('{name} begins', flush=True)
pathlib.Path(r'{tmp_path / name}').touch()
while not os.path.exists(r'{tmp_path / other}'): time.sleep(0.01)
time.sleep({seconds})
print('{name} ends', flush=True)
" """
        for name, other, seconds in (("a", "b", 0.2), ("b", "a", 0.0), ("c", "a", 0.0))
    ]
    assert side_by_side.main(commands) == 0
    said = capfd.readouterr().out
    assert "b begins\nb ends\n" in said
    assert "c begins\nc ends\n" in said
    assert said.index("a begins") < said.index("a ends")


def test_one_that_fails_is_named_and_the_others_end(tmp_path, capfd):
    done = tmp_path / "done"
    long = f"""{PYTHON} "import time; time.sleep(0.3); open(r'{done}', 'w')" """
    start = time.monotonic()
    assert side_by_side.main([f'{PYTHON} "raise SystemExit(3)"', long]) == 1
    assert time.monotonic() - start >= 0.3
    assert done.exists()
    assert 'raise SystemExit(3)" (exit code 3)' in capfd.readouterr().err
