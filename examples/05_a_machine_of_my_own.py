"""Describe a machine in the program, have it checked, assemble it, drive it.

A platform on a parallelogram that one cylinder raises: it stays level all the way.
Writes lift.json (the machine file) and lift.png.
"""

import argparse
import json
from pathlib import Path

import headframe as hf

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--folder", type=Path, default=Path(), help="where file and picture go")
folder = parser.parse_args().folder
file = folder / "lift.json"


def link(name, mass, x, z):
    """A link that is a box of a length and a height [m], beginning at its own origin."""
    box = {"geometry": {"type": "box", "x": x, "y": 0.3, "z": z}, "translation": [x / 2, 0, 0]}
    turn = mass * (x * x + z * z) / 12
    inertia = [[turn, 0, 0], [0, turn, 0], [0, 0, turn]]
    inertial = {"mass": mass, "com": [x / 2, 0, 0], "inertia": inertia}
    return {"name": name, "visual": box, "inertial": inertial}


def hinge(name, parent, child, place):
    """A joint that turns about the axis across; its place is in the parent's axes [m]."""
    return {"name": name, "parent": parent, "child": child, "type": "revolute",
            "origin_translation": place, "axis": [0, -1, 0]}  # fmt: skip


lift = {
    "mrdf": "1", "name": "lift", "end_effector": "platform",
    "links": [link(*each) for each in (("base", 400, 1.6, 0.2), ("lower_arm", 60, 1.5, 0.08),
                                       ("platform", 80, 0.8, 0.1), ("upper_arm", 40, 1.5, 0.08))],
    "joints": [hinge("base_lower", "base", "lower_arm", [0, 0, 0.3]),
               hinge("lower_platform", "lower_arm", "platform", [1.5, 0, 0]),
               hinge("platform_upper", "platform", "upper_arm", [0, 0, 0.4]),
               # this pivot closes the loop, so both of its links say where it is
               hinge("base_upper", "base", "upper_arm", [0, 0, 0.7]),
               hinge("upper_base", "upper_arm", "base", [1.5, 0, 0])],
    "actuators": [{"name": "ram", "tube_parent": "base", "tube_offset": [0.9, 0, 0.2],
                   "rod_parent": "lower_amr", "rod_offset": [0.8, 0, 0],  # a slip of the pen
                   "bound": {"lower": 0.5, "upper": 0.8}}],
    "home": {"joints": {"base_lower": 0.6, "lower_platform": -0.6, "platform_upper": 3.74}},
}  # fmt: skip
file.write_text(json.dumps(lift, indent=1))
for problem in hf.examine(file).problems:  # all of them at once, each with its place
    print("problem:", problem)

lift["actuators"][0]["rod_parent"] = "lower_arm"
file.write_text(json.dumps(lift, indent=1))
machine = hf.load(file)
print(f"assembled: {machine.topology}")
for length in (0.5, 0.6, 0.7, 0.8):
    pose = machine.fk({"ram": length}).pose("platform")
    print(f"ram {length} m: platform {pose[2, 3]:.3f} m high, slope {abs(pose[2, 0]):.1e}")

sim = hf.Simulation(machine)
sim.command({"ram": hf.length(0.75)})
sim.run(3.0)
print(f"driven: ram {sim.cylinder('ram').length:.3f} m, pushes {sim.forces['ram']:.0f} N")
print("wrote", file, "and", machine.draw(folder / "lift.png"))
