"""Methods of objects that have names of methods of arrays or dicts, as analysis has found them.

In: an attribute, and the function that it stands in.
Out: ``FOUND``, and the keys in it.
Next: context.
"""

from __future__ import annotations

from collections.abc import Hashable

import gast

from tangentlite.ir import Function

FOUND: set[Hashable] = set()


def place_of(node: gast.Attribute, function: Function) -> Hashable:
    """A key for what stands somewhere in the text of a function."""
    return function.origin.lines, getattr(node, "lineno", None), node.col_offset, node.attr
