"""The same motion by five formulations: how far apart they are, how exact, how fast.

Writes formulations.png: how far loops and joints come apart.
"""

import argparse
import time
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")  # draw into files, without a window
import matplotlib.pyplot as plt

import headframe as hf

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--folder", type=Path, default=Path(), help="where the picture goes")
parser.add_argument("--seconds", type=float, default=0.5, help="simulated time")
given = parser.parse_args()

FORMULATIONS = ("embedded", "constrained", "simgc", "simmc", "xpbd")
machine = hf.load("lhd")
figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
reference = None

print("formulation    bucket off [mm]   loops open [mm]   times real time")
for name in FORMULATIONS:
    sim = hf.Simulation(machine, formulation=name)
    sim.command({group: hf.locked() for group in machine.robot.group_names})
    sim.command({"lift": hf.speed(0.1)})
    sim.step()  # the first step may have to compile; that is not to be timed
    moments, gaps, took = [], [], 0.0
    while sim.time < given.seconds:
        begun = time.perf_counter()
        sim.step(10)
        took += time.perf_counter() - begun
        moments.append(sim.time)
        gaps.append(sim.position_error())
    place = sim.pose("bucket")[:3, 3]
    reference = place if reference is None else reference  # the first has nothing to come apart
    off = 1000 * np.linalg.norm(place - reference)
    print(f"{name:12} {off:15.4f} {1000 * max(gaps):17.2g} {given.seconds / took:17.0f}")
    axes.semilogy(moments, np.maximum(gaps, 1e-16), label=name)

axes.set(xlabel="time [s]", ylabel="largest gap at a joint [m]")
axes.legend()
figure.savefig(given.folder / "formulations.png", dpi=110)
print("wrote", given.folder / "formulations.png")
