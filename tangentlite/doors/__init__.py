"""Doors: which text takes a call. The first that fits the arguments does, and the usual one where none fits.

In: the texts of a derivative.
Out: ``ranked``: texts for arrays of known dimensions; ``tabled``: arrays for lists of numbers; ``sliced``: slices for
loops over places; ``straight``: helpers of such loops written out; ``floating``: Python's floats for NumPy's numbers.
From ``tabled`` on each asks the next one.
Next: derivative.
"""
