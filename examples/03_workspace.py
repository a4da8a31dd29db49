"""Everywhere a link can get: points, volume, and which cylinder ends its way.

Writes reach.png (a picture) and reach.npz (the points and the lengths that lead there).
"""

import argparse
from pathlib import Path

import numpy as np

import headframe as hf

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--folder", type=Path, default=Path(), help="where picture and points go")
parser.add_argument("--samples", type=int, default=20_000, help="how many places to try")
given = parser.parse_args()

machine = hf.load("roadheader")
reach = hf.workspace(machine, "cutter_head", samples=given.samples)

low, high = reach.box
print(f"{len(reach)} places of the cutter head, {reach.size_text}")
for axis, least, most in zip(("ahead", "across", "up"), low, high, strict=True):
    print(f"  {axis:7} {least:6.2f} to {most:5.2f} m")

# Can it cut a roadway of this size? Look at the cross-section just before its farthest reach.
near_face = reach.points[abs(reach.points[:, 0] - 5.4) < 0.1]
across, up = np.ptp(near_face[:, 1]), near_face[:, 2].max()
print(f"5.4 m ahead the head's middle sweeps {across:.2f} m across and gets {up:.2f} m high")

# The lengths of a point lead there again.
highest = reach.points[:, 2].argmax()
lengths = dict(zip(reach.inputs, reach.values[highest], strict=True))
again = machine.fk(lengths).pose("cutter_head")[:3, 3]
print("highest place", np.round(reach.points[highest], 3), "- by its lengths", np.round(again, 3))

print("wrote", reach.save(given.folder / "reach.png", machine.folder))
print("wrote", reach.save(given.folder / "reach.npz"))
