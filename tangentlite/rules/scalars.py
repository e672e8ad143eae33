"""Rules shared by ``np.sin`` and ``math.sin`` print the library that the user called.

In: a tree of a rule whose primal belongs to ``math``.
Out: the same tree with ``math.cos`` for ``np.cos``.
Next: slices.
"""

from __future__ import annotations

import math

import gast

from tangentlite import syntax

OTHER_NAMES = {
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
}


class _Scalar(gast.NodeTransformer):  # type: ignore[misc]
    def visit_Attribute(self, node: gast.Attribute) -> gast.expr:
        match node:
            case gast.Attribute(value=gast.Name(id="np"), attr=attr):
                name = OTHER_NAMES.get(attr, attr)
                if hasattr(math, name):
                    return syntax.expression(f"math.{name}")
        visited: gast.expr = self.generic_visit(node)
        return visited


def scalar(tree: gast.expr) -> gast.expr:
    """``tree`` for Python numbers.

    >>> print(syntax.unparse(scalar(syntax.expression("np.arctan2(x, y) * np.where(c, 1, 0)"))))
    math.atan2(x, y) * np.where(c, 1, 0)
    """
    result: gast.expr = _Scalar().visit(syntax.copy(tree))
    return result
