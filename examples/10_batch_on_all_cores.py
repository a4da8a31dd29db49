"""Half a million poses on all cores: batches let other threads run, so threads are enough.

Writes density.png: where the tip of a loader's bucket is most often, seen from its side.
"""

import argparse
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")  # draw into files, without a window
import matplotlib.pyplot as plt

import headframe as hf

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--folder", type=Path, default=Path(), help="where the picture goes")
parser.add_argument("--rows", type=int, default=500_000, help="how many poses")
given = parser.parse_args()

machine = hf.load("lhd")
inputs = machine.robot.inputs
low, high = np.array([(each.lower, each.upper) for each in inputs]).T
lengths = np.random.default_rng(1).uniform(low, high, (given.rows, len(inputs)))


def places(rows):
    """Places of the bucket for rows of lengths, (n, 3) [m]."""
    return machine.fk_batch(rows, links="bucket").pose("bucket")[:, :3, 3]


places(lengths[:10])  # the first call makes the machine ready; that is not to be timed
begun = time.perf_counter()
alone = places(lengths)
one = time.perf_counter() - begun

cores = os.cpu_count() or 1
begun = time.perf_counter()
with ThreadPoolExecutor(cores) as pool:
    parts = list(pool.map(places, np.array_split(lengths, 4 * cores)))
together = np.concatenate(parts)
many = time.perf_counter() - begun

print(f"one thread:  {given.rows} poses in {one:.2f} s, {1e6 * one / given.rows:.2f} us each")
print(f"{cores} threads:   {many:.2f} s, {one / many:.1f} times as fast")
print("the same to the last bit:", np.array_equal(alone, together))

figure, axes = plt.subplots(figsize=(4.6, 6), layout="constrained")
counts = axes.hist2d(together[:, 0], together[:, 2], bins=200, cmin=1)
axes.set(xlabel="ahead [m]", ylabel="up [m]", title="Places of the bucket", aspect="equal")
figure.colorbar(counts[3], label="poses")
figure.savefig(given.folder / "density.png", dpi=110)
print("wrote", given.folder / "density.png")
