"""What the formulations share."""
