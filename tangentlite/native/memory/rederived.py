"""What is kept for the other sweep and made of what is kept as well, by sums and products, is made again there.

In: the tree of a kernel, what is known of its names.
Out: the same tree, changed in place.
Next: ranks.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tangentlite.native.facts.effects import written
from tangentlite.native.facts.names import bindings, blocks, loads, rebuild, statements, stores
from tangentlite.native.memory.likeness import likeness, only_asked
from tangentlite.native.memory.mirrored import mirrored
from tangentlite.native.memory.shelves import put_and_taken, shelves

Meaning = Callable[[ast.expr], Any]
CHEAP, STEPS = (ast.Add, ast.Sub, ast.Mult), (ast.BinOp, ast.UnaryOp)
MOST = 5


def rederived(tree: ast.FunctionDef, names: Any, meaning: Meaning) -> bool:
    """Whether there was something to be made again; only of what is written no more, and of numbers bound once.

    >>> from tangentlite.native.facts.known import Known
    >>> from tangentlite.native.facts.ranks import Names
    >>> text = "s = []\\nfor k in range(n):\\n    a = y[k] / 2\\n    b = 1 - a\\n    s.append((a, b))\\n"
    >>> text += "for k in range(n):\\n    c, d = s.pop()\\n    x[k] = c * d"
    >>> tree = ast.parse("def f(n, x, y):\\n    " + text.replace("\\n", "\\n    ")).body[0]
    >>> names = Names(tree.body, {"y": Known(1)}, True, lambda node: None, lambda *use: Known())
    >>> rederived(tree, names, lambda node: None)
    True
    >>> print(ast.unparse(tree).partition("s.append")[2])
    ((a,))
        for k in range(n):
            c, = s.pop()
            d = 1 - c
            x[k] = c * d
    """
    again = [pair for shelf in shelves(tree.body) for pair in _pairs(tree, shelf, names, meaning)]
    made = {id(taken): lines for put, taken, lines in again}
    if made:
        tree.body = _behind(tree.body, made)
        ast.fix_missing_locations(tree)
    return bool(made)


def _behind(body: list[ast.stmt], made: Mapping[int, list[ast.stmt]]) -> list[ast.stmt]:
    done: list[ast.stmt] = []
    for statement in body:
        rebuild(statement, lambda inner: _behind(inner, made))
        done += [statement, *made.get(id(statement), [])]
    return done


def _pairs(
    tree: ast.FunctionDef, shelf: str, names: Any, meaning: Meaning
) -> Iterator[tuple[ast.stmt, ast.stmt, list[ast.stmt]]]:
    """Where a list has items put on in one place and taken off in one: both, and what is made again behind."""
    puts, takes = put_and_taken(tree.body, shelf)
    if len(puts) != 1 or len(takes) != 1:
        return
    (put, kept), (taken, targets) = puts[0], takes[0]
    if not all(isinstance(t, ast.Name) for t in targets):
        return
    names_there = [ast.unparse(t) for t in targets]
    names_here = [p.id if isinstance(p, ast.Name) else t for p, t in zip(kept, names_there)]
    other = dict(zip(names_here, names_there))
    if len(other) != len(kept) or len({*names_there}) != len(kept):
        return
    block = next(b for b in _blocks(tree.body) if any(s is put for s in b))
    before = block[: next(k for k, s in enumerate(block) if s is put)]
    before += [_bound(n, p) for n, p in zip(names_here, kept) if not isinstance(p, ast.Name)]
    loops = mirrored(tree, put, taken)
    gone = _again(before, other, loops, _Still(tree, names, meaning))
    if gone:
        kept[:] = [p for p, name in zip(kept, names_here) if name not in gone]
        targets[:] = [t for t, name in zip(targets, names_here) if name not in gone]
        yield put, taken, [_said(n, value, loops | other) for n, value in gone.items()]


def _plain_bindings(body: list[ast.stmt]) -> list[ast.AST]:
    """What a block binds itself, whatever it does in loops and branches."""
    return [t for s in body if isinstance(s, ast.Assign) for t in s.targets]


def _bound(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value, lineno=0)


def _blocks(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    yield body
    for statement in statements(body):
        yield from blocks(statement)


def _again(
    before: list[ast.stmt], other: Mapping[str, str], loops: Mapping[str, str], still: _Still
) -> dict[str, ast.expr]:
    """The names that can be made again, in the order in which that is done, and of what.

    ``loops``: names of numbers that are known in the other sweep anyway.
    """
    gone: dict[str, ast.expr] = {}
    between: dict[str, ast.expr] = {}
    here, both = set(loops), {**loops, **other}
    for statement in before:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if still.is_part(
                value, loops
            ):
                if name in other and still.is_once(name, both):
                    gone[name] = copy.deepcopy(value)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                name in other and (part := still.likeness(name, value, both, loops)) is not None
            ):
                gone[name] = copy.deepcopy(part)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if still.stays(name, both):
                value = _Said(between).visit(copy.deepcopy(value))
                read = set(loads(value))
                plain = all(still.stays(n, both) if n in here else still.is_given(n) for n in read)
                if plain and read and _is_cheap(value):
                    (gone if name in other else between)[name] = value
        here |= other.keys() & set(stores([statement]))
    return gone


class _Still:
    """What stays as it is: arrays into which nothing is written, and names that are bound once, or given."""

    def __init__(self, tree: ast.FunctionDef, names: Any, meaning: Meaning) -> None:
        self._names, self._top = names, set(stores(_plain_bindings(tree.body)))
        self._tree, self._meaning = tree, meaning
        self._bound = Counter(bindings(tree.body, names.ranks))
        self._times = Counter(stores(tree.body))
        self._given = {a.arg for a in tree.args.args}
        found = {n for s in statements(tree.body) for n in written(s, names, meaning)}
        self._arrays = {n for n in found if names.ranks.get(n) != 0}
        self._written = set(map(names.family, self._arrays))

    def stays(self, name: str, other: Mapping[str, str]) -> bool:
        """Whether what is kept under a name is what is taken off under the other."""
        both = name, other.get(name, name)
        numbers = all(self._names.ranks.get(n) == 0 for n in both)
        still = numbers or self._written.isdisjoint(map(self._names.family, both))
        return still and self.is_once(name, other)

    def is_once(self, name: str, other: Mapping[str, str]) -> bool:
        """Whether both names are bound in one place."""
        both = name, other.get(name, name)
        return all(self._times[n] == 1 and n not in self._given for n in both)

    def is_part(self, value: ast.expr, numbers: Mapping[str, str]) -> bool:
        """Whether it is a part, told by numbers, of an array that keeps its name: the same memory in both sweeps."""
        match value:
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                once = self._bound[name] == (name not in self._given)
                kept = once and (name in self._given or name in self._top)
                told = {*loads(index)} <= numbers.keys() and _is_plain(value)
                return bool(kept and told and self._names.rank(value))
        return False

    def likeness(
        self, name: str, value: ast.expr, other: Mapping[str, str], numbers: Mapping[str, str]
    ) -> ast.Subscript | None:
        """A part of an array that is as long as what is kept, if it is only asked how long that is."""
        if not self.is_once(name, other) or not self._names.rank(value):
            return None
        if not only_asked(self._tree, other[name], self._meaning):
            return None
        part = likeness(value, self._names, self._meaning)
        return part if part is not None and self.is_part(part, numbers) else None

    def is_given(self, name: str) -> bool:
        """Whether a name is that of a number which nothing binds, or of an array into which nothing is written."""
        if name not in self._given or self._times[name] or self._names.ranks.get(name, -1) < 0:
            return False
        return not any(self._names.meet(name, n) for n in self._arrays)


def _is_cheap(value: ast.expr) -> bool:
    """Whether a value is made by a few sums and products of names, numbers, and parts told by numbers."""
    match value:
        case ast.Compare(left=left, comparators=[right]):
            return _is_plain(left) and _is_plain(right)
    count = sum(isinstance(n, STEPS) for n in ast.walk(value))
    return 0 < count <= MOST and _is_plain(value)


def _is_plain(node: ast.expr) -> bool:
    match node:
        case ast.Name():
            return True
        case ast.Constant(value=int() | float()):
            return True
        case ast.Subscript(value=ast.Name(), slice=index):
            return all(map(_is_told, index.elts if isinstance(index, ast.Tuple) else [index]))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _is_plain(operand)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, CHEAP):
            return _is_plain(left) and _is_plain(right)
    return False


def _is_told(part: ast.expr) -> bool:
    """Whether an index, or a slice, is one of numbers."""
    if isinstance(part, ast.Slice):
        return all(b is None or _is_told(b) for b in (part.lower, part.upper, part.step))
    match part:
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return _is_told(inner)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            return _is_told(left) and _is_told(right)
    return isinstance(part, ast.Name) or type(getattr(part, "value", None)) is int


def _said(name: str, value: ast.expr, other: Mapping[str, str]) -> ast.stmt:
    """The statement in the words of the other sweep."""
    made = copy.deepcopy(value)
    for node in ast.walk(made):
        if isinstance(node, ast.Name):
            node.id = other.get(node.id, node.id)
    return _bound(other[name], made)


class _Said(ast.NodeTransformer):
    """Names as what they are made of."""

    def __init__(self, between: Mapping[str, ast.expr]) -> None:
        self._between = between

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """``b`` for ``1 - a``."""
        found = self._between.get(node.id)
        return copy.deepcopy(found) if found is not None else node
