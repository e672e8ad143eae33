"""What is said again instead of being recorded: literals, and numbers that have a name in a module.

In: an expression, and the function in which it stands.
Out: ``is_literal``.
Next: sizes, sorting.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.ir import Function


def is_literal(value: gast.expr, function: Function) -> bool:
    """Whether an expression is the same wherever it stands.

    >>> from tangentlite import frontend
    >>> import math
    >>> function = frontend.read(lambda x: [-1.5, "a", math.pi, x, x.pi, math.sin])
    >>> [is_literal(part, function) for part in function.body[0].value.elts]
    [True, True, True, False, False, False]
    """
    if isinstance(value, gast.Attribute):
        path = syntax.dotted(value) or ""
        own = path.partition(".")[0] in function.local
        return not own and function.namespace.is_constant(path)
    return syntax.is_atom(value) and not isinstance(value, gast.Name)
