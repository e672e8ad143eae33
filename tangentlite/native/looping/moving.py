"""Arrays that one statement reads, and once, are computed there: no memory is taken for them, and no loop of their own.

In: a block of a kernel, what is known of its names.
Out: the block with fewer statements.
Next: loops.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from tangentlite import runtime
from tangentlite.native.facts.effects import only_reads, written
from tangentlite.native.facts.known import (
    ARITHMETIC,
    CHOSEN,
    ELEMENTWISE,
    is_elementwise,
    is_one_of,
)
from tangentlite.native.facts.names import loads, stores
from tangentlite.native.facts.ranks import Names

Meaning = Callable[[ast.expr], Any]
Passed = ast.Assign | ast.AugAssign | ast.Expr
PASSED = ast.Assign, ast.AugAssign, ast.Expr


class Mover:
    """``reads``: how often the kernel reads a name; ``binds``: in how many places it is bound."""

    def __init__(self, tree: ast.FunctionDef, names: Names, meaning: Meaning) -> None:
        self._names, self._meaning = names, meaning
        self._reads: Mapping[str, int] = Counter(n for s in tree.body for n in loads(s))
        self._binds: Mapping[str, int] = Counter(n for s in tree.body for n in stores([s]))

    def moved(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The block, if what an array is made of is the same where it is read.

        >>> from tangentlite.native.facts.known import Known
        >>> tree = ast.parse("def f(a, b, s):\\n    t = s * a[1:]\\n    b[0] = 1.0\\n    b[1:] += t").body[0]
        >>> given = {"a": Known(1, True), "b": Known(1, True), "s": Known(0, True)}
        >>> names = Names(tree.body, given, True, lambda node: None, lambda *use: Known())
        >>> print("\\n".join(map(ast.unparse, Mover(tree, names, lambda node: None).moved(tree.body))))
        b[0] = 1.0
        b[1:] += s * a[1:]
        """
        result = list(body)
        for statement in body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if self._may_move(
                    name, value
                ):
                    place = result.index(statement)
                    reader = self._reader(name, value, result[place + 1 :])
                    if reader is not None:
                        reader.value = _Put(name, value).visit(reader.value)
                        del result[place]
        return result

    def sunk(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The block, where arrays are made right before they are read, if what they are made of is the same there.

        >>> from tangentlite.native.facts.known import Known
        >>> tree = ast.parse("def f(a, b, s):\\n    t = s * a\\n    b[0] = 1.0\\n    b[1:] += t * t").body[0]
        >>> given = {"a": Known(1, True), "b": Known(1, True), "s": Known(0, True)}
        >>> names = Names(tree.body, given, True, lambda node: None, lambda *use: Known())
        >>> print("\\n".join(map(ast.unparse, Mover(tree, names, lambda node: None).sunk(tree.body))))
        b[0] = 1.0
        t = s * a
        b[1:] += t * t
        """
        result = list(body)
        for statement in reversed(body):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if self._binds[
                    name
                ] == 1 and self._is_made(value):
                    place = result.index(statement)
                    passed = self._passed(name, value, result[place + 1 :])
                    del result[place]
                    result.insert(place + passed, statement)
        return result

    def _passed(self, name: str, value: ast.expr, rest: list[ast.stmt]) -> int:
        """Over how many statements an array may be carried: as far as the first that reads it."""
        for k, statement in enumerate(rest):
            if name in loads(statement):
                return k
            if not isinstance(statement, PASSED) or self._changes(statement, value):
                return 0
        return 0

    def _may_move(self, name: str, value: ast.expr) -> bool:
        if self._reads[name] != 1 or self._binds[name] != 1 or self._names.ones.get(name):
            return False
        return self._is_made(value) and self._names.floating(value)

    def _is_made(self, value: ast.expr) -> bool:
        made = not isinstance(value, (ast.Name, ast.Subscript)) and self._is_plain(value)
        return made and bool(self._names.rank(value))

    def _is_plain(self, node: ast.expr) -> bool:
        """Whether every element is made of one element of each array."""
        match node:
            case ast.Name() | ast.Constant():
                return True
            case ast.Subscript(value=ast.Name()):
                return self._names.rank(node) is not None
            case _:
                parts = self._parts(node)
                return parts is not None and all(map(self._is_plain, parts))

    def _parts(self, node: ast.expr) -> list[ast.expr] | None:
        match node:
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, ARITHMETIC):
                return [left, right]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return [operand]
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(), index]) if name == CHOSEN:
                return index.elts if isinstance(index, ast.Tuple) else [index]
            case ast.Call(func=func, args=args, keywords=[]):
                meant = self._meaning(func)
                if meant is runtime.unbroadcast and self._is_like(*args):
                    return args[:1]
                plain = is_elementwise(meant, node) or is_one_of(meant, ELEMENTWISE)
                return args if plain else None
        return None

    def _is_like(self, value: ast.expr, like: ast.expr) -> bool:
        """Whether nothing is summed up where a value becomes like an array: they have as many axes."""
        short = isinstance(like, ast.Name) and self._names.ones.get(like.id)
        return not short and self._names.rank(value) == self._names.rank(like)

    def _reader(self, name: str, value: ast.expr, rest: list[ast.stmt]) -> Any:
        """The statement that reads an array, if what the array is made of is the same there."""
        for statement in rest:
            if not isinstance(statement, (ast.Assign, ast.AugAssign)):
                return None
            if name in loads(statement):
                return statement if self._takes(statement, name, value) else None
            if self._changes(statement, value):
                return None
        return None

    def _changes(self, statement: Passed, value: ast.expr) -> bool:
        """Whether a statement may change what is read in a value."""
        read, changed = set(loads(value)), set(self._changed(statement))
        arrays = {n for n in read if self._names.ranks.get(n) != 0}
        written = {n for n in changed if self._names.ranks.get(n) != 0}
        met = any(self._names.meet(a, b) for a in arrays for b in written)
        return met or not read.isdisjoint(changed)

    def _changed(self, statement: Passed) -> list[str]:
        """The names that a statement binds or writes through; all that are handed on might be written."""
        if isinstance(statement, ast.Expr):
            return [*stores([statement]), *written(statement, self._names, self._meaning)]
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        bases = [t.value for t in targets if isinstance(t, ast.Subscript)]
        found = [*stores(targets), *(n for base in bases for n in loads(base))]
        plain = only_reads(statement.value, self._names, self._meaning)
        return found if plain else [*found, *loads(statement.value)]

    def _takes(self, statement: ast.Assign | ast.AugAssign, name: str, value: ast.expr) -> bool:
        """Whether each element of the array is read once."""
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        if isinstance(statement, ast.Assign) and isinstance(target, ast.Name):
            place = self._names.rank(statement.value)
        else:
            place = self._names.rank(target)
        return place == self._names.rank(value) and self._holds(statement.value, name)

    def _holds(self, node: ast.expr, name: str) -> bool:
        if isinstance(node, ast.Name):
            return node.id == name
        return any(self._holds(part, name) for part in self._parts(node) or [])


class _Put(ast.NodeTransformer):
    def __init__(self, name: str, value: ast.expr) -> None:
        self._name, self._value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._value if node.id == self._name else node
