"""Articulated bodies: from forces to accelerations."""
