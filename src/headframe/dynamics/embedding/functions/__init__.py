"""The tree as functions of its driving variables."""
