"""Spatial algebra: motions, forces, poses and bodies as tuples."""
