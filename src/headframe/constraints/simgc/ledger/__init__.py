"""Where energy comes from and where it goes."""
