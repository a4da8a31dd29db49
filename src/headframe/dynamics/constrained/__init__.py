"""Constrained tree: Lagrange multipliers over the spanning tree."""
