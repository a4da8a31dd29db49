"""From lengths to poses and back: forward and inverse kinematics, speeds and forces.

Writes nothing; everything is printed.
"""

import numpy as np

import headframe as hf

machine = hf.load("roadheader")

# Forward: lengths [m] in, a state out. What is not named stays as at home.
state = machine.fk({"boom": 2.1, "telescope": 2.3})
print("cutter head with boom = 2.1 m, telescope = 2.3 m:")
print(np.round(state.pose("cutter_head"), 3))

# Back: the same pose is asked for, and the lengths come out again.
answer = machine.ik("cutter_head", state.pose("cutter_head"))
print("\nback to lengths:", np.round(answer.lengths, 4), "reached:", answer.reachable)
print(f"largest difference {abs(answer.lengths - state.lengths).max():.1e} m")

# A place alone: only the last three of the six parts of the error count, turns are free.
target = np.eye(4)
target[:3, 3] = 5.4, 0.8, 2.0
there = machine.ik("cutter_head", target, mask=(0, 0, 0, 1, 1, 1))
print("\nto (5.4, 0.8, 2.0):", np.round(there.lengths, 3), "reached:", there.reachable)

# Out of reach: the closest that there is, and how far that is off.
target[0, 3] = 7.0
far = machine.ik("cutter_head", target, mask=(0, 0, 0, 1, 1, 1))
print(f"to (7.0, 0.8, 2.0): {far.position_error:.2f} m too short, reached: {far.reachable}")

# What a cylinder cannot do is refused, with its name and its ends.
try:
    machine.fk({"boom": 2.5})
except hf.LengthError as error:
    print("\nrefused:", error)

# How fast: metres a second of the head for each metre a second of a group.
print("\nhead's speed per cylinder speed, at home:")
for name, column in zip(machine.robot.group_names, machine.jacobian("cutter_head").T, strict=False):
    print(f"  {name:18} {np.linalg.norm(column[3:]):.2f}")

# How strong: what every cylinder pushes to hold the machine with 20 kN of rock on its head.
rock = {"cutter_head": [0, 0, 0, 0, 0, -20e3]}
print("\nforces [kN]   alone   with 20 kN on the head")
alone = machine.statics(state).round() + 0.0
loaded = machine.statics(state, rock).round() + 0.0
for cylinder, before, after in zip(machine.actuators, alone, loaded, strict=False):
    print(f"{cylinder.name:18} {before / 1e3:8.1f} {after / 1e3:12.1f}")
