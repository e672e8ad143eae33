"""gast's translators, made fast: from and to the standard library's trees.

In: trees of one form.
Out: the same trees in the other form, made anew; ``deep``, which gives walks over trees room.
Next: syntax.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Callable
from threading import Lock
from types import ModuleType
from typing import Any, ClassVar, ParamSpec, TypeVar

import gast
from gast.ast3 import Ast3ToGAst, GAstToAst3

P = ParamSpec("P")
R = TypeVar("R")
DEEP = 12_000  # calls: Python itself reads sums of some 3,000 terms, a tree as deep
_limits: list[int] = []
_room = Lock()
PLAIN = frozenset((type(None), str, int, float, bool))  # what fields hold that are no trees
TREELESS = frozenset(("id", "attr", "arg", "type_comment"))  # fields that hold no trees
SAME, VISITED = object(), object()
MARKS = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)  # trees share them
MARKED = frozenset(
    kind
    for module in (ast, gast)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, MARKS)
)


class Translating:
    """Makes gast's translators fast: a node that they have no visitor for is copied as it is.

    ``to`` is the module that translated nodes come from; ``plain`` are nodes that take no more
    than the fields given here, whatever visitors there are.
    """

    to: ClassVar[ModuleType]
    plain: ClassVar[dict[str, dict[str, None]]]
    made: ClassVar[dict[type[ast.AST], Any]]

    def __init_subclass__(cls) -> None:
        cls.made = {}

    def tree(self, node: Any) -> Any:
        """``node`` in the other form, made anew."""
        return self._visit(node)

    def _visit(self, node: Any) -> Any:
        made = self.made
        kind = node.__class__
        known = made.get(kind)
        if known is None:
            if kind is list:
                return [self._visit(item) for item in node]
            known = made[kind] = self._how(kind) if isinstance(node, ast.AST) else SAME
        if known.__class__ is not tuple:
            return self._other(node, known)
        twin, extra, parts = known
        new = twin.__new__(twin)
        fields = new.__dict__
        fields.update(node.__dict__)
        for field in parts:
            value = fields.get(field)
            if value.__class__ is list:
                fields[field] = [self._visit(item) for item in value]
                continue
            known = made.get(value.__class__)
            if known is not SAME:
                fields[field] = known if known.__class__ in MARKED else self._visit(value)
        if extra:
            fields.update(extra)
        return new

    def _other(self, node: Any, known: object) -> Any:
        if known is SAME:
            return node
        return self.visit(node) if known is VISITED else known  # type: ignore[attr-defined]

    def _how(self, kind: type[ast.AST]) -> object:
        """For a class of nodes: its twin and more fields, one node for all, or VISITED."""
        name = kind.__name__
        twin = getattr(self.to, name, None)
        visitor = getattr(type(self), "visit_" + name, None)
        inherited = visitor is getattr(ast.NodeVisitor, "visit_" + name, None)
        if twin is None or not (inherited or name in self.plain):
            return VISITED
        if issubclass(kind, MARKS):
            return twin()
        return twin, self.plain.get(name, {}), [f for f in kind._fields if f not in TREELESS]


class _FromAst(Translating, Ast3ToGAst):  # type: ignore[misc]
    to: ClassVar = gast
    plain: ClassVar = {"Name": {"annotation": None, "type_comment": None}}


class ToStandard(Translating, GAstToAst3):  # type: ignore[misc]
    """gast to the standard library's trees."""

    to: ClassVar = ast
    plain: ClassVar = {"Name": {}, "Assign": {"type_comment": None}}


def from_ast(node: ast.AST) -> Any:
    """gast's form of a standard tree."""
    return _FromAst().tree(node)


def deep(function: Callable[P, R]) -> Callable[P, R]:
    """``function`` with room to walk the deepest trees that Python reads.

    The limit is one for all threads: the first call that needs the room makes it, the last one to leave takes it away.
    """

    @functools.wraps(function)
    def roomy(*args: P.args, **kwargs: P.kwargs) -> R:
        with _room:
            _limits.append(sys.getrecursionlimit())
            sys.setrecursionlimit(max(_limits[-1], DEEP))
        try:
            return function(*args, **kwargs)
        finally:
            with _room:
                limit = _limits.pop()
                if not _limits:
                    sys.setrecursionlimit(limit)

    return roomy
