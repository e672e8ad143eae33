"""Propagate: a name that is a copy of another, or a literal, is replaced where it is read.

In: a block, ``Scope``.
Out: the same block with fewer indirections; the copies themselves are left to prune.
Next: simplify.
"""

from __future__ import annotations

import ast
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import inside, remade, replaced

COPIED = (gast.Name, gast.Attribute)  # ``rt.ZERO`` is an attribute


def propagate(body: list[gast.stmt], scope: Scope) -> list[gast.stmt]:
    """Read the original instead of its copy, as long as neither is bound again.

    >>> from tangentlite.optimize.samples import show
    >>> show(propagate, '''
    ... bt1 = by
    ... bx = rt.ZERO
    ... bx = bx + bt1 * t1
    ... ''')
    bt1 = by
    bx = rt.ZERO
    bx = rt.ZERO + by * t1

    A value keeps the name that the user gave it.

    >>> show(propagate, '''
    ... t1 = np.sin(x)
    ... y = t1
    ... bx = by * t1
    ... ''')
    t1 = np.sin(x)
    y = t1
    bx = by * y

    What is written into keeps its name from there on.

    >>> show(propagate, '''
    ... bx = bx_1
    ... rt.add_at(bx, 0, e)
    ... by = bx[0]
    ... ''')
    bx = bx_1
    rt.add_at(bx, 0, e)
    by = bx[0]
    """
    known = any(copies(s) or offset(s) is not None for s in syntax.statements(body))
    return _Propagation(scope).block(body) if known else body


def copies(statement: ast.AST) -> bool:
    """Whether a statement binds a name to another one, or to a literal."""
    if statement.__class__ is not gast.Assign:
        return False
    value: Any = statement.value  # type: ignore[attr-defined]
    return value.__class__ in COPIED or syntax.is_atom(value)


def offset(statement: ast.AST) -> str | None:
    """Of which name a statement binds one more, or one less, or so many; it is said where it is read, as a person does.

    >>> from tangentlite.optimize.samples import show
    >>> show(propagate, '''
    ... for i in range(n):
    ...     t1 = i + 1
    ...     bx[t1] += by[t1]
    ... ''')
    for i in range(n):
        t1 = i + 1
        bx[i + 1] += by[i + 1]
    """
    value: Any = getattr(statement, "value", None)
    if value.__class__ is not gast.BinOp:
        return None
    match statement:
        case gast.Assign(
            targets=[gast.Name()],
            value=gast.BinOp(
                left=gast.Name(id=str(name)),
                op=gast.Add() | gast.Sub(),
                right=gast.Constant(value=int(number)),
            ),
        ) if not isinstance(number, bool):
            return name
    return None


class _Propagation:
    """A forward walk. A copy is valid while both names have the version they had when it was made.

    Versions come from one counter, so that undoing a branch can never revive a copy.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._copies: dict[str, tuple[gast.expr, int, str, int]] = {}
        self._version: dict[str, int] = {}
        self._own: dict[str, tuple[int, str, int]] = {}  # copies that the user made
        self._written: dict[str, tuple[int, str, int]] = {}  # names of what is written in place
        self._count = 0

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        return [self._statement(statement) for statement in body]

    def _statement(self, statement: gast.stmt) -> gast.stmt:
        match statement:
            case gast.If():
                return self._branches(statement)
            case gast.For() | gast.While():
                return self._loop(statement)
            case gast.Try() | gast.With():
                return inside(statement, lambda body: self._apart(statement, body))
            case gast.FunctionDef() | gast.ClassDef():
                self._bind(statement)
                return statement
        holes = self._holes(statement) if self._copies or self._written else {}
        new = replaced(statement, holes) if holes else statement
        self._bind(new)
        self._learn(new)
        return new

    def _apart(self, statement: gast.stmt, body: list[gast.stmt]) -> list[gast.stmt]:
        """A block that may begin after any statement of the others, and end anywhere."""
        self._bind(statement)
        body = self.block(body)
        self._bind(statement)
        return body

    def _branches(self, statement: gast.If) -> gast.If:
        test = self._expression(statement.test)
        before = {n: self._version.get(n, 0) for n in self._scope.facts(statement).binds}
        body = self.block(statement.body)
        self._version.update(before)
        orelse = self.block(statement.orelse)
        self._bind(statement)
        return _with(statement, test=test, body=body, orelse=orelse)

    def _loop(self, statement: gast.For | gast.While) -> gast.stmt:
        parts: dict[str, object] = {}
        if isinstance(statement, gast.For):
            parts["iter"] = self._expression(statement.iter)
        self._bind(statement)
        if isinstance(statement, gast.While):
            parts["test"] = self._expression(statement.test)
        parts["body"] = self.block(statement.body)
        self._bind(statement)
        return _with(statement, **parts)

    def _expression(self, tree: gast.expr) -> gast.expr:
        found = {n: hole for n in syntax.loads(tree) if (hole := self._copy(n)) is not None}
        return replaced(tree, found) if found else tree

    def _holes(self, statement: gast.stmt) -> dict[str, gast.expr]:
        """What is read under other names; what is written in place does not get its own name twice.

        >>> from tangentlite.optimize.samples import show
        >>> show(propagate, "bx[0] += by\\nbt1 = bx\\nbx = bt1\\nby = bt1 * w")
        bx[0] += by
        bt1 = bx
        bx = bx
        by = bt1 * w
        """
        reads = self._scope.facts(statement).reads
        if isinstance(statement, syntax.Inserted):  # what it reads it may bind first
            return {}
        found = {n: hole for n in reads if (hole := self._copy(n)) is not None}
        match statement:
            case gast.Expr(value=gast.Call(args=[gast.Name(id=written), *_])):
                found.pop(written, None)  # what is written keeps the name under which it is read
                self._copies.pop(written, None)
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Name(id=again)):
                versions = self._version.get(again, 0), name, self._version.get(name, 0)
                if self._written.get(again) == versions:
                    found[again] = syntax.name(name)  # it has that name already
        return found

    def _copy(self, name: str) -> gast.expr | None:
        known = self._copies.get(name)
        if known is None:
            return None
        value, own, source, version = known
        if self._version.get(name, 0) == own and self._version.get(source, 0) == version:
            return value
        del self._copies[name]
        return None

    def _bind(self, statement: gast.stmt) -> None:
        for name in self._scope.facts(statement).binds:
            self._count += 1
            self._version[name] = self._count

    def _learn(self, statement: gast.stmt) -> None:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Name(id=source)):
                self._learn_name(name, source)
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                own, source = self._version[name], offset(statement)
                if self._scope.generated(name) and self._literal(value) and self._free(name):
                    self._copies[name] = value, own, name, own
                elif source is not None and self._scope.temporary(name) and self._free(name):
                    if source in self._scope.integers:
                        self._copies[name] = value, own, source, self._version.get(source, 0)

    def _learn_name(self, name: str, source: str) -> None:
        scope = self._scope
        if name == source or not (self._free(name) and self._free(source)):
            if scope.temporary(name) and scope.captured.isdisjoint((name, source)):
                self._written[name] = self._version[name], source, self._version.get(source, 0)
            return
        if not (scope.generated(name) or scope.generated(source)):
            source = self._first(source)
            self._own[name] = self._version[name], source, self._version.get(source, 0)
            return
        if self._own and scope.generated(name):
            source = self._first(source)
        if scope.temporary(source) and not _saved(source) and not scope.temporary(name):
            name, source = source, name
        versions = self._version.get(name, 0), self._version.get(source, 0)
        self._copies[name] = syntax.name(source), versions[0], source, versions[1]

    def _first(self, name: str) -> str:
        """The name of which the user made a copy under this one: what is kept of that is kept already.

        >>> from tangentlite.optimize.samples import show
        >>> show(propagate, "y = x\\ny_1 = y\\ny = y * x\\nbx = by * y_1")
        y = x
        y_1 = y
        y = y * x
        bx = by * x
        """
        own, source, version = self._own.get(name, (-1, name, -1))
        same = self._version.get(name, 0) == own and self._version.get(source, 0) == version
        return source if same else name

    def _free(self, name: str) -> bool:
        scope = self._scope
        known = name in scope.local and name not in scope.captured
        return known and name not in scope.in_place and name not in scope.stacks

    def _literal(self, value: gast.expr) -> bool:
        """Whether a value is said where it is read: a literal, ``rt.ZERO``, or a number of NumPy's such as ``np.pi``.

        >>> from tangentlite.optimize.samples import show
        >>> show(propagate, "t1 = np.pi\\nbx = bx + by * x * t1")
        t1 = np.pi
        bx = bx + by * x * np.pi
        """
        if isinstance(value, gast.Attribute):
            return syntax.dotted(value) == "rt.ZERO" or self._scope.purity.is_constant(value)
        if isinstance(value, gast.Constant) and isinstance(value.value, bool):
            return False  # a flag is tested by its name
        return not isinstance(value, gast.Name) and syntax.is_atom(value)


def _saved(name: str) -> bool:
    """Whether ``name`` is a version such as ``x_1``, kept because ``x`` is bound again."""
    return name.rpartition("_")[2].isdigit() and not name.startswith(("t", "bt", "dt"))


def _with(statement: gast.stmt, **parts: object) -> gast.stmt:
    changes = {
        field: part for field, part in parts.items() if not _equal(getattr(statement, field), part)
    }
    return remade(statement, changes) if changes else statement


def _equal(old: object, new: object) -> bool:
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(a is b for a, b in zip(old, new, strict=True))
    return old is new
