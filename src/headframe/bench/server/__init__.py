"""What the server costs, and whether it keeps its pace with a crowd of clients."""
