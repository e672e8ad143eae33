"""Generated code as Numba reads it: the same statements in the words that it knows.

In: statements of a generated function, what their names mean.
Out: statements.
Next: kernel.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.axes import is_written_down, with_written_axes, without_new_axes
from tangentlite.native.facts.known import ADD_AT, METHODS, OVER, SHAPED, TRIANGLES, is_one_of
from tangentlite.native.lists import without_lists
from tangentlite.native.memory.begun import unknown
from tangentlite.native.positional import by_position
from tangentlite.native.quiet import without_warnings
from tangentlite.native.quotients import said_again
from tangentlite.native.selections import without_selections
from tangentlite.native.words import worded

Meaning = Callable[[ast.expr], Any]
BINARY = ((runtime.frame, ast.Mult()), (np.matmul, ast.MatMult()))
ADJOINT = re.compile(r"b(?P<primal>\w+?)(_\d+)?")


def spelled(body: list[ast.stmt], known: set[str], meaning: Meaning) -> list[ast.stmt]:
    """Ranges that count down, zeros with a type, no lists that nothing is put on.

    >>> tree = ast.parse("tape = []\\nfor i in reversed(range(1, n)):\\n    bx = f(bx)")
    >>> print("\\n".join(map(ast.unparse, spelled(tree.body, set(), lambda e: None))))
    for i in range(n - 1, 0, -1):
        bx = f(bx)
    """
    body = without_warnings(body, meaning)
    by_position(body, meaning)
    body = with_written_axes(without_new_axes(said_again(body, meaning), meaning))
    without_lists(body, meaning)
    without_selections(body, meaning)
    spell = _Spell(set(known), meaning)
    changed = [spell.visit(statement) for statement in body]
    return [ast.fix_missing_locations(s) for s in changed if not _is_unused(s, body)]


def _is_unused(statement: ast.stmt, body: list[ast.stmt]) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])):
            loads = (n for s in body for n in ast.walk(s) if isinstance(n, ast.Name))
            return not any(n.id == name and isinstance(n.ctx, ast.Load) for n in loads)
    return False


class _Spell(ast.NodeTransformer):
    """``names``: what is bound so far, so that ``bx = rt.ZERO`` finds its ``x``."""

    def __init__(self, names: set[str], meaning: Meaning) -> None:
        self._names, self._meaning = names, meaning

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What is bound here can be named from here on."""
        if isinstance(node.ctx, ast.Store):
            self._names.add(node.id)
        return node

    def visit_For(self, node: ast.For) -> ast.stmt:
        """``reversed(range(…))`` is a range."""
        self.generic_visit(node)
        match node.iter:
            case ast.Call(
                func=ast.Name(id="reversed"),
                args=[ast.Call(func=ast.Name(id="range"), args=bounds)],
            ):
                node.iter = downward(bounds)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """The lazy zero becomes one of the type of what it is the adjoint of."""
        if isinstance(node.value, ast.Attribute) and self._meaning(node.value) is runtime.ZERO:
            node.value = self._zero(node.targets[0], node.value)
        self.generic_visit(node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """``b[...] += e`` is ``b += e``, which writes into an array."""
        self.generic_visit(node)
        match node.target:
            case ast.Subscript(
                value=ast.Name(id=name), slice=ast.Slice(lower=None, upper=None, step=None)
            ):
                node.target = ast.Name(name, ast.Store())
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """``a[...]`` is ``a[:]``."""
        self.generic_visit(node)
        if isinstance(node.slice, ast.Constant) and node.slice.value is ...:
            node.slice = ast.Slice()
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Reductions along axes: ``x.sum(axis=0)`` is ``_sum_over(x, 0, False)``."""
        self.generic_visit(node)
        found = worded(node, self._meaning)
        return self._called(found) if isinstance(found, ast.Call) else found

    def _called(self, node: ast.Call) -> ast.expr:
        meant, func = self._meaning(node.func), node.func
        if meant == np.add.at and not node.keywords and len(node.args) == 3:
            return ast.Call(ast.Name(ADD_AT, ast.Load()), node.args, [])
        if meant == np.subtract.at and not node.keywords and len(node.args) == 3:
            less = ast.UnaryOp(ast.USub(), node.args[2])
            return ast.Call(ast.Name(ADD_AT, ast.Load()), [*node.args[:2], less], [])
        between = [sign for function, sign in BINARY if function is meant]
        if between and len(node.args) == 2 and not node.keywords:
            return ast.BinOp(node.args[0], between[0], node.args[1])
        if is_one_of(meant, (runtime.unbroadcast_product, runtime.dot)):
            return unbroadcast(node)
        if meant is runtime.unreduce_product:
            return unreduce(node)
        if is_one_of(meant, (np.ndarray, *SHAPED)):
            return _shaped(node, meant)
        half = next((text for function, text in TRIANGLES.items() if function is meant), None)
        if half is not None and not node.keywords:
            return ast.Call(ast.Name(half, ast.Load()), node.args, [])
        name = next((text for function, text in OVER.items() if function is meant), None)
        args = node.args
        if name is None and isinstance(func, ast.Attribute) and meant is None:
            name, args = METHODS.get(func.attr), [func.value, *args]
        given = {k.arg: k.value for k in node.keywords}
        if name is None or not 1 <= len(args) <= 2 or not given.keys() <= {"axis", "keepdims"}:
            return node
        if (len(args) == 1 and not given) or (meant is np.linalg.norm and len(args) > 1):
            return node
        axis = args[1] if len(args) == 2 else given.get("axis", ast.Constant(None))
        keeps = given.get("keepdims", ast.Constant(False))
        if not (is_written_down(axis) and isinstance(keeps, ast.Constant)):
            return node
        return ast.Call(ast.Name(name, ast.Load()), [args[0], axis, keeps], [])

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Elsewhere the lazy zero is a number."""
        if self._meaning(node) is runtime.ZERO:
            return ast.Constant(0.0)
        self.generic_visit(node)
        return node

    def _zero(self, target: ast.expr, zero: ast.Attribute) -> ast.expr:
        found = ADJOINT.fullmatch(target.id) if isinstance(target, ast.Name) else None
        if found is None:
            return ast.Constant(0.0)
        if found["primal"] not in self._names:
            return unknown(zero, found["primal"])
        zeros = ast.Attribute(zero.value, "zeros", ast.Load())
        return ast.Call(zeros, [ast.Name(found["primal"], ast.Load())], [])


def unbroadcast(node: ast.Call) -> ast.expr:
    """``rt.unbroadcast_product(x, y, z)`` as it was: ``rt.unbroadcast(x * y, z)``."""
    left, right, *like = node.args
    func = ast.Attribute(node.func.value, "unbroadcast", ast.Load())  # type: ignore[attr-defined]
    return ast.Call(func, [ast.BinOp(left, ast.Mult(), right), *(like or [ast.Constant(0.0)])], [])


def unreduce(node: ast.Call) -> ast.expr:
    """``rt.unreduce_product(b, x, y, axis)`` as it was: ``rt.unbroadcast(rt.unreduce(b, x * y, axis) * x, y)``."""
    b, x, like, axis = node.args
    func = ast.Attribute(node.func.value, "unreduce", ast.Load())  # type: ignore[attr-defined]
    repeated = ast.Call(func, [b, ast.BinOp(x, ast.Mult(), like), axis], [])
    return unbroadcast(ast.Call(node.func, [repeated, x, like], []))


def _shaped(node: ast.Call, meant: Any) -> ast.expr:
    """``np.ndarray((n, m))`` and ``np.empty([n, m])`` are ``np.empty((n, m))``."""
    for keyword in node.keywords:
        if keyword.arg == "shape" and not node.args:
            node.args = [keyword.value]
            node.keywords = [k for k in node.keywords if k is not keyword]
    match node.args:
        case [ast.List(elts=parts), *rest]:
            node.args = [ast.Tuple(parts, ast.Load()), *rest]
    plain = len(node.args) == 1 and all(k.arg == "dtype" for k in node.keywords)
    if meant is np.ndarray and plain and isinstance(node.func, ast.Attribute):
        node.func.attr = "empty"
    return node


def downward(bounds: list[ast.expr]) -> ast.expr:
    """The range that counts down through the numbers of another.

    >>> texts = ["range(n)", "range(1, n)", "range(a, b, 2)"]
    >>> [ast.unparse(downward(ast.parse(t, mode="eval").body.args)) for t in texts]
    ['range(n - 1, -1, -1)', 'range(n - 1, 0, -1)', 'range(a + (b - a - 1) // 2 * 2, a - 1, -2)']
    """
    first, last = bounds[:2] if len(bounds) > 1 else (ast.Constant(0), bounds[0])
    step = _step(bounds)
    if step is None:
        text = _counted(*map(_bracketed, (first, last, bounds[2])))
    elif step == 1:
        text = f"range({_less(last)}, {_less(first)}, -1)"
    elif step == -1:
        text = f"range({ast.unparse(last)} + 1, {ast.unparse(first)} + 1)"
    else:
        a, b = _bracketed(first), _bracketed(last)
        end = f"{a} {'-' if step > 0 else '+'} 1"
        over = f"({b} - {a} {'-' if step > 0 else '+'} 1) // {step} * {step}"
        text = f"range({a} + {over}, {end}, {-step})"
    return ast.parse(text, mode="eval").body


def _less(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return str(node.value - 1)
    return f"{ast.unparse(node)} - 1"


def _step(bounds: list[ast.expr]) -> int | None:
    match bounds:
        case [_, _, ast.Constant(value=int(step))]:
            return step
        case [_, _, ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(step)))]:
            return -step
        case [_, _, _]:
            return None
    return 1


def _bracketed(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if isinstance(node, (ast.Name, ast.Constant)) else f"({text})"


def _counted(first: str, last: str, step: str) -> str:
    """Downward with a step whose sign is not known: the last number is so many steps away from the first."""
    trips = f"max(0, ({last} - {first} + {step} - (1 if {step} > 0 else -1)) // {step})"
    return f"range({first} + ({trips} - 1) * {step}, {first} - {step}, -{step})"
