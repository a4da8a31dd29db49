"""Pictures of the documentation that explain how the solvers work, drawn when it is built."""
