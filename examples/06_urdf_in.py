"""Take a robot from a URDF file: load it, see where it reaches, let it move, write it as MRDF.

Writes arm.urdf (a robot arm to begin with), arm.png and arm.json.
"""

import argparse
from pathlib import Path

import numpy as np

import headframe as hf

URDF = """<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0 0 0.25"/><mass value="4"/>
      <inertia ixx="0.09" iyy="0.09" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 0.25"/>
      <geometry><cylinder radius="0.05" length="0.5"/></geometry></visual>
  </link>
  <link name="lower">
    <inertial><origin xyz="0 0 0.2"/><mass value="2"/>
      <inertia ixx="0.03" iyy="0.03" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 0.2"/>
      <geometry><cylinder radius="0.04" length="0.4"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="120" velocity="1.5"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="lower"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="2.5" effort="60" velocity="2"/>
  </joint>
</robot>
"""

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--folder", type=Path, default=Path(), help="where the files go")
folder = parser.parse_args().folder

file = folder / "arm.urdf"
file.write_text(URDF)
arm = hf.load(file)  # packages={"my_robot": "path"} tells where package://my_robot/... is
print(arm, "moved by", ", ".join(each.name for each in arm.robot.inputs))

# Its joints are servos: their positions [rad] take the place that lengths of cylinders have.
state = arm.fk({"shoulder": 0.6, "elbow": 0.9})
print("forearm at", np.round(state.pose("lower")[:3, 3], 3), "turned:", state.joints)
print("torques that hold it there [N m]:", np.round(arm.statics(state), 2))

reach = hf.workspace(arm, "lower", samples=1000, point=(0, 0, 0.4))  # of the forearm's tip
print("its tip gets", reach.box[1][2].round(3), "m high and sweeps", reach.size_text)

sim = hf.Simulation(arm, start=state)
sim.command({name: hf.locked() for name in ("shoulder", "elbow")})
sim.command({"shoulder": hf.position(0.2)})
sim.run(2.0)
print(f"moved: shoulder {sim.joint('shoulder').position:.3f} rad")

print("wrote", file, "and", arm.draw(folder / "arm.png"), "and", arm.save(folder / "arm.json"))
