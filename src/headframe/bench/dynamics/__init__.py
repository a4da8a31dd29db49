"""Dynamics beside its peers, and the experiments of the roadheader and the SIMGC papers."""
