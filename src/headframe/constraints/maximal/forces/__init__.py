"""Forces on free bodies, and the work that they do."""
