"""Where arrays begin with numbers that are not negative, and what is written into them later.

In: statements, operations, kinds.
Out: ``is_filled``, ``is_single``, ``touched``.
Next: flat.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.operations import Operation, target
from tangentlite.analysis.storage.memory import written
from tangentlite.ir import Function

FILLED = {np.zeros, np.zeros_like, np.ones, np.ones_like, np.empty, np.empty_like, np.eye}
COUNTS = {len, np.size, np.ndim}


def is_filled(statement: gast.Assign, function: Function) -> bool:
    """``np.zeros(n)``, ``len(x)``, ``x.size``, a number that is not negative."""
    match statement.value:
        case gast.Constant(value=int() | float() as number):
            return bool(number >= 0)
        case gast.Attribute(attr="size" | "ndim"):
            return True
        case gast.Call(func=func) if (path := syntax.dotted(func)) is not None:
            if path.partition(".")[0] in function.local:
                return False
            try:
                return function.namespace.resolve(path) in FILLED | COUNTS
            except (KeyError, AttributeError, TypeError):
                return False
    return False


def is_single(index: gast.expr, kinds: Environment, name: str) -> bool:
    """Whether a store has room for one number only."""
    kind = kinds.get(name)
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    if not isinstance(kind, Num) or kind.ndim != len(parts):
        return False
    found = [kinds.get(p.id) for p in parts if isinstance(p, gast.Name)]
    numbers = [p for p in parts if isinstance(p, gast.Constant) and type(p.value) is int]
    scalars = [k for k in found if isinstance(k, Num) and k.scalar and k.exact == "int"]
    return len(scalars) + len(numbers) == len(parts)


def touched(statement: gast.stmt, operation: Operation) -> Iterator[str]:
    """The names that a statement binds, or through which it writes."""
    yield from written(operation)
    if (name := target(statement, operation)) is not None:
        yield name
