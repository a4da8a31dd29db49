"""Where embedded loops keep their numbers."""
