"""Drives and end stops as rows."""
