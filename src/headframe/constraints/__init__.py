"""Constraints by impulses."""
