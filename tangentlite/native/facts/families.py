"""Which names may share memory, and which surely do not.

In: names that are tied to each other, names that are bound once to memory of their own.
Out: ``Families``.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections import Counter

from tangentlite.native.facts.names import statements, stores


class Families:
    """``roots``: names of arrays that are made wherever the name is bound: two of them are two arrays.

    ``held``: names by number; two of one number are two arrays.

    >>> families = Families()
    >>> for name in "abc":
    ...     _ = families.tied("a", name)
    >>> families.roots |= {"a", "b"}
    >>> families.meet("a", "b"), families.meet("a", "c"), families.meet("a", "a"), families.meet("a", "d")
    (False, True, True, False)
    """

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}
        self.roots: set[str] = set()
        self.held: dict[str, int] = {}

    def family(self, name: str) -> str:
        """The representative of the names that may share memory with ``name``."""
        while (above := self._parent.get(name, name)) != name:
            name = above
        return name

    def meet(self, one: str, other: str) -> bool:
        """Whether two names may share memory."""
        if one == other:
            return True
        if {one, other} <= self.roots or self.held.get(one, one) == self.held.get(other, other):
            return False
        return self.family(one) == self.family(other)

    def tied(self, one: str, other: str) -> bool:
        """Two names share memory from now on; whether that is new."""
        first, second = self.family(one), self.family(other)
        if first == second:
            return False
        self._parent[second] = first
        return True


def bound_once(body: list[ast.stmt]) -> dict[str, ast.expr]:
    """The names that one statement binds, with the value; a sum into an array does not bind it."""
    times: Counter[str] = Counter()
    found: dict[str, ast.expr] = {}
    for statement in statements(body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                times[name] += not _is_sum(value, name)
                found |= {name: value} if not _is_sum(value, name) else {}
            case ast.Assign(targets=targets):
                times.update(dict.fromkeys(stores(targets), 2))
            case ast.For(target=target):
                times.update(dict.fromkeys(stores([target]), 2))
    walrus = {n.target.id for s in body for n in ast.walk(s) if isinstance(n, ast.NamedExpr)}
    return {n: value for n, value in found.items() if times[n] == 1 and n not in walrus}


def made_anew(body: list[ast.stmt]) -> dict[str, list[ast.expr]]:
    """The values of names that are bound to nothing but values; a sum into an array does not bind it.

    >>> made = made_anew(ast.parse("a = 2 * b\\na = 3 * b\\nc, d = b\\nc = 2 * b\\nb = 1").body)
    >>> {name: len(values) for name, values in made.items()}
    {'a': 2, 'b': 1}
    """
    found: dict[str, list[ast.expr]] = {}
    others = {n.target.id for s in body for n in ast.walk(s) if isinstance(n, ast.NamedExpr)}
    for statement in statements(body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if not _is_sum(value, name):
                    found.setdefault(name, []).append(value)
            case ast.Assign(targets=targets):
                others.update(stores(targets))
            case ast.For(target=target):
                others.update(stores([target]))
    return {name: values for name, values in found.items() if name not in others}


def _is_sum(value: ast.expr, name: str) -> bool:
    """Whether a value is ``rt.summed(ba, e, a)``, which is ``ba``."""
    match value:
        case ast.Call(func=ast.Attribute(attr="summed"), args=[ast.Name(id=first), *_]):
            return first == name
    return False
