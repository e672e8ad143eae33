"""Methods of `collections.Counter` in plain Python.

In: a dict of counts.
Out: stand-ins.
Next: arrays.
"""

from __future__ import annotations

from typing import Any


def most_common(counts, n=None) -> list[Any]:
    """`collections.Counter.most_common`.

    >>> most_common({"a": 1, "b": 3, "c": 1}), most_common({"a": 1, "b": 3}, 1)
    ([('b', 3), ('a', 1), ('c', 1)], [('b', 3)])
    """
    pairs = [(key, count) for key, count in counts.items()]
    found = sorted(pairs, key=lambda pair: pair[1], reverse=True)
    return found if n is None else found[:n]


def total(counts) -> Any:
    """`collections.Counter.total`.

    >>> total({"a": 1, "b": 3})
    4
    """
    return sum(counts.values())


METHODS = {"most_common": most_common, "total": total}
