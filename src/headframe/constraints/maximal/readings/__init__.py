"""Gaps of the joints, and the tree's coordinates, from the poses of the bodies."""
