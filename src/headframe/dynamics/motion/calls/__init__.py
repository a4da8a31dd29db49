"""What a motion asks of its formulation."""
