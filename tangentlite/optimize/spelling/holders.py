"""Holders: what a name always means is said by what it means, and is not kept on a tape.

In: the statements of a function.
Out: the same; ``f = vars(x); f["w"] = v`` is ``x.w = v`` where x is bound once.
Next: leave.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import syntax

Body = list[gast.stmt]
Place = tuple[str, int]  # a tape, and a position in what it holds


def held(body: Body, params: frozenset[str]) -> Body:
    """Copies of names that are bound once, and ``vars`` of them, are not names of their own.

    >>> text = '''
    ... for i in range(n):
    ...     f = vars(x)
    ...     bf = bx
    ...     old = f['w']
    ...     f['w'] = old * 2
    ...     tape.append((f, old, bf))
    ... for i in range(n):
    ...     f, old, bf = tape.pop()
    ...     f['w'] = old
    ...     bf['w'] = 0.0'''
    >>> print(syntax.unparse(gast.Module(held(syntax.parse(text), frozenset({"x", "bx"})), [])))
    for i in range(n):
        old = x.w
        x.w = old * 2
        tape.append(old)
    for i in range(n):
        old = tape.pop()
        x.w = old
        bx['w'] = 0.0
    """
    statements = list(syntax.statements(body))
    popped = {name for s in statements for name in _taken(s)}
    bound = Counter(name for s in statements if (name := _name(s)) is not None)
    if not any(_names(s, popped, bound) for s in statements):
        return body
    seen = _Seen(body, params)
    means = seen.means()
    return _Rewrite(means, seen).block(body) if means else body


def _name(statement: Any) -> str | None:
    """The name that an assignment binds."""
    if statement.__class__ is gast.Assign and statement.targets[0].__class__ is gast.Name:
        return str(statement.targets[0].id)
    return None


def _names(statement: ast.AST, popped: set[str], bound: Counter[str]) -> bool:
    """Whether a statement gives another name to what is bound once and put on a tape, or to attributes."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Name(id=root)):
            return name in popped and bound[root] <= 1
        case gast.Assign(value=value):
            return syntax.viewed(value) is not None
    return False


def _taken(statement: ast.AST) -> Iterator[str]:
    """The names that a statement takes from a tape, several at a time."""
    match statement:
        case gast.Assign(targets=[gast.Tuple(elts=elements)], value=value) if _popped(value):
            yield from (e.id for e in elements if isinstance(e, gast.Name))


class _Seen:
    """Where names are bound, and what tapes hold."""

    def __init__(self, body: Body, params: frozenset[str]) -> None:
        self.params = params
        self.values: dict[str, list[gast.expr]] = {}
        self.popped: dict[str, set[Place]] = {}
        self.others: set[str] = set()
        self.repeated: set[str] = set()
        self.pushes: dict[str, list[list[gast.expr]]] = {}
        self.pops: dict[str, list[list[gast.expr]]] = {}
        self.uses: dict[str, int] = {}
        self.asked = {n for s in body for node in syntax.walk(s) for n in _asked(node)}
        self._block(body, loop=False)

    def _block(self, body: Body, loop: bool) -> None:
        for statement in body:
            self._statement(statement, loop)
            inside = loop or isinstance(statement, (gast.For, gast.While))
            for block in syntax.blocks(statement):
                self._block(block, inside)

    def _statement(self, statement: gast.stmt, loop: bool) -> None:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                self.values.setdefault(name, []).append(value)
                self.repeated |= {name} if loop else set()
            case gast.Assign(targets=[gast.Tuple(elts=elts)], value=value) if tape := _popped(
                value
            ):
                self.pops.setdefault(tape, []).append(elts)
                for k, element in enumerate(elts):
                    if isinstance(element, gast.Name):
                        self.popped.setdefault(element.id, set()).add((tape, k))
                    else:
                        self.others |= syntax.stores(element)
            case _:
                self.others |= {n for part in _own(statement) for n in syntax.stores(part)}
                if isinstance(statement, (gast.FunctionDef, gast.Try)):
                    self.others |= syntax.stores(statement) | syntax.loads(statement)
        if isinstance(statement, gast.Assign):
            self.others |= syntax.stores(statement.value)
        if pushed := _pushed(statement):
            self.pushes.setdefault(pushed[0], []).append(pushed[1])
        for node in (n for part in _own(statement) for n in syntax.walk(part)):
            if isinstance(node, gast.Name):
                self.uses[node.id] = self.uses.get(node.id, 0) + 1

    def means(self) -> dict[str, gast.expr]:
        """What names stand for, wherever they are read."""
        found = {}
        for name, values in self.values.items():
            first = values[0]
            alike = all(syntax.same(value, first) for value in values)
            if alike and name not in self.others | self.params and self._is_steady(first, name):
                if all(self._is_kept(name, place) for place in self.popped.get(name, ())):
                    found[name] = first
        return found

    def _is_steady(self, value: gast.expr, name: str) -> bool:
        match value:
            case gast.Name(id=root) if name in self.popped:
                return root != name and self._is_bound_once(root)
            case gast.Call() if (root := syntax.viewed(value)) and not syntax.is_bare(value):
                return self._is_bound_once(root) and "vars" not in self.values
        return False

    def _is_bound_once(self, name: str) -> bool:
        if name in self.others or name in self.popped or name in self.repeated:
            return False
        return len(self.values.get(name, ())) == (0 if name in self.params else 1)

    def _is_kept(self, name: str, place: Place) -> bool:
        """Whether a tape holds a name, and nothing else, at a position."""
        tape, k = place
        rows = [*self.pushes.get(tape, ()), *self.pops.get(tape, ())]
        made = 1 if tape in self.values else 0
        used = self.uses.get(tape, 0) == len(rows) + made
        return used and all(_is_at(row, k, name) for row in rows) and tape in self.pushes

    def dropped(self, tape: str, means: dict[str, gast.expr]) -> set[int]:
        """The positions of a tape that need not be kept."""
        return {k for name in means for t, k in self.popped.get(name, ()) if t == tape}


def _is_at(row: list[gast.expr], k: int, name: str) -> bool:
    return k < len(row) and isinstance(row[k], gast.Name) and row[k].id == name


def _own(statement: gast.stmt) -> Iterator[Any]:
    """The parts of a statement that are not in its blocks."""
    for field in statement._fields:
        part = getattr(statement, field, None)
        if field in syntax.BLOCKS or field == "handlers":
            continue
        parts = part if isinstance(part, list) else [part]
        yield from (p for p in parts if isinstance(p, ast.AST))


def _asked(node: ast.AST) -> list[str]:
    """The names of dicts that are asked for keys, or lose some: attributes may be missing there."""
    match node:
        case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[gast.Name(id=name)]):
            return [name]
        case gast.Subscript(value=gast.Name(id=name), ctx=gast.Del()):
            return [name]
    return []


def _popped(value: gast.expr) -> str | None:
    match value:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=tape), attr="pop"), args=[]):
            return tape  # type: ignore[no-any-return]
    return None


def _pushed(statement: gast.stmt) -> tuple[str, list[gast.expr]] | None:
    match statement:
        case gast.Expr(
            value=gast.Call(
                func=gast.Attribute(value=gast.Name(id=tape), attr="append"),
                args=[gast.Tuple(elts=elts)],
            )
        ):
            return tape, elts
    return None


class _Rewrite:
    """Says names by what they mean."""

    def __init__(self, means: dict[str, gast.expr], seen: _Seen) -> None:
        self.means, self.seen = means, seen

    def block(self, body: Body) -> Body:
        return syntax.rewrite(body, self.step)

    def step(self, statement: gast.stmt) -> Body:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)]) if name in self.means:
                return []
            case gast.Assign(targets=[gast.Tuple(elts=elts)], value=value) if tape := _popped(
                value
            ):
                kept = self._kept(tape, elts)
                if kept is not None:
                    target = kept[0] if len(kept) == 1 else gast.Tuple(kept, gast.Store())
                    new = gast.Assign([syntax.at(target, statement)], value, None)
                    return [syntax.at(new, statement)] if kept else []
        if pushed := _pushed(statement):
            kept = self._kept(*pushed)
            if kept is not None:
                held = kept[0] if len(kept) == 1 else gast.Tuple(kept, gast.Load())
                call = statement.value
                new = gast.Expr(gast.Call(call.func, [self.said(held)], []))
                return [syntax.at(new, statement)] if kept else []
        return [self.said(statement)]

    def _kept(self, tape: str, elts: list[gast.expr]) -> list[gast.expr] | None:
        dropped = self.seen.dropped(tape, self.means)
        return [e for k, e in enumerate(elts) if k not in dropped] if dropped else None

    def said(self, node: Any) -> Any:
        """A node with what names mean in their place."""
        if not syntax.loads(node) & self.means.keys():
            return node
        return _Saying(self.means, self.seen.asked).visit(syntax.copy(node))


class _Saying(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, means: dict[str, gast.expr], asked: set[str]) -> None:
        self.means, self.asked = means, asked

    def visit_Subscript(self, node: Any) -> Any:
        match node:
            case gast.Subscript(value=gast.Name(id=name), slice=gast.Constant(value=str() as key)):
                meant = self.means.get(name)
                if isinstance(meant, gast.Call) and key.isidentifier() and name not in self.asked:
                    owner = syntax.copy(meant.args[0])
                    return syntax.at(gast.Attribute(owner, key, node.ctx), node)
        return self.generic_visit(node)

    def visit_Name(self, node: Any) -> Any:
        meant = self.means.get(node.id)
        return node if meant is None else syntax.at(syntax.copy(meant), node)
