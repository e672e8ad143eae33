"""Lengths that a kernel asks for again and again, worked out once: Numba takes time to read each of them.

In: the tree of a kernel whose statements are loops, what is known of its names.
Out: the same tree, changed in place.
Next: workshop.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Callable, Container, Iterator
from functools import partial
from itertools import count
from typing import Any

from tangentlite.native.facts.names import begun_as, blocks, loads, rebuild, stores
from tangentlite.native.facts.ranks import Names

LENGTH, LOCAL = "_len{}", re.compile(r"_[ckn]\d+")
CHOSEN = (builtins.max, builtins.min)
Meaning = Callable[[ast.expr], Any]
Tells = Callable[[ast.expr], bool]


def asked_once(tree: ast.FunctionDef, names: Names, meaning: Meaning) -> None:
    """Lengths of arguments that stay what they are get names, and so does what is worked out from them alone.

    >>> loop = "    for i in range(max(x.shape[0] - 2, 0)):\\n        x[i] += 1.0\\n"
    >>> text = f"def f(x):\\n{loop}    y = np.empty((x.shape[0], x.shape[1]))\\n{loop}"
    >>> tree = ast.parse(text).body[0]
    >>> asked_once(tree, type("Names", (), {"ranks": {"x": 2}}), lambda node: max)
    >>> print(ast.unparse(tree))
    def f(x):
        _len0 = x.shape[0]
        _len1 = max(_len0 - 2, 0)
        for i in range(_len1):
            x[i] += 1.0
        y = np.empty((_len0, x.shape[1]))
        for i in range(_len1):
            x[i] += 1.0
    """
    times, second = Counter(stores([tree])), dict(begun_as(tree))
    kept = {a.arg for a in tree.args.args if not times[a.arg]}
    kept |= {name for name in second if times[name] == 1}
    kept -= {n.arg for s in tree.body for n in ast.walk(s) if isinstance(n, ast.arg)}
    taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | {*kept, *names.ranks}
    fresh = (n for k in count() if (n := LENGTH.format(k)) not in taken)
    lengths = _Lengths({name: names.ranks.get(name, 0) for name in kept})
    lines = _named(tree, lengths.tells, fresh)
    lines |= _named(tree, _Worked(set(lines.values()), meaning).tells, fresh)
    bound = ast.parse("\n".join(f"{name} = {text}" for text, name in lines.items())).body
    rest = _direct(tree.body[len(second) :], set(lines.values()), names.ranks)
    tree.body[len(second) :] = [*bound, *rest]
    ast.fix_missing_locations(tree)


def _named(tree: ast.FunctionDef, tells: Tells, fresh: Iterator[str]) -> dict[str, str]:
    """The names that texts get which a tree has more than once, and of which ``tells`` is true."""
    times = Counter(text for s in tree.body for text in _among(s, tells))
    found = {text: next(fresh) for text in times if times[text] > 1}
    if found:
        tree.body = [_Put(tells, found).visit(s) for s in tree.body]
    return found


def _among(node: ast.AST, tells: Tells) -> Iterator[str]:
    if isinstance(node, ast.expr) and tells(node):
        yield ast.unparse(node)
        return
    for inner in ast.iter_child_nodes(node):
        yield from _among(inner, tells)


class _Put(ast.NodeTransformer):
    def __init__(self, tells: Tells, found: dict[str, str]) -> None:
        self._tells, self._found = tells, found

    def visit(self, node: ast.AST) -> Any:
        """A name in place of what it stands for."""
        if isinstance(node, ast.expr) and self._tells(node):
            name = self._found.get(ast.unparse(node))
            return node if name is None else ast.Name(name, ast.Load())
        return self.generic_visit(node)


def _direct(body: list[ast.stmt], lengths: set[str], others: Container[str] = ()) -> list[ast.stmt]:
    """Loops over lengths by their names, without the names that the loops had for them; ``others`` stay.

    >>> text = "_c0 = _len0\\nfor _0 in range(_c0):\\n    x[_0] = 0.0\\n_c0 = n - 1"
    >>> print(*map(ast.unparse, _direct(ast.parse(text).body, {"_len0"})), sep="\\n")
    for _0 in range(_len0):
        x[_0] = 0.0
    _c0 = n - 1
    """
    done, known = list[ast.stmt](), dict[str, str]()
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=length)) if (
                length in lengths and LOCAL.fullmatch(name) and name not in others
            ):
                known[name] = length
                continue
        rebuild(statement, partial(_direct, lengths=lengths, others=others))
        again = {name: known.pop(name) for name in set(stores([statement])) & known.keys()}
        if blocks(statement):
            done += ast.parse("\n".join(f"{name} = {again[name]}" for name in sorted(again))).body
        _renamed(statement, known)
        done.append(statement)
    return done


def _renamed(statement: ast.stmt, names: dict[str, str]) -> None:
    for node in ast.walk(statement):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)


class _Lengths:
    """``ranks``: of arrays whose lengths stay what they are."""

    def __init__(self, ranks: dict[str, int]) -> None:
        self._ranks = ranks

    def tells(self, node: ast.expr) -> bool:
        """Whether it is the length of one of the arrays."""
        match node:
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=name), attr="shape"),
                slice=ast.Constant(value=int(axis)),
            ):
                return 0 <= axis < self._ranks.get(name, 0)
        return False


class _Worked:
    """``lengths``: the names of some."""

    def __init__(self, lengths: set[str], meaning: Meaning) -> None:
        self._lengths, self._meaning = lengths, meaning

    def tells(self, node: ast.expr) -> bool:
        """Whether it is worked out from lengths and numbers."""
        worked = isinstance(node, (ast.BinOp, ast.Call)) and self._is_number(node)
        return worked and not self._lengths.isdisjoint(loads(node))

    def _is_number(self, node: ast.expr) -> bool:
        match node:
            case ast.Name(id=name):
                return name in self._lengths
            case ast.Constant(value=value):
                return type(value) is int
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
                return self._is_number(left) and self._is_number(right)
            case ast.Call(func=ast.Name() as func, args=[one, other], keywords=[]):
                chosen = any(self._meaning(func) is f for f in CHOSEN)
                return chosen and self._is_number(one) and self._is_number(other)
        return False
