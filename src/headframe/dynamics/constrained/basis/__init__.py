"""An orthonormal basis of constraint rows in the mass metric."""
