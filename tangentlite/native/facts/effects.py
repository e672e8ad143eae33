"""Which names a statement writes through.

In: statements of a kernel, what is known of its names.
Out: names; a call that is not known might write into all that it is given.
Next: moving, rederived.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangentlite.native.facts.known import ADD_AT, WRITERS, is_elementwise, is_one_of
from tangentlite.native.facts.names import FIELDS, loads

Meaning = Callable[[ast.expr], Any]


def only_reads(value: ast.AST, names: Any, meaning: Meaning) -> bool:
    """Whether all calls in a value are of functions that give arrays of their own: not of ``np.exp(x, out)``."""
    calls = [n for n in ast.walk(value) if isinstance(n, ast.Call)]
    return all(not c.keywords and _gives(c, names, meaning) for c in calls)


def _gives(call: ast.Call, names: Any, meaning: Meaning) -> bool:
    meant = meaning(call.func)
    plain = not isinstance(meant, np.ufunc) or is_elementwise(meant, call)
    return plain and bool(names.is_fresh(call))


def written(statement: ast.stmt, names: Any, meaning: Meaning) -> Iterator[str]:
    """The names through which a statement writes or might, blocks inside left out; of lists nothing is said."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=targets):
            yield from (n for t in targets if isinstance(t, ast.Subscript) for n in loads(t.value))
        case ast.AugAssign(target=ast.Subscript(value=value)):
            yield from loads(value)
    for field, part in ast.iter_fields(statement):
        for node in part if isinstance(part, list) else [part]:
            if isinstance(node, ast.expr) and field not in FIELDS:
                yield from _handed(node, names, meaning)


def _handed(value: ast.expr, names: Any, meaning: Meaning) -> Iterator[str]:
    """What a value hands to those who might write into it."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="append" | "pop")):
            pass
        case ast.Call(func=func, args=[first, *rest]) if (
            is_one_of(meaning(func), WRITERS) or ast.unparse(func) == ADD_AT
        ):
            plain = all(only_reads(r, names, meaning) for r in rest)
            yield from loads(first if plain else value)
        case _ if not only_reads(value, names, meaning):
            yield from loads(value)
