"""The variational integrator for the constrained tree."""
