"""``np.select`` of a list that is written down is ``np.where`` of its parts, which Numba knows, and loops are made of.

In: the statements of a generated function, what their names mean.
Out: the same statements, changed in place.
Next: spelling.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.names import blocks, loads, statements, stores
from tangentlite.values import immutable

Meaning = Callable[[ast.expr], Any]
Body = list[ast.stmt]


def without_selections(body: Body, meaning: Meaning) -> None:
    """Each part of the lists has a name of its own.

    >>> text = "c = [x < 0.0, x < 1.0]\\nv = [x, 2.0 * x]\\ny = np.select(c, v, x)"
    >>> text += "\\nk = np.select(c, list(range(len(v))), -1)\\nbv = rt.unchosen(by, v, k)\\nbx += bv[1] * 2.0"
    >>> body = ast.parse(text).body
    >>> meant = {"np.select": np.select, "rt.unchosen": runtime.unchosen}
    >>> without_selections(body, lambda node: meant.get(ast.unparse(node)))
    >>> print("\\n".join(map(ast.unparse, body)))
    c_0 = x < 0.0
    c_1 = x < 1.0
    v_0 = x
    v_1 = 2.0 * x
    y = np.where(c_0, v_0, np.where(c_1, v_1, x))
    k = np.where(c_0, 0, np.where(c_1, 1, -1))
    bv_1 = rt.unbroadcast(np.where(k == 1, by, 0.0), v_1)
    bx += bv_1 * 2.0
    """
    calls = [n for s in body for n in ast.walk(s) if isinstance(n, ast.Call)]
    selections = [c for c in calls if meaning(c.func) is np.select]
    if selections:
        _Selector(body, meaning, selections).change()


@immutable
class _List:
    """A list that one statement makes, and the names that its parts get."""

    block: Body
    statement: ast.Assign
    parts: tuple[str, ...]


class _Selector:
    def __init__(self, body: Body, meaning: Meaning, selections: list[ast.Call]) -> None:
        self._body, self._meaning, self._selections = body, meaning, selections
        self._times = Counter(stores(body))
        self._reads = Counter(n for s in body for n in loads(s))
        self._met: Counter[str] = Counter()
        self._lists = {n: made for n, made in self._found() if made is not None}
        self._values_of = dict(self._singles())
        self._backs = [
            (block, s)
            for block in _blocks(body)
            for s in block
            if isinstance(s, ast.Assign)
            and isinstance(s.value, ast.Call)
            and meaning(s.value.func) is runtime.unchosen
        ]

    def _found(self) -> Iterator[tuple[str, _List | None]]:
        for block in _blocks(self._body):
            for statement in block:
                match statement:
                    case ast.Assign(
                        targets=[ast.Name(id=name)], value=ast.List(elts=[_, *_] as parts)
                    ):
                        names = tuple(f"{name}_{k}" for k in range(len(parts)))
                        free = not any(self._times[n] or self._reads[n] for n in names)
                        once = free and self._times[name] == 1
                        yield name, _List(block, statement, names) if once else None

    def _singles(self) -> Iterator[tuple[str, ast.expr]]:
        """What names are bound to once, parts of lists among them."""
        for statement in statements(self._body):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if self._times[name] == 1:
                    yield name, value
        for made in self._lists.values():
            yield from zip(made.parts, made.statement.value.elts)  # type: ignore[attr-defined]

    def change(self) -> None:
        """Nothing changes unless all is understood."""
        said = [self._said(call) for call in self._selections]
        backs = [self._back(statement) for _, statement in self._backs]
        named = list(self._met)
        whole = all(self._met[n] == self._reads[n] for n in named)
        if None in said or None in backs or not whole:
            return
        for call, found in zip(self._selections, said):
            assert found is not None
            call.func, call.args, call.keywords = found.func, found.args, []
        for (block, statement), lines in zip(self._backs, backs):
            at = block.index(statement)
            block[at : at + 1] = lines or []
            _Parts(*stores(statement.targets)).visit(ast.Module(self._body, []))
        for name in named:
            made = self._lists[name]
            at = made.block.index(made.statement)
            values = made.statement.value.elts  # type: ignore[attr-defined]
            made.block[at : at + 1] = [_bound(n, v) for n, v in zip(made.parts, values)]

    def _said(self, call: ast.Call) -> ast.Call | None:
        """A selection as choices between two."""
        given = [*call.args[2:], *(k.value for k in call.keywords if k.arg == "default")]
        if (
            len(call.args) < 2
            or len(given) != len(call.args) - 2 + len(call.keywords)
            or len(given) > 1
        ):
            return None
        tests, values = self._parts(call.args[0]), self._values(call.args[1])
        if tests is None or values is None or len(tests) != len(values):
            return None
        if not all(map(self._is_test, tests)):
            return None
        found = given[0] if given else ast.Constant(0)
        for test, value in reversed([*zip(tests, values)]):
            found = _where(test, value, found)
        return found  # type: ignore[return-value]

    def _values(self, node: ast.expr) -> list[ast.expr] | None:
        """What is chosen from: parts of a list, or their numbers."""
        match node:
            case ast.Call(
                func=ast.Name(id="list"),
                args=[
                    ast.Call(
                        func=ast.Name(id="range"),
                        args=[ast.Call(func=ast.Name(id="len"), args=[whole])],
                    )
                ],
            ):
                parts = self._parts(whole)
                return None if parts is None else [ast.Constant(k) for k in range(len(parts))]
        return self._parts(node)

    def _parts(self, node: ast.expr) -> list[ast.expr] | None:
        """The parts of a list that is written down here, or has a name."""
        if isinstance(node, ast.List):
            return node.elts
        if not isinstance(node, ast.Name) or node.id not in self._lists:
            return None
        self._met[node.id] += 1
        return [ast.Name(p, ast.Load()) for p in self._lists[node.id].parts]

    def _is_test(self, node: ast.expr) -> bool:
        """Whether a value is surely true or false: ``np.select`` refuses others."""
        match node:
            case ast.Compare():
                return True
            case ast.Name(id=name) if name in self._values_of:
                return self._is_test(self._values_of[name])
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return self._is_test(operand)
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right):
                return self._is_test(left) and self._is_test(right)
        return False

    def _back(self, statement: ast.Assign) -> Body | None:
        """The adjoints of those parts that are read, each under a name of its own."""
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(value=rt), args=[b, whole, ast.Name() as which]),
            ) if self._times[name] == 1:
                parts = self._parts(whole)
            case _:
                return None
        places = [n for s in self._body for n in ast.walk(s) if _is_part(n, name)]
        names = {k: f"{name}_{k}" for k in sorted({p.slice.value for p in places})}  # type: ignore[attr-defined]
        free = not any(self._times[n] or self._reads[n] for n in names.values())
        if parts is None or len(places) != self._reads[name] or not free:
            return None
        lines: Body = []
        for k, other in names.items():
            test = ast.Compare(which, [ast.Eq()], [ast.Constant(k)])
            chosen = _where(test, b, ast.Constant(0.0))
            like = ast.Attribute(rt, "unbroadcast", ast.Load())
            lines.append(_bound(other, ast.Call(like, [chosen, parts[k]], [])))
        return lines


class _Parts(ast.NodeTransformer):
    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """``bv[1]`` is ``bv_1``."""
        if _is_part(node, self._name):
            return ast.Name(f"{self._name}_{node.slice.value}", ast.Load())  # type: ignore[attr-defined]
        self.generic_visit(node)
        return node


def _is_part(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Subscript(value=ast.Name(id=whole), slice=ast.Constant(value=int())):
            return whole == name
    return False


def _where(test: ast.expr, one: ast.expr, other: ast.expr) -> ast.Call:
    func = ast.Attribute(ast.Name("np", ast.Load()), "where", ast.Load())
    return ast.Call(func, [test, one, other], [])


def _bound(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value, lineno=0)


def _blocks(body: Body) -> Iterator[Body]:
    yield body
    for statement in statements(body):
        yield from blocks(statement)
