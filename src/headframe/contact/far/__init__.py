"""Far detection: which shapes are near enough to be looked at closely.

`sweep` gives the pairs of moving shapes, by boxes along the world's axes.
"""
