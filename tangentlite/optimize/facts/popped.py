"""Popped: what names hold that are taken from tapes is what was put there.

In: the statements of a function.
Out: every name that is bound, with the value if there is one expression for it.
Next: made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.solid import bindings

Body = list[gast.stmt]


def popped(body: Body, params: Container[str] = ()) -> Iterator[tuple[str, gast.expr | None]]:
    """As ``bindings``, but of what is taken from a tape with what was put there; no parameter is a tape.

    >>> body = syntax.parse("tape = []\\ntape.append((t1, y))\\ny = f(x)\\nt1, y = tape.pop()")
    >>> [(name, value and syntax.unparse(value)) for name, value in popped(body)]
    [('t1', 't1'), ('y', 'y'), ('tape', '[]'), ('y', 'f(x)')]
    """
    taken = Counter[str]()
    for names, values in _taken(body, _tapes(body, params)):
        taken.update(names)
        for value in values:
            yield from zip(names, value)
    for name, found in bindings(body):
        if taken[name] and (found is None or _tape(found, "pop")):
            taken[name] -= 1
        else:
            yield name, found


def _taken(body: Body, tapes: dict[str, Body]) -> Iterator[tuple[list[str], list[list[gast.expr]]]]:
    """The names that each ``t1, y = tape.pop()`` binds, and what was put on that tape."""
    for statement in syntax.statements(body):
        match statement:
            case gast.Assign(targets=[target], value=value) if (
                tape := _tape(value, "pop")
            ) in tapes:
                names = _parts(target)
                values = [_parts(put) for put in tapes[tape]]
                fits = all(isinstance(n, gast.Name) for n in names)
                if isinstance(target, gast.Name):
                    values = [[put] for put in tapes[tape]]
                if fits and all(len(v) == len(names) for v in values):
                    yield [n.id for n in names], values


def _parts(tree: gast.expr) -> list[gast.expr]:
    return tree.elts if isinstance(tree, gast.Tuple) else [tree]


def _tapes(body: Body, params: Container[str]) -> dict[str, list[gast.expr]]:
    """What is put on each list that is made empty, and then nothing but put on and taken from."""
    put: dict[str, list[gast.expr]] = {}
    empty = set[str]()
    seen, known = Counter[str](), Counter[str]()
    for node in syntax.nodes(body):
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.List(elts=[])):
                empty.add(name)
                known[name] += 1
            case gast.Call(args=args):
                known[_tape(node, "append") or _tape(node, "pop")] += 1
                if name := _tape(node, "append"):
                    put.setdefault(name, []).append(args[0])
            case gast.Name(id=name):
                seen[name] += 1
    tapes = [n for n in empty if seen[n] == known[n] and n not in params]
    return {name: put.get(name, []) for name in tapes}


def _tape(call: gast.expr, method: str) -> str:
    """The name of the list of which a method is called, if one is."""
    match call:
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id=name), attr=attr), args=args, keywords=[]
        ) if attr == method and len(args) == (attr == "append"):
            return str(name)
    return ""
