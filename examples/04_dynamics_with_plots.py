"""Let a loader lift its bucket under gravity, let go of it, and plot what happened.

Writes lift.png: length, force and energy over time.
"""

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # draw into files, without a window
import matplotlib.pyplot as plt

import headframe as hf

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--folder", type=Path, default=Path(), help="where the picture goes")
folder = parser.parse_args().folder

machine = hf.load("lhd")
sim = hf.Simulation(machine)  # at rest, at home, all cylinders floating
print(f"{machine.name}: {sim.formulation}, because {sim.reason}")

# Every cylinder keeps its command until it gets another one.
sim.command({name: hf.locked() for name in machine.robot.group_names})
sim.command({"lift": hf.speed(0.08)})
recorder = hf.Recorder(sim, rate=100)  # rows a second
recorder.run(2.0)
held = sim.forces["lift"]
print(
    f"lifting for 2 s takes {held / 1e3:.0f} kN, the bucket is at {sim.pose('bucket')[2, 3]:.2f} m"
)

sim.command({"lift": hf.floating()})  # and now it falls until a stop ends it
recorder.run(2.0)
run = recorder.recording
print(f"after the fall it is at {sim.pose('bucket')[2, 3]:.2f} m")
print(f"{run.turnover / 1e3:.0f} kJ were on their way, {abs(run.balance).max():.2g} J unexplained")
print(f"computed {run.pace} times as fast as it happens")

lift = run.drives.index("lift")
figure, (top, middle, bottom) = plt.subplots(3, sharex=True, figsize=(8, 7), layout="constrained")
top.plot(run.time, run.positions[:, lift])
top.set_ylabel("length of lift [m]")
middle.plot(run.time, run.forces[:, lift] / 1e3)
middle.set_ylabel("force of lift [kN]")
for energy, name in zip(run.energies.T, ("kinetic", "potential", "springs"), strict=True):
    bottom.plot(run.time, (energy - energy[0]) / 1e3, label=name)
bottom.set_ylabel("energy since the start [kJ]")
bottom.set_xlabel("time [s]")
bottom.legend()
figure.savefig(folder / "lift.png", dpi=110)
print("wrote", folder / "lift.png")
