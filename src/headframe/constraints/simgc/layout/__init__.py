"""Where things stand in the packed arrays."""
