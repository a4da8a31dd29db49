"""Headframe beside its peers: the same problems, solved by each in the same process."""
