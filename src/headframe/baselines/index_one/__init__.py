"""Methods for accelerations in natural coordinates, to compare the augmented Lagrangian with.

Penalty, stabilised Lagrange multipliers, Baumgarte, and the matrix R: section 2.1.2 of A. Luaces
Fernández's thesis, see `constraints.augmented`. All differentiate the constraints twice and leave
positions to themselves, but for the matrix R, which integrates independent coordinates only.
"""
