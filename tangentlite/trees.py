"""Looking at trees: parts, walks, names, equality.

In: gast trees.
Out: what is in them; nothing is changed.
Next: syntax, which makes trees and hands these on.

Most of these walk over a list of nodes that grows meanwhile: no order is promised, and nothing is faster.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

import gast

BLOCKS = ("body", "orelse", "finalbody")
NESTING = frozenset((*BLOCKS, "handlers", "cases"))
CLOSED = (gast.Constant, gast.Lambda)  # nothing in them binds names of the function around
LEAVES = frozenset((gast.Name, gast.Constant))
PARTLESS = frozenset({"op", "ops", "ctx", "id", "attr", "kind", "type_comment", "is_async"})


@cache
def parts(kind: Any) -> tuple[str, ...]:
    """The fields of a class of nodes that may hold sub-trees."""
    return tuple(field for field in kind._fields if field not in PARTLESS)


@cache
def nests(kind: Any) -> bool:
    """Whether there may be statements in nodes of a class."""
    return not NESTING.isdisjoint(kind._fields)


COMMON: dict[type[ast.AST], Callable[[Any], Sequence[ast.AST]]] = {
    gast.Constant: lambda node: (),
    gast.Name: lambda node: (node.annotation,) if node.__dict__.get("annotation") else (),
    gast.BinOp: attrgetter("left", "right"),
    gast.UnaryOp: lambda node: (node.operand,),
    gast.Attribute: lambda node: (node.value,),
    gast.Subscript: attrgetter("value", "slice"),
    gast.Call: lambda node: (node.func, *node.args, *node.keywords),
    gast.Assign: lambda node: (*node.targets, node.value),
    gast.AugAssign: attrgetter("target", "value"),
    gast.Expr: lambda node: (node.value,),
    gast.If: lambda node: (node.test, *node.body, *node.orelse),
    gast.Return: lambda node: () if node.value is None else (node.value,),
    gast.Compare: lambda node: (node.left, *node.comparators),
    gast.Tuple: lambda node: tuple(node.elts),
    gast.Slice: lambda node: tuple(filter(None, (node.lower, node.upper, node.step))),
    gast.keyword: lambda node: (node.value,),
}


def children(node: ast.AST) -> Sequence[ast.AST]:
    """The direct sub-trees of ``node``, in order; operators and contexts are none."""
    kind: Any = node.__class__
    common = COMMON.get(kind)
    if common is not None:
        return common(node)
    found: list[ast.AST] = []
    fields = node.__dict__
    for field in parts(kind):
        value = fields.get(field)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """``node`` and everything below it, in source order."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        if node.__class__ is not gast.Constant:
            common = COMMON.get(node.__class__)
            stack += (children if common is None else common)(node)[::-1]


def nodes(trees: Iterable[ast.AST]) -> list[Any]:
    """All nodes of some trees, in no order; there are no annotations in normal and in generated text."""
    found: list[Any] = list(trees)
    for node in found:
        kind = node.__class__
        if kind is not gast.Name and kind is not gast.Constant:
            common = COMMON.get(kind)
            found += (children if common is None else common)(node)
    return found


def names(trees: Iterable[ast.AST]) -> list[gast.Name]:
    """All names in some trees, in no order, those of nested functions too."""
    return [node for node in nodes(trees) if node.__class__ is gast.Name]


def times_loaded(trees: Iterable[ast.AST]) -> Counter[str]:
    """How often names are read, in nested functions too."""
    return Counter([n.id for n in names(trees) if n.ctx.__class__ is gast.Load])


def times_stored(trees: Iterable[ast.AST]) -> Counter[str]:
    """How often names are bound or deleted, in nested functions too."""
    return Counter([n.id for n in names(trees) if n.ctx.__class__ is not gast.Load])


def loads(node: ast.AST | Sequence[ast.AST]) -> set[str]:
    """The names that a tree reads (nested functions included)."""
    found: set[str] = set()
    waiting: list[Any] = [node] if isinstance(node, ast.AST) else list(node)
    for item in waiting:
        kind = item.__class__
        if kind is gast.Name:
            if item.ctx.__class__ is gast.Load:
                found.add(item.id)
        elif kind is not gast.Constant:
            common = COMMON.get(kind)
            waiting += (children if common is None else common)(item)
    return found


def mentions(node: ast.AST, names: Container[str]) -> bool:
    """Whether a tree reads or binds one of ``names``, in nested functions too."""
    waiting: list[Any] = [node]
    for item in waiting:
        kind = item.__class__
        if kind is gast.Name:
            if item.id in names:
                return True
        elif kind is not gast.Constant:
            common = COMMON.get(kind)
            waiting += (children if common is None else common)(item)
    return False


def stores(node: ast.AST | Sequence[ast.AST]) -> set[str]:
    """The names that a tree binds (not those of nested functions)."""
    found: set[str] = set()
    waiting: list[Any] = [node] if isinstance(node, ast.AST) else list(node)
    for item in waiting:
        kind = item.__class__
        if kind is gast.Name:
            if item.ctx.__class__ is not gast.Load:
                found.add(item.id)
        elif kind is gast.FunctionDef:
            found.add(item.name)
        elif kind not in CLOSED:
            common = COMMON.get(kind)
            waiting += (children if common is None else common)(item)
    return found


def bound(statement: Any) -> Collection[str]:
    """The names that a statement of the normal form binds: its expressions bind none."""
    if statement.__class__ is gast.Assign:
        first, *others = statement.targets
        if first.__class__ is gast.Name and not others:
            return (first.id,)
    return stores(statement)


def binds(statement: Any, name: str) -> bool:
    """Whether a statement binds ``name``."""
    if statement.__class__ is gast.Assign:
        first = statement.targets[0]
        if first.__class__ is gast.Name and first.id == name:
            return True
    return name in stores(statement)


class Contents(NamedTuple):
    """What is in some statements; ``stores`` are the names that they bind, ``names`` those of inner functions too."""

    names: frozenset[str]
    loads: frozenset[str]
    stores: frozenset[str]
    kinds: frozenset[
        type
    ]  # gast.Store where an element or an attribute is stored; of operators gast.Pow only
    attributes: frozenset[str]
    calls: tuple[Any, ...]

    @property
    def loops(self) -> bool:
        """Whether there are loops among them."""
        return gast.For in self.kinds or gast.While in self.kinds


def contents(trees: Iterable[ast.AST]) -> Contents:
    """All of it, in one walk; calls come in no order."""
    inside, read, bound, attributes = set[str](), set[str](), set[str](), set[str]()
    kinds = set[type]()
    calls: list[Any] = []
    waiting: list[Any] = list(trees)
    for item in waiting:
        kind = item.__class__
        if kind is gast.Name:
            (read if item.ctx.__class__ is gast.Load else bound).add(item.id)
            continue
        if kind is gast.Constant:
            continue
        common = COMMON.get(kind)
        inner = (children if common is None else common)(item)
        if kind is gast.Attribute:
            attributes.add(item.attr)
            kinds.add(item.ctx.__class__)
        elif kind is gast.Subscript:
            kinds.add(item.ctx.__class__)
        elif kind is gast.Call:
            calls.append(item)
        elif kind is gast.BinOp and item.op.__class__ is gast.Pow:
            kinds.add(gast.Pow)
        elif kind is gast.FunctionDef or kind is gast.Lambda:
            bound |= {item.name} if kind is gast.FunctionDef else set()
            closed = contents(inner)
            inside |= closed.names
            read |= closed.loads
            kinds |= closed.kinds
            attributes |= closed.attributes
            calls += closed.calls
            continue
        waiting += inner
    kinds.update(set(map(type, waiting)) - LEAVES)
    named = frozenset(inside | read | bound), frozenset(read), frozenset(bound)
    return Contents(*named, frozenset(kinds), frozenset(attributes), tuple(calls))


def statements(body: Sequence[ast.AST]) -> list[ast.AST]:
    """The statements of a block and of all blocks inside, in source order."""
    kinds: list[Any] = [s.__class__ for s in body]
    inner = [k for k, kind in enumerate(kinds) if nests(kind)]
    if not inner:
        return list(body)
    found: list[ast.AST] = []
    start = 0
    for k in inner:
        statement = body[k]
        found += body[start : k + 1]
        start = k + 1
        for block in filter(None, blocks(statement)):
            found += statements(block)
        for case in statement.__dict__.get("cases", ()):
            found += statements(case.body)
    return found + list(body[start:])


def blocks(statement: ast.AST) -> list[list[gast.stmt]]:
    """The statement lists directly inside ``statement``."""
    kind: Any = statement.__class__
    if not nests(kind):
        return []
    fields = statement.__dict__
    found = [fields[n] for n in BLOCKS if fields.get(n).__class__ is list]
    return found + [h.body for h in fields["handlers"]] if "handlers" in fields else found


def dotted(node: ast.AST) -> str | None:
    """``np.linalg.solve`` as text, or None if ``node`` is no dotted name."""
    path = ""
    while node.__class__ is gast.Attribute:
        path = f".{node.attr}{path}"  # type: ignore[attr-defined]
        node = node.value  # type: ignore[attr-defined]
    return node.id + path if node.__class__ is gast.Name else None  # type: ignore[attr-defined]


def same(a: ast.AST, b: ast.AST) -> bool:
    """Whether two trees are equal, places aside."""
    if a is b:
        return True
    if a.__class__ is not b.__class__:
        return False
    for field in a._fields:
        x, y = getattr(a, field, None), getattr(b, field, None)
        if isinstance(x, ast.AST):
            if not isinstance(y, ast.AST) or not same(x, y):
                return False
        elif isinstance(x, list):
            if not isinstance(y, list) or len(x) != len(y):
                return False
            if not all(map(_same_item, x, y)):
                return False
        elif x != y or type(x) is not type(y):
            return False
    return True


def key(node: object) -> object:
    """What two trees have in common if they are equal, and no others, places aside.

    >>> from tangentlite.syntax import expression
    >>> key(expression("x[1:n]")) == key(expression("x[1:n]")), key(expression("1")) == key(expression("1.0"))
    (True, False)
    """
    if isinstance(node, ast.AST):
        return node.__class__, *[key(getattr(node, field, None)) for field in node._fields]
    if isinstance(node, list):
        return tuple(map(key, node))
    return node.__class__, node


def _same_item(x: object, y: object) -> bool:
    if isinstance(x, ast.AST) and isinstance(y, ast.AST):
        return same(x, y)
    return x == y


def is_atom(node: ast.AST) -> bool:
    """Whether ``node`` is a name or a literal (``-1.0`` counts)."""
    kind = node.__class__
    if kind is gast.Name or kind is gast.Constant:
        return True
    if kind is not gast.UnaryOp:
        return False
    return isinstance(node.op, gast.USub) and isinstance(node.operand, gast.Constant)  # type: ignore[attr-defined]
