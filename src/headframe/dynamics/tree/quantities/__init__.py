"""What follows from a placed tree: Jacobians, momentum, centre of mass, energy, Cholesky."""
