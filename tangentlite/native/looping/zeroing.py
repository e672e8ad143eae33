"""Zeros that are like an array, of lengths that are known.

In: a statement of a kernel.
Out: the same statement, changed in place.
Next: loops.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tangentlite import runtime
from tangentlite.native.facts.known import is_one_of
from tangentlite.native.facts.lengths import Lengths
from tangentlite.native.facts.ranks import Names


def zeroed(
    statement: ast.stmt, names: Names, lengths: Lengths, meaning: Callable[[ast.expr], Any]
) -> None:
    """``ba = rt.zeros(a)`` is ``np.zeros((n, m))``, which a loop need not make in every trip."""
    if lengths.once(statement) is None or not isinstance(statement, ast.Assign):
        return
    match statement.value:
        case ast.Call(func=func, args=[ast.Name() as like]) as call if is_one_of(
            meaning(func), (runtime.zeros, runtime.storage)
        ) and names.floating(like):
            counts = lengths.made(call)
            if counts and lengths.steady(*counts):
                statement.value = ast.parse(f"np.zeros(({', '.join(counts)},))", mode="eval").body
