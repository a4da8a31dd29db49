"""Loops embedded in closed form."""
