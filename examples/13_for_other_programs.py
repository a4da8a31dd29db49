"""Write a machine for other programs: MuJoCo (MJCF), ROS (URDF), viewers (glTF), and one archive.

Writes lhd.xml, lhd.urdf, lhd.glb and lhd.zip, with the meshes that they name.
"""

import argparse
from pathlib import Path

import headframe as hf

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--folder", type=Path, default=Path(), help="where the files go")
folder = parser.parse_args().folder

machine = hf.load("lhd")
for form, name in (("mjcf", "lhd.xml"), ("urdf", "lhd.urdf"), ("gltf", "lhd.glb")):
    notes = machine.export(folder / name, form)  # what the format cannot say of this machine
    print(f"wrote {folder / name}, {(folder / name).stat().st_size / 1e3:.0f} kB")
    for note in notes:
        print("  note:", note)

# MuJoCo's file keeps the loops, and cylinders as slides with motors: it stands as before.
again = hf.load(folder / "lhd.xml")
off = hf.pose_error(machine.home.pose("bucket"), again.home.pose("bucket"))
print(f"read again from lhd.xml: {again}, bucket {1000 * max(abs(off[3:])):.3g} mm off")

# An archive holds the machine file and everything that it names; `load` and the page take it.
archive = machine.save(folder / "lhd.zip")
print(f"wrote {archive}; from it: {hf.load(archive)}")
