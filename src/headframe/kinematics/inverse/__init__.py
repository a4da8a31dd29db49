"""Inverse kinematics: from a link's pose to lengths."""
