"""Sequential impulses in maximal coordinates (SIMMC)."""
