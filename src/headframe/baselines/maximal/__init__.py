"""A machine in maximal coordinates: every link a free body, every joint a constraint."""
