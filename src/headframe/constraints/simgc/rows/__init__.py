"""Rows of constraints, and the impulses that satisfy them one after another."""
