"""Far detection: which shapes are near enough to be looked at closely.

`sweep` gives the pairs of moving shapes, by boxes along the world's axes: worlds find theirs so.
`statics` (an octree, or planes) and `sphere_graph` (a machine's links) look in the trees that
`hierarchies` makes; no world asks them yet.
"""
