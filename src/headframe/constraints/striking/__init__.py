"""A world that impulses move: contacts of machines and loose bodies as rows of sequential impulses.

Paper SIMGC handles contacts by the impulses that it holds loops with (sections 3 and 4): a normal
row that may only push, and friction that is clipped by it. `calls` says what a formulation gives
for that; SIMGC and SIMMC both do. `rows` are the contacts, `stepping` is the algorithm, `engine`
is what a `World` holds.
"""
