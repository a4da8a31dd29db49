"""Methods that exist to be compared with: SIMMC, XPBD, the papers' kinematics.

Nothing imports from here: `loading.BASELINES` and `sim.formulations` say where they are, and they
are loaded when somebody asks for one.
"""
