"""Whether the functions of the runtime that a text calls are given numbers and arrays only.

In: a generated function, and what its free names stand for.
Out: yes or no; where it cannot be seen, no.
Next: export.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Container, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from tangentlite.exporting import occurrences
from tangentlite.exporting.pieces import Key, Piece

NUMBER, ZERO, OTHER = range(3)  # what a name may stand for: the greater includes the smaller
ARRAYS = frozenset(
    """
    sum mean prod dot where transpose reshape ravel max min amax amin var std cumsum cumprod clip
    zeros ones zeros_like ones_like arange linspace concatenate stack vstack hstack outer inner vdot
    trace diag diagonal real imag conj copy eye roll diff flip argmax argmin squeeze expand_dims
    tensordot einsum sort argsort tril triu interp repeat tile norm solve inv det fft ifft rfft irfft
    array asarray take take_along_axis convolve nan_to_num
    """.split()
)
METHODS = frozenset(
    "copy sum mean prod dot reshape ravel transpose max min var std cumsum flatten squeeze conj".split()
)
ATTRIBUTES = frozenset("T mT real imag size ndim".split())
BUILTINS = frozenset("float int abs len min max bool sum complex round".split())
# Functions of the runtime that give a number or an array for numbers and arrays.
GIVING = frozenset(
    """
    dot unreduce_product
    unbroadcast unbroadcast_product broadcast spread unreduce kept count times cancel quotient ratio power
    dpower_dx wins log_or_zero complex_log direction matmul_both matmul_left matmul_right dot_both dot_left dot_right
    outer_left outer_right weighted columns uncolumns mT mH real_only rise fall surplus_slope bell shares summed
    exp_share exp_shared exp_shares sure
    zeros add_at seed like tangent
    """.split()
)
STRICT = {
    "unbroadcast": 2,
    "unbroadcast_product": 3,
    "unreduce_product": 3,
    "dot": 2,
    "like": 2,
    "seed": 2,
    "zeros": 1,
    "spread": 2,
    "broadcast": 2,
    "tangent": 2,
}


def is_plain(piece: Piece, rt: Key, numeric: Container[Key], given: Container[str]) -> bool:
    """Whether every function of the runtime is given numbers and arrays, and ZERO stands in sums only.

    ``numeric``: the values from outside that are numbers and arrays; ``given``: the user's parameters.
    """
    tree = piece.tree
    if not isinstance(tree, ast.FunctionDef) or any(map(_is_scope, ast.walk(tree))):
        return False
    return _Study(tree, piece.means, rt, numeric, given).holds()


def _is_scope(node: ast.AST) -> bool:
    inner = (ast.Lambda, ast.ClassDef, ast.AsyncFunctionDef, ast.Yield, ast.YieldFrom, ast.Await)
    return isinstance(node, (*inner, *occurrences.COMPREHENSIONS))


class _Study:
    """What each name of a function may stand for, wherever it is bound: a number or an array, ZERO, anything."""

    def __init__(
        self,
        tree: ast.FunctionDef,
        means: Mapping[str, Key],
        rt: Key,
        numeric: Container[Key],
        given: Container[str],
    ) -> None:
        self.tree, self.means, self.rt, self.numeric, self.given = tree, means, rt, numeric, given
        self.tapes = _tapes(tree)
        self.kinds: dict[str, int] = dict.fromkeys(occurrences.bound(tree.body), OTHER)
        self.bindings = list(self._bindings())
        self.kinds |= {name: NUMBER for name, _ in self.bindings if name not in self.tapes}
        self.kinds |= dict.fromkeys(occurrences.parameters(tree.args), OTHER)
        self.kinds |= dict.fromkeys(self._checked(), NUMBER)
        self._settle()

    def _checked(self) -> Iterator[str]:
        """The parameters of which the text says that they are numbers, seeds and tangents."""
        for statement in self.tree.body:
            match statement:
                case ast.Expr(value=ast.Call(func=func, args=args)):
                    if self._helper(func) == "numbers":
                        yield from (a.id for a in args if isinstance(a, ast.Name))
                case ast.If(test=test, body=[ast.Return()]):
                    tests = test.values if isinstance(test, ast.BoolOp) else [test]
                    is_or = isinstance(test, ast.Compare) or isinstance(test.op, ast.Or)  # type: ignore[attr-defined]
                    yield from (name for t in tests if is_or and (name := self._float(t)))
        yield from (a.arg for a in self.tree.args.kwonlyargs if a.arg not in self.given)

    def _float(self, test: ast.expr) -> str | None:
        """``x``, of ``type(x) is not float``."""
        match test:
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="type") as func, args=[ast.Name(id=name)]),
                ops=[ast.IsNot()],
                comparators=[ast.Name(id="float") as kind],
            ) if self._builtin(func) and self._builtin(kind):
                return name
        return None

    def _settle(self) -> None:
        changed = True
        while changed:
            changed = False
            for name, kind in self.bindings:
                found = max(self.kinds[name], kind())
                changed = changed or found != self.kinds[name]
                self.kinds[name] = found

    def holds(self) -> bool:
        """Whether all calls of the runtime are given what they must be, and ZERO is only added."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and self._helper(node.func) is not None:
                if not self._fits(node, str(self._helper(node.func))):
                    return False
        if any(kind() == ZERO != self.kinds[name] for name, kind in self.bindings):
            return False
        good = {id(node) for node in self._sums()}
        loaded = (n for n in ast.walk(self.tree) if isinstance(n, ast.Name | ast.Attribute))
        loaded = (n for n in loaded if isinstance(n.ctx, ast.Load))
        return all(self.kind(n) != ZERO or id(n) in good for n in loaded) and self._called()

    def _called(self) -> bool:
        """Functions of the runtime are called, never handed on."""
        callees = {id(n.func) for n in ast.walk(self.tree) if isinstance(n, ast.Call)}
        used = [n for n in ast.walk(self.tree) if isinstance(n, ast.Attribute) and self._helper(n)]
        return all(id(n) in callees or n.attr == "ZERO" for n in used)

    def _sums(self) -> Iterator[ast.expr]:
        """Where ZERO may stand."""
        for node in ast.walk(self.tree):
            match node:
                case ast.BinOp(left=left, op=ast.Add(), right=right):
                    yield from (left, right)
                case ast.Assign(targets=[ast.Name()], value=value):
                    yield value
                case ast.Call(func=func, args=[first, *_]) if self._helper(func) == "like":
                    yield first

    def _fits(self, call: ast.Call, helper: str) -> bool:
        if call.keywords and (helper == "add_at" or any(k.arg is None for k in call.keywords)):
            return False
        if helper == "numbers":
            return True
        args: list[Any] = list(call.args)
        if helper == "distinct":
            args = args[0].elts if isinstance(args[0], ast.Tuple) else [None]
            return all(a is not None and self.kind(a) == NUMBER for a in args)
        if helper == "add_at":
            return len(args) == 3 and self.kind(args[0]) == self.kind(args[2]) == NUMBER
        if helper == "like":
            return self.kind(args[0]) < OTHER and self.kind(args[1]) == NUMBER
        strict = STRICT.get(helper, 0)
        if any(self.kind(a) != NUMBER for a in args[:strict]):
            return False
        return all(
            self.kind(a) == NUMBER or self._is_said(a)
            for a in [*args, *(k.value for k in call.keywords)]
        )

    def _is_said(self, e: ast.expr) -> bool:
        """An axis, a shape, a name: what is no operand."""
        match e:
            case ast.Constant():
                return True
            case ast.Tuple(elts=elts):
                return all(isinstance(p, ast.Constant | ast.UnaryOp) for p in elts)
            case ast.Attribute(value=value, attr="shape"):
                return self.kind(value) == NUMBER
        return False

    def _helper(self, node: ast.AST) -> str | None:
        """The name of what is taken from the runtime."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if self.means.get(node.value.id) == self.rt:
                return node.attr
        return None

    def _bindings(self) -> Iterator[tuple[str, Callable[[], int]]]:
        for node in ast.walk(self.tree):
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        yield from self._bound(target, value)
                case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                    whole = ast.BinOp(ast.Name(target.id, ast.Load()), op, value)
                    yield name, partial(self.kind, whole)
                case ast.For(target=target, iter=values):
                    yield from self._walked(target, values)
                case ast.ExceptHandler(name=str(name)) | ast.NamedExpr(target=ast.Name(id=name)):
                    yield name, lambda: OTHER
                case ast.withitem(optional_vars=ast.Name(id=name)):
                    yield name, lambda: OTHER

    def _bound(self, target: ast.expr, value: ast.expr) -> Iterator[tuple[str, Callable[[], int]]]:
        tape = _popped(value, self.tapes)
        if isinstance(target, ast.Name):
            values = [value] if tape is None else tape
            yield target.id, lambda: max((self.kind(v) for v in values), default=NUMBER)
        elif isinstance(target, ast.Tuple):
            wholes = [value] if tape is None else tape
            for k, part in enumerate(target.elts):
                for whole in wholes:
                    same = isinstance(whole, ast.Tuple) and len(whole.elts) == len(target.elts)
                    inner = whole.elts[k] if same else ast.List([], ast.Load())  # type: ignore[attr-defined]
                    yield from self._bound(part, inner)
        elif isinstance(target, ast.Starred):
            yield from self._bound(target.value, ast.List([], ast.Load()))

    def _walked(
        self, target: ast.expr, values: ast.expr
    ) -> Iterator[tuple[str, Callable[[], int]]]:
        if isinstance(values, ast.Call) and self._builtin(values.func) == "reversed":
            values = values.args[0]
        if isinstance(values, ast.Call) and self._builtin(values.func) == "range":
            values = ast.Constant(0)
        if isinstance(target, ast.Name):
            yield target.id, lambda: NUMBER if self.kind(values) == NUMBER else OTHER
        else:
            yield from self._bound(target, ast.List([], ast.Load()))

    def kind(self, e: ast.expr) -> int:
        """What an expression may be."""
        match e:
            case ast.Constant(value=value):
                return NUMBER if isinstance(value, bool | int | float | complex) else OTHER
            case ast.Name(id=name):
                if name not in self.kinds:
                    return NUMBER if self.means.get(name) in self.numeric else OTHER
                return self.kinds[name]
            case ast.BinOp(left=left, op=op, right=right):
                both = self.kind(left), self.kind(right)
                if max(both) == ZERO:
                    return min(both) if isinstance(op, ast.Add) else OTHER
                return max(both)
            case ast.UnaryOp(operand=inner) | ast.Subscript(value=inner):
                return self._number([inner])
            case ast.Compare(left=left, comparators=others):
                return self._number([left, *others])
            case ast.BoolOp(values=values):
                return self._number(values)
            case ast.IfExp(body=body, orelse=orelse):
                return self._number([body, orelse])
            case ast.Attribute(value=value, attr=attr):
                if self._helper(e) is not None:
                    return ZERO if attr == "ZERO" else OTHER
                return self._number([value]) if attr in ATTRIBUTES else OTHER
            case ast.Call(func=func, args=args, keywords=keywords):
                return self._result(func, args, keywords)
        return OTHER

    def _number(self, parts: list[ast.expr]) -> int:
        return NUMBER if all(self.kind(p) == NUMBER for p in parts) else OTHER

    def _result(self, func: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]) -> int:
        if self._helper(func) is not None:
            return NUMBER if self._helper(func) in GIVING else OTHER
        if self._builtin(func) in BUILTINS:
            return self._number(args)
        given = [*args, *(k.value for k in keywords)]
        known = {k.arg for k in keywords} <= {"axis", "keepdims"}
        if not known or not all(map(self._is_operand, given)):
            return OTHER
        if self._gives_numbers(self._library(func)):
            return NUMBER
        if isinstance(func, ast.Attribute) and func.attr in METHODS:
            return self._number([func.value])
        return OTHER

    def _is_operand(self, e: ast.expr) -> bool:
        if isinstance(e, ast.List | ast.Tuple):
            return all(map(self._is_operand, e.elts))
        return self.kind(e) == NUMBER or self._is_said(e)

    def _gives_numbers(self, function: Any) -> bool:
        """Whether a function of a library gives a number or an array for such."""
        if isinstance(function, np.ufunc):
            return function.nout == 1
        name, module = getattr(function, "__name__", ""), getattr(function, "__module__", "") or ""
        if module == "math":
            return name not in ("modf", "frexp")
        return module.partition(".")[0] == "numpy" and name in ARRAYS

    def _builtin(self, func: ast.expr) -> str:
        free = (
            isinstance(func, ast.Name) and func.id not in self.means and func.id not in self.kinds
        )
        return func.id if free else ""  # type: ignore[attr-defined]

    def _library(self, func: ast.expr) -> Any:
        """What a name of an imported module is."""
        match func:
            case ast.Attribute(value=value, attr=attr):
                return getattr(self._library(value), attr, None)
            case ast.Name(id=name) if name not in self.kinds:
                key = self.means.get(name)
                if not isinstance(key, tuple):
                    return None
                if len(key) == 2 and str(key[0]).partition(".")[0] in ("numpy", "math"):
                    module = importlib.import_module(key[0])
                    return module if key[1] is None else getattr(module, str(key[1]), None)
        return None


def _tapes(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """Lists that are only appended to and popped from, with what is put on them."""
    tapes: dict[str, list[ast.expr]] = {}
    used: dict[str, int] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])):
                tapes.setdefault(name, [])
                used[name] = used.get(name, 0) - 1
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[put]):
                tapes.setdefault(name, []).append(put)
                used[name] = used.get(name, 0) - 1
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop"), args=[]):
                used[name] = used.get(name, 0) - 1
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in used:
            used[node.id] += 1
    return {name: put for name, put in tapes.items() if not used[name]}


def _popped(value: ast.expr, tapes: Mapping[str, list[ast.expr]]) -> list[ast.expr] | None:
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop"), args=[]):
            return tapes.get(name)
    return None
