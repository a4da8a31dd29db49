"""VS Code and machine files: its JSON service is asked, and a picture drawn of what it says."""
