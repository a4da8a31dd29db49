"""A machine in natural and mixed coordinates, moved by an index-3 augmented Lagrangian.

A. Luaces Fernández: Contact and HiL interaction in multibody based machinery simulators, thesis,
Universidade da Coruña, 2013, chapter 2 and section 5.4. Numbers in brackets, (2.57), are its own.

`sharing` and `natural` find the coordinates, `equations` the rows that tie them, `ordering` the
pattern of the factor, `packing` lays all that out for the kernels: `rows`, `factor`, `forces`,
`newton`, `stepping`, `reading`. `engine` is what `Simulation` holds.
"""
