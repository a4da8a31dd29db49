"""Dynamics of a spanning tree."""
