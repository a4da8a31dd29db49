"""Machines with servos, small enough for formulas."""

from functools import cache
from pathlib import Path

from tests.build import actuator, four_bar, joint, machine
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


def repeater(follower: str, leader: str, ratio: float, offset: float = 0.0) -> dict:
    """A repeater that makes one joint follow another."""
    name = f"{follower} follows {leader}"
    return {"name": name, "joint": follower, "follows": leader, "ratio": ratio, "offset": offset}


@cache
def finger() -> Machine:
    """Three links one after the other: the last follows the second, which follows the first.

    The file has the last one's repeater first, and a motor on the second that nothing can tell
    where to go.
    """
    return machine(
        [
            joint("knuckle", "palm", "near", **ABOUT_Z, limit={"lower": -1.0, "upper": 1.0}),
            joint("middle", "near", "far", at=[0.4, 0.0, 0.0], **ABOUT_Z),
            joint("end", "far", "tip", at=[0.3, 0.0, 0.0], axis=[0.0, 1.0, 0.0]),
            joint("nail", "tip", "nail", "fixed", at=[0.2, 0.0, 0.1]),
        ],
        motors=[servo("middle"), servo("knuckle")],
        repeaters=[repeater("end", "middle", 1.5, 0.1), repeater("middle", "knuckle", -0.5, 0.2)],
        home={"joints": {"knuckle": 0.0, "middle": 0.2, "end": 0.4}},
    )


@cache
def geared_four_bar() -> Machine:
    """A four-bar whose crank follows a wheel, which follows the one that a servo turns."""
    plain = four_bar(1.0, 0.3, 0.9, 0.7)

    def geared(content) -> None:
        content["links"] = [*content["links"], {"name": "wheel"}, {"name": "pinion"}]
        wheels = [joint(name, "ground", name) for name in ("pinion", "wheel")]
        content["joints"] = [*content["joints"], *wheels]
        content["motors"] = [servo("pinion")]
        content["repeaters"] = [repeater("crank", "wheel", 0.5), repeater("wheel", "pinion", -1.0)]
        content["home"] = {"joints": {"pinion": 2.0, "wheel": -2.0, "crank": -1.0}}

    return changed(plain, geared)


@cache
def four_bar_beside_a_boom() -> Machine:
    """A four-bar that a servo turns, and a boom on two cylinders of one group."""
    ends = ("ground", (0.5, 0.0, -0.5)), ("boom", (1.0, 0.0, 0.0))
    pair = [
        actuator(one, *ends, (0.6, 1.4), redundants=[other])
        for one, other in (("left", "right"), ("right", "left"))
    ]

    def with_a_boom(content) -> None:
        names = ("boom", "left_tube", "left_rod", "right_tube", "right_rod")
        content["links"] = [*content["links"], *({"name": name} for name in names)]
        content["joints"] = [*content["joints"], joint("boom", "ground", "boom")]
        content["actuators"] = [
            {**each, "tube": f"{each['name']}_tube", "rod": f"{each['name']}_rod"} for each in pair
        ]

    return changed(cranked_four_bar(), with_a_boom)


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
