"""A loader in a notebook: shown in a cell, moved by sliders and from Python.

Open this file in an editor that knows cells (VS Code, PyCharm, Jupyter with jupytext) and run one
after the other, or run it as a plain program. It needs `pip install "headframe[notebook,plot]"`.
Writes bucket.png.
"""

# %%
import argparse
from pathlib import Path

import headframe as hf

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--folder", type=Path, default=Path(), help="where the picture goes")
folder = parser.parse_known_args()[0].folder  # a notebook has arguments of its own

# %% [markdown]
# The value of a cell is shown: the machine to turn with the mouse, a slider for each cylinder.

# %%
machine = hf.load("lhd")
view = machine.show()
view

# %% [markdown]
# What the sliders say can be read, and set: the picture follows at once.

# %%
print("sliders [m]:", {name: round(length, 3) for name, length in view.lengths.items()})
low = view.state.pose("bucket")[2, 3]
view.lengths = {**view.lengths, "lift": view.lengths["lift"] + 0.15}
high = view.state.pose("bucket")[2, 3]
print(f"15 cm more of the lift cylinder raise the bucket by {high - low:.2f} m")

# %% [markdown]
# Lengths that the machine cannot take leave it where it is, and the cell says why.

# %%
view.lengths = {**view.lengths, "lift": 9.0}
print("refused:", view.problem)
print(f"the bucket stays at {view.state.pose('bucket')[2, 3]:.2f} m")

# %% [markdown]
# Machines, states, workspaces, trajectories and recordings are drawn where they are the value of a
# cell. Outside of a notebook the same pictures are made by `save`, `draw` and `plot`.

# %%
reach = hf.workspace(machine, "bucket", samples=3000)
reach

# %%
print("wrote", reach.save(folder / "bucket.png", machine.folder))
