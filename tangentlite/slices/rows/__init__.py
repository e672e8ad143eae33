"""Rows: statements about rows of arrays in loops become loops over their numbers.

In: the statements of a function, ``Sizes``.
Out: ``lines.Rows``: the statements, and what sides of arrays must be equally long for that.
Next: prepared.

``vectors`` knows what is a row and its number at a place, ``lines`` writes the loops.
"""
