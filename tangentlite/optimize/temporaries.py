"""Temporaries: fresh names for what is computed once, and whether a statement is done with one.

In: the statements of a function, ``Scope``.
Out: names, and yes or no.
Next: once, twice, again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.scope import Scope

NUMBERED = re.compile(r"t(\d+)")


def numbered(body: list[gast.stmt], scope: Scope) -> Iterator[str]:
    """Names that nobody has, each with a higher number than all before."""
    used = syntax.loads(body) | syntax.stores(body) | scope.user | scope.local
    last = max((int(m[1]) for n in used if (m := NUMBERED.fullmatch(n))), default=0)
    return (f"t{number}" for number in count(last + 1))


def uses_up(statement: gast.stmt, name: str, scope: Scope) -> bool:
    """Whether what a statement makes of a name is new memory, or a sum into an array."""
    match statement:
        case gast.AugAssign(target=gast.Subscript(slice=index), value=value):
            return name not in syntax.loads(index) and scope.purity.pure(value)
        case gast.Assign(targets=[gast.Name()], value=value):
            return name not in scope.sources(value) and scope.purity.pure(value)
    return False
