"""Extended position-based dynamics (XPBD)."""
