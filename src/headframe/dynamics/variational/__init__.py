"""A variational integrator."""
