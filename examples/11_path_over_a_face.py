"""Lead a cutter head over a roadway's face, row by row, as fast as the cylinders allow.

Writes way.csv (time, lengths, speeds), way.png (plots), and via.json for the page's Path tool.
"""

import argparse
import json
from pathlib import Path

import numpy as np

import headframe as hf

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--folder", type=Path, default=Path(), help="where the files go")
folder = parser.parse_args().folder

machine = hf.load("roadheader")
DEPTH = 5.6  # metres ahead of the machine's origin, where the rock is cut

# An arched roadway: 4 m wide, walls of 1.8 m, an arch of 1.4 m above; the head is 1 m thick.
profile = hf.arched(width=4.0, wall=1.8, rise=1.4)
cut = hf.serpentine(machine, "cutter_head", profile, depth=DEPTH, diameter=1.0)
print(
    f"{len(cut)} via points, {cut.length:.1f} m of way, {100 * cut.covered():.1f} % of the face cut"
)
for height, right, left in cut.left_out:
    print(f"  out of reach: {height:.2f} m high, from {right:.2f} to {left:.2f} m")

# The fastest motion through them that no cylinder's speed or acceleration forbids.
via = cut.positions(DEPTH)
motion = hf.trajectory(machine, "cutter_head", list(via))
off = 1000 * motion.position_errors.max()
print(f"takes {motion.duration:.0f} s at full speed, at most {off:.2f} mm off the smooth curve")

fastest = abs(motion.speeds).max(axis=0)
for name, speed in zip(motion.actuators, fastest, strict=True):
    if speed > 0:
        print(f"  {name:18} up to {speed:.3f} m/s")

half = motion.slowed(0.5)
print(f"at half speed, for hard rock: {half.duration:.0f} s")

file = folder / "via.json"
points = [{"position": np.round(point, 4).tolist()} for point in via]
file.write_text(json.dumps({"link": "cutter_head", "via": points}, indent=1))
print("wrote", file, "and", motion.save(folder / "way.csv"))
print("wrote", motion.plot(folder / "way.png", machine.folder))
