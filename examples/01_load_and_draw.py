"""Load a machine of the catalogue, look at what is in it, and draw it.

Writes roadheader.png (three views) and roadheader_topology.png (the graph of links and joints).
"""

import argparse
from pathlib import Path

import headframe as hf

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--folder", type=Path, default=Path(), help="where the pictures go")
folder = parser.parse_args().folder

print("the catalogue:", ", ".join(hf.machines()))

machine = hf.load("roadheader")  # or the path of a file: MRDF, URDF or MJCF
print(machine)

# The home pose: every loop closed, every cylinder between its ends. It is found when first needed.
home = machine.home
x, y, z = home.pose("cutter_head")[:3, 3]
print(f"the cutter head is {x:.2f} m ahead, {y:.2f} m to the left, {z:.2f} m above the floor")

print("\ncylinder              now [m]     ends [m]")
for cylinder, length in zip(machine.actuators, home.lengths, strict=True):
    ends = cylinder.bounds
    print(f"{cylinder.name:20} {length:8.3f}    {ends.lower:.3f} to {ends.upper:.3f}")

# Cylinders that move the same thing are a group, and are driven together.
print("\ngroups:", ", ".join(machine.robot.group_names))

print("\nwrote", machine.draw(folder / "roadheader.png"))
print("wrote", machine.draw_topology(folder / "roadheader_topology.png"))
