"""Methods that exist to be compared with: SIMMC, XPBD, the papers' kinematics.

Nothing imports from here by name: `sim` and `Machine` load a method when somebody asks for it.
"""
