"""Near detection: where two shapes touch, how deep, and along what normal.

Every file treats some pairs of kinds; `touch.py` chooses among them. What all of them write are
records of `TOUCH`, with the normal from the second shape to the first.
"""
