"""Write the catalogue's machine files, or check that they are what the scripts make.

    python tools/catalogue            writes src/headframe/machines/*.json and *.3dt
    python tools/catalogue --check    exits 1 when a file differs
    python tools/catalogue tcchs ...  only these

Every machine is a module of this folder with a function `build` that returns a robot; it is made of
what `kit` offers, and its file is the robot's canonical MRDF text. Where there is a function
`looks` too, it returns the robot's 3DT model, made of what `solids` offers.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import Any

import door
import five_link_chain
import gripper
import jumbo
import lhd
import numpy as np
import peaucellier
import roadheader
import shearer
import sshs
import sths
import tcchs

from headframe.description import Robot
from headframe.description.reading import read_file
from headframe.description.three_dt import Model, model_text, read_model
from headframe.description.writing import mrdf_text

FOLDER = Path(__file__).resolve().parents[2] / "src" / "headframe" / "machines"
MACHINES = (door, jumbo, lhd, roadheader, shearer, sshs, sths, tcchs)  # of the MineRobot paper
MODELS = (five_link_chain, gripper, peaucellier)  # of the paper on sequential impulses
BUILDERS = {
    module.__name__: module.build
    for module in sorted((*MACHINES, *MODELS), key=lambda module: module.__name__)
}
LOOKS = {
    module.__name__: module.looks for module in (*MACHINES, *MODELS) if hasattr(module, "looks")
}
ROUNDING = 1e-6  # what another processor may make different in the last digits of a file


def main() -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description="Write the catalogue's machine files.")
    parser.add_argument("machines", nargs="*", metavar="NAME", help="a machine; all unless told")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    if unknown := sorted(set(options.machines) - set(BUILDERS)):
        parser.error(f"no machine {', '.join(unknown)}; there are {', '.join(BUILDERS)}")

    code = 0
    for name in options.machines or BUILDERS:
        robot, path = BUILDERS[name](), FOLDER / f"{name}.json"
        model = LOOKS[name](robot) if name in LOOKS else None
        texts = {path: mrdf_text(robot)}
        if model is not None:
            texts[path.with_suffix(".3dt")] = model_text(model)
        if options.check:
            stale = [] if is_current(path, robot) else [path]
            if model is not None and not is_current_model(path.with_suffix(".3dt"), model):
                stale.append(path.with_suffix(".3dt"))
            for each in stale:
                print(f"{each.name} differs from its script", file=sys.stderr)
                code = 1
            continue
        for each, text in texts.items():
            each.write_text(text, encoding="utf-8", newline="\n")
            print(each)
    return code


def is_current(path: Path, robot: Robot) -> bool:
    """Tell whether a file holds that robot, but for rounding."""
    there = read_file(path).robot
    return there is not None and agree(there.model_dump(), robot.model_dump())


def is_current_model(path: Path, model: Model) -> bool:
    """Tell whether a 3DT file holds that model, but for rounding."""
    there = read_model(path).model
    if there is None or there.name != model.name or len(there.bodies) != len(model.bodies):
        return False
    names = [[component.name for component in each.components] for each in (there, model)]
    return names[0] == names[1] and all(
        (a.name, a.link, a.color, dict(a.attributes), a.sizes.tolist())
        == (b.name, b.link, b.color, dict(b.attributes), b.sizes.tolist())
        and np.allclose(a.vertices[a.corners], b.vertices[b.corners], rtol=0.0, atol=2e-4)
        for a, b in zip(there.bodies, model.bodies, strict=True)
    )


def agree(a: Any, b: Any) -> bool:
    """Tell whether two values agree but for rounding, and half a turn for half a turn back."""
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and agree(list(a.values()), list(b.values()))
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(agree, a, b))
    if isinstance(a, float) and isinstance(b, float):
        half_turns = abs(abs(a) - math.pi) < ROUNDING and abs(a + b) < ROUNDING
        return half_turns or math.isclose(a, b, rel_tol=ROUNDING, abs_tol=ROUNDING)
    return bool(a == b)


if __name__ == "__main__":
    sys.exit(main())
