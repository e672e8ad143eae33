"""Records of many parts that are only handed on are handed on in a list of one: each part would take time to compile.

In: the tree of a kernel whose statements are loops, the texts of helpers.
Out: which helpers give such a list and which are given one; the changed tree of a helper.
Next: workshop.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from tangentlite.native.facts.known import is_helper
from tangentlite.native.facts.names import FIELDS, statements, stores
from tangentlite.native.memory.shelves import shelves, used

Meaning = Callable[[ast.expr], Any]
Text = Callable[[FunctionType], ast.FunctionDef]
RESULT = -1
MANY, WITHIN = (
    8,
    4,
)  # parts of a record that is worth a list; of one within it that another helper makes


def boxes(tree: ast.FunctionDef, meaning: Meaning, text: Text) -> dict[FunctionType, Any]:
    """The places of helpers where there is a list in place of a record: those of parameters, ``RESULT``.

    Whatever is the same record, or is for the same place of a helper, is of one group; all of it is boxed, or nothing.

    >>> def f_forward(x): ...
    >>> def f_backward(s, by): ...
    >>> f_forward.__module__ = f_backward.__module__ = "generated"
    >>> body = "a = x * x\\n return (a, (a, a, a, a, a, a, a, a))"
    >>> texts = {f_forward: f"def f(x):\\n {body}", f_backward: "def f(s, by):\\n a, *_ = s\\n return a * by"}
    >>> tree = ast.parse("def k(x):\\n y, s = f_forward(x)\\n return f_backward(s, y)").body[0]
    >>> meaning = lambda node: {"f_forward": f_forward, "f_backward": f_backward}.get(ast.unparse(node))
    >>> found = boxes(tree, meaning, lambda function: ast.parse(texts[function]).body[0])
    >>> {function.__name__: places for function, places in found.items()}
    {'f_forward': frozenset({-1}), 'f_backward': frozenset({0})}
    """
    groups = _Groups(tree, meaning)
    found: dict[FunctionType, Any] = {}
    for members in groups.all():
        places = [m for m in members if isinstance(m, tuple)]
        results = [f for f, place in places if place == RESULT]
        if not results or not groups.bad.isdisjoint({*members, *(f for f, _ in places)}):
            continue
        if all(_gives(text(f)) for f in results) and all(_takes(text(f), p) for f, p in places):
            for function, place in places:
                found[function] = found.get(function, frozenset()) | {place}
    return found


def put(tree: ast.FunctionDef, places: frozenset[int]) -> None:
    """The record that a helper gives back becomes a list of one, and those that it is given are taken out.

    >>> tree = ast.parse("def f(s, x):\\n a, b = s\\n return (a * b * x, (a, x))").body[0]
    >>> put(tree, frozenset({0, RESULT}))
    >>> print(ast.unparse(tree))
    def f(s, x):
        a, b = s[0]
        return (a * b * x, [(a, x)])
    """
    names = {tree.args.args[k].arg for k in places if k != RESULT}
    tree.body = [_Opened(names).visit(s) for s in tree.body] if names else tree.body
    if RESULT in places:
        parts = _returned(tree)
        assert parts is not None
        parts[-1] = ast.List([parts[-1]], ast.Load())
    ast.fix_missing_locations(tree)


class _Opened(ast.NodeTransformer):
    def __init__(self, names: set[str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._names:
            return node
        return ast.Subscript(node, ast.Constant(0), ast.Load())


class _Groups:
    """Names, places on lists (``tape.2``), and places of helpers, as far as they hold the same records.

    ``bad``: those with which something else is done, and helpers that are handed on themselves.
    """

    def __init__(self, tree: ast.FunctionDef, meaning: Meaning) -> None:
        self._known, self._meaning = shelves(tree.body), meaning
        self._above: dict[Any, Any] = {}
        self.bad: set[Any] = {a.arg for a in tree.args.args}
        for statement in statements(tree.body):
            self._read(statement)

    def all(self) -> list[list[Any]]:
        """The groups."""
        found: dict[Any, list[Any]] = {}
        for member in self._above:
            found.setdefault(self._root(member), []).append(member)
        return list(found.values())

    def _root(self, member: Any) -> Any:
        while self._above.setdefault(member, member) != member:
            member = self._above[member]
        return member

    def _join(self, place: Any, node: ast.expr) -> Iterator[int]:
        """What is at a place has a name, or is bad."""
        if isinstance(node, ast.Name):
            self._above[self._root(place)] = self._root(node.id)
            yield id(node)
        else:
            self._root(place)
            self.bad.add(place)

    def _read(self, statement: ast.stmt) -> None:
        nodes = [n for part in _own(statement) for n in ast.walk(part)]
        spared = {
            k
            for name, parts in used(statement)
            if name in self._known
            for place, part in enumerate(parts)
            for k in self._join(f"{name}.{place}", part)
        }
        given = self._given(statement)
        for call in (n for n in nodes if isinstance(n, ast.Call)):
            function = self._meaning(call.func)
            if not is_helper(function):
                continue
            last = given[1] if given is not None and given[0] is call else ast.Constant(None)
            for place, node in (*enumerate(call.args), (RESULT, last)):
                spared.update(self._join((function, place), node))
        called = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
        names = [n for n in nodes if isinstance(n, ast.Name)]
        self.bad.update(n.id for n in names if id(n) not in spared)
        functions = (self._meaning(n) for n in names if id(n) not in called)
        self.bad.update(filter(is_helper, functions))

    def _given(self, statement: ast.stmt) -> tuple[ast.Call, ast.expr] | None:
        """A call, and the last of the names of what it gives."""
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=[_, *_, last])], value=ast.Call() as call):
                return call, last
        return None


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """What a statement consists of, but for the statements in its blocks."""
    if not hasattr(statement, "body"):
        yield statement
        return
    for field, value in ast.iter_fields(statement):
        if field not in FIELDS:
            parts = value if isinstance(value, list) else [value]
            yield from (p for p in parts if isinstance(p, ast.AST))


def _returned(tree: ast.FunctionDef) -> list[ast.expr] | None:
    """The parts of what a function gives back, if that is in its last statement."""
    match tree.body[-1]:
        case ast.Return(value=ast.Tuple(elts=[_, *_] as parts)):
            return parts
    return None


def _gives(tree: ast.FunctionDef) -> bool:
    """Whether a function gives a record of many parts, in one place."""
    parts = _returned(tree)
    alone = sum(isinstance(n, ast.Return) for n in ast.walk(tree)) == 1
    return parts is not None and alone and _size(parts[-1], tree.body) >= MANY


def _size(node: ast.expr, body: list[ast.stmt]) -> int:
    """How many parts a record has, with those within it."""
    match node:
        case ast.Tuple(elts=parts):
            return sum(_size(p, body) for p in parts)
        case ast.Name(id=name):
            for k, statement in enumerate(body):
                match statement:
                    case ast.Assign(targets=[ast.Name(id=target)], value=ast.Tuple() as value) if (
                        target == name
                    ):
                        return _size(value, body[:k])
                    case ast.Assign(
                        targets=[ast.Tuple(elts=[_, *_, ast.Name(id=target)])], value=ast.Call()
                    ) if target == name:
                        return WITHIN
    return 1


def _takes(tree: ast.FunctionDef, place: int) -> bool:
    """Whether a helper may be given a list: it binds nothing else to the name."""
    if place == RESULT:
        return True
    names = [a.arg for a in tree.args.args]
    return place < len(names) and names[place] not in stores(tree.body)
