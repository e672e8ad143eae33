"""Deep copies of lists of any length, and of dicts of any keys.

In: lists and dicts.
Out: stand-ins.
Next: calling.
"""

from __future__ import annotations

from copy import deepcopy


def items_copied(items):
    """A list of copies."""
    return [deepcopy(item) for item in items]


def values_copied(table):
    """A dict of copies."""
    return {key: deepcopy(value) for key, value in table.items()}
