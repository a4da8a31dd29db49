"""One step of a motion by one of seven methods."""
