"""Constraints that close loops over the spanning tree."""
