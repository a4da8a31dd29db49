"""Arrays, scratch memory and rows of the constrained tree."""
