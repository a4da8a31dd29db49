"""Bodies and machines that touch: an implicit step for all that is near to something else."""
