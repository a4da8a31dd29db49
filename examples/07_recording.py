"""Record a run, save it, read it again, and make a table of it for other programs.

Writes run.npz (everything), run.png (plots) and run.csv (a table for a spreadsheet).
"""

import argparse
from pathlib import Path

import numpy as np

import headframe as hf

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--folder", type=Path, default=Path(), help="where the files go")
folder = parser.parse_args().folder

# Lower a support by its legs, with the weight of the roof on its canopy.
machine = hf.load("tcchs")
sim = hf.Simulation(machine)
sim.command({name: hf.locked() for name in machine.robot.group_names})
sim.command({"front_legs": hf.speed(-0.03), "rear_legs": hf.speed(-0.03)})
roof = [0, 0, 0, 0, 0, -500e3]  # torque [N m], then force [N], in world axes
sim.apply("canopy", roof, point=[1.5, 0, 0])
run = hf.record(sim, 3.0, rate=50)
file = run.save(folder / "run.npz")
print(run, "saved as", file)

# Another program, another day:
again = hf.Recording.load(file)
print("machine:", again.about.machine, "- columns:", ", ".join(again.drives))
same = np.array_equal(again.positions, run.positions)
print(f"{len(again)} moments over {again.seconds:g} s, the same numbers: {same}")

for name in ("front_legs", "rear_legs"):
    column = again.drives.index(name)
    begin, end = again.positions[[0, -1], column]
    force = again.forces[:, column].max() / 1e3
    print(f"{name}: {begin:.3f} m to {end:.3f} m, pushing {force:.0f} kN at most")

# Columns of your choice, in a file that every spreadsheet opens.
heads = ["time [s]", *(f"{name} [m]" for name in again.cylinders)]
rows = np.column_stack([again.time, again.lengths])
table = folder / "run.csv"
np.savetxt(table, rows, fmt="%.6f", delimiter=",", header=",".join(heads), comments="")
print("wrote", table, "and", again.plot(folder / "run.png"))
