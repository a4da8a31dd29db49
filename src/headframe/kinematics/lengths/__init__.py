"""Lengths of cylinders as functions of the driving variables."""
