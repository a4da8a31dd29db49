"""Drives and end stops of rows between free bodies."""
