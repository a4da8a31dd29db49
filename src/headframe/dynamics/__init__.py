"""Motion under forces."""
