"""Sequential impulses in generalized coordinates."""
