"""A few lines of Python in normal form: what the docstrings of this stage show.

In: statements as text.
Out: their normal form as text.
Next: context.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite import syntax
from tangentlite.ir import Function, Namespace, Origin, Param
from tangentlite.lowering.flow.guards import written


def lowered(text: str, *params: str, **names: Any) -> str:
    """The normal form of a function with this body; ``names`` are its globals.

    >>> print(lowered("return x * y + 1", "x", "y"))
    t1 = x * y
    y_1 = t1 + 1
    return y_1
    """
    from tangentlite.lowering import normalize

    normal = normalize(function(text, *params, **names))
    return "\n".join(syntax.unparse(s) for s in written(normal.function.body))


def function(text: str, *params: str, **names: Any) -> Function:
    """A function with the statements ``text``."""
    lines = [f"def f({', '.join(params)}):", *(f"    {line}" for line in text.splitlines())]
    (tree,) = syntax.parse("\n".join(lines))
    origin = Origin("<example>", 1, tuple(lines))
    space = Namespace({"np": np, **names})
    return Function(tree, "f", tuple(map(Param, params)), space, origin)
