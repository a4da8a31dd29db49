"""Machines with servos, small enough for formulas."""

from functools import cache
from pathlib import Path

from tests.build import four_bar, joint, machine
from tests.moving import changed, crane

import headframe as hf
from headframe.machine import Machine

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
ABOUT_Z = {"axis": [0.0, 0.0, 1.0]}


def servo(name: str, **fields) -> dict:
    """A servo of the joint of the same name."""
    return {"name": name, "joint": name, "servo": True, **fields}


@cache
def elbow_arm(first: float = 0.8, second: float = 0.5) -> Machine:
    """Two links in the plane of x and y, and a hand at the end of the second."""
    limit = {"limit": {"lower": -2.5, "upper": 2.5}}
    return machine(
        [
            joint("shoulder", "base", "upper", **ABOUT_Z, **limit),
            joint("elbow", "upper", "lower", at=[first, 0.0, 0.0], **ABOUT_Z, **limit),
            joint("wrist", "lower", "hand", "fixed", at=[second, 0.0, 0.0]),
        ],
        motors=[
            {**servo("shoulder"), "name": "shoulder_motor", "max_speed": 0.7},
            {**servo("elbow"), "name": "elbow_motor"},
        ],
        end_effector="hand",
    )


@cache
def picker() -> Machine:
    """The arm of the documentation: a turret without ends, two hinges, a gripper with a mimic."""
    return hf.load(EXAMPLES / "picker_description" / "urdf" / "picker.urdf")


@cache
def cranked_four_bar() -> Machine:
    """A four-bar whose crank a servo turns."""
    return four_bar(
        1.0, 0.3, 0.9, 0.7, motors=[servo("crank")],
        home={"joints": {"crank": -1.0}},
    )  # fmt: skip


@cache
def slewing_crane() -> Machine:
    """A crane with cylinders whose column a servo turns."""

    def on_a_turret(content) -> None:
        root = next(
            link["name"]
            for link in content["links"]
            if all(j["child"] != link["name"] for j in content["joints"])
        )
        content["links"] = [{"name": "ground"}, *content["links"]]
        turret = joint("slew", "ground", root, **ABOUT_Z, limit={"lower": -3.0, "upper": 3.0})
        content["joints"] = [turret, *content["joints"]]
        content["motors"] = [*content["motors"], servo("slew", max_speed=0.4)]

    return changed(crane(), on_a_turret)
