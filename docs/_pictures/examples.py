"""Pictures that the programs in examples/ make, for the page that shows them."""

import contextlib
import io
import runpy
import sys
from pathlib import Path
from unittest.mock import patch

PROGRAMS = Path(__file__).parents[2] / "examples"
PICTURES = {  # number of the program: the picture of it that is shown
    "01": "roadheader.png",
    "03": "reach.png",
    "04": "lift.png",
    "05": "lift.png",
    "06": "arm.png",
    "07": "run.png",
    "09": "bucket.png",
    "10": "density.png",
    "11": "way.png",
    "12": "formulations.png",
}


def run_examples(folder: Path, newest: float) -> None:
    """Run those whose picture is missing or older than the program or `newest`.

    Each writes into a folder of its own, called by its number.
    """
    for number, name in PICTURES.items():
        (program,) = PROGRAMS.glob(f"{number}_*.py")
        picture = folder / number / name
        if picture.exists() and picture.stat().st_mtime > max(newest, program.stat().st_mtime):
            continue
        picture.parent.mkdir(parents=True, exist_ok=True)
        arguments = [str(program), "--folder", str(picture.parent)]
        with patch.object(sys, "argv", arguments), contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(str(program), run_name="__main__")
