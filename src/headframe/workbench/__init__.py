"""Studies of a machine: computations of the workbench that take their time.

A study takes the machine as it stands and a request, tells how far it is, and leaves files.
"""
