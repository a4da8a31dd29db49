"""The command ``headframe``: parse, call, print."""
