"""Machines in notebooks: a view to turn and move, and pictures of what Python shows."""
