"""``copy.deepcopy`` of lists, tuples and dicts: of each kind its own.

In: what the calls say.
Out: plain functions, differentiated like any user's.
Next: standins.
"""

from __future__ import annotations

import copy


def of_list(items):
    """A list of copies.

    >>> of_list([[1.0], 2.0])
    [[1.0], 2.0]
    """
    return [copy.deepcopy(item) for item in items]


def of_tuple(items):
    """A tuple of copies.

    >>> of_tuple(([1.0], 2.0))
    ([1.0], 2.0)
    """
    return tuple([copy.deepcopy(item) for item in items])


def of_dict(items):
    """A dict of copies.

    >>> of_dict({"a": [1.0]})
    {'a': [1.0]}
    """
    return {key: copy.deepcopy(item) for key, item in items.items()}
