"""Purity: whether an expression may be removed, repeated or moved.

In: expressions, the namespace of the function, its local names, what counts as a pure callee.
Out: ``Purity``: ``pure(expression)``, ``fresh(call)``.
Next: facts, sharing.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Container, Set
from types import BuiltinFunctionType
from typing import Any

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.ir import Namespace

BUILTINS: frozenset[object] = frozenset(
    {abs, bool, complex, dict, divmod, enumerate, float, int, isinstance, len, list, max, min, pow}
    | {range, reversed, round, set, slice, str, sum, tuple, type, zip}
)
MUTATORS = frozenset(
    {"byteswap", "dump", "fill", "itemset", "partition", "put", "resize", "setfield", "setflags"}
    | {"sort", "tofile"}
)
METHODS = frozenset(m for m in dir(np.ndarray) if not m.startswith("_")) - MUTATORS
IMPURE = (gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await)


MAKERS = (
    *(np.zeros, np.ones, np.empty, np.full, np.eye, np.arange, np.linspace, np.copy),
    *(np.zeros_like, np.ones_like, np.empty_like, np.full_like),
    *(np.where, np.dot, np.outer, np.concatenate, np.stack, np.cumsum, np.roll, np.repeat),
    *(runtime.own, runtime.numbers, runtime.alike, runtime.placed),
    *(runtime.zeros, runtime.storage, runtime.room),
    *(runtime.weighted, runtime.times, runtime.cancel, runtime.quotient),
    *(runtime.unbroadcast_product, runtime.unreduce_product, runtime.frame, runtime.dot),
    runtime.outline,  # nothing is written through what it gives
)


Effects = Callable[[Any], frozenset[str] | None]


class Purity:
    """Answers questions about the expressions of one function; callees are looked up once.

    >>> names = Namespace({"np": np})
    >>> purity = Purity(names, {"x"}, lambda callee: isinstance(callee, np.ufunc))
    >>> texts = ["np.sin(x) + x.sum()", "x.sort()", "print(x)", "len(x)", "x.fit(1)"]
    >>> [purity.pure(syntax.expression(text)) for text in texts]
    [True, False, False, True, False]
    """

    def __init__(
        self,
        namespace: Namespace,
        local: Set[str],
        is_pure: Callable[[Any], bool],
        effects: Effects = lambda callee: None,
    ) -> None:
        self._namespace, self._local, self._is_pure = namespace, local, is_pure
        self._effects = effects
        self._known: dict[str, tuple[bool, bool]] = {}
        self._meant: dict[str, object] = {}

    def pure(self, tree: ast.AST | None) -> bool:
        """Whether evaluating ``tree`` has no effect (it may raise arithmetic errors)."""
        stack = [tree] if tree is not None else []
        while stack:
            node = stack.pop()
            if isinstance(node, gast.Call):
                if not self.pure_call(node):
                    return False
            elif isinstance(node, IMPURE):
                return False
            elif isinstance(node, gast.Lambda):
                continue
            stack.extend(syntax.children(node))
        return True

    def pure_call(self, call: gast.Call) -> bool:
        """Whether the call itself has no effect, its arguments aside."""
        path = syntax.dotted(call.func)
        if path is None:
            return isinstance(call.func, gast.Attribute) and call.func.attr in METHODS
        return self._callee(path)[0]

    def fresh(self, call: gast.Call) -> bool:
        """Whether the result of the call shares memory with no argument."""
        path = syntax.dotted(call.func)
        return path is not None and self._callee(path)[1]

    def means(self, func: gast.expr, callees: Container[object]) -> bool:
        """Whether a dotted path means one of these."""
        path = syntax.dotted(func)
        if path is None or path.partition(".")[0] in self._local:
            return False
        if path not in self._meant:
            try:
                self._meant[path] = self._namespace.resolve(path)
            except (KeyError, AttributeError):
                self._meant[path] = self  # nothing that anybody asks for
        return self._meant[path] in callees

    def meaning(self, func: gast.expr) -> object:
        """What a dotted path means; if nothing that is known, something that nobody asks for."""
        self.means(func, ())
        return self._meant.get(syntax.dotted(func) or "", self)

    def is_constant(self, tree: gast.expr) -> bool:
        """Whether an expression is a number that has a name in a module: ``np.pi``."""
        path = syntax.dotted(tree)
        if path is None or path.partition(".")[0] in self._local:
            return False
        return self._namespace.is_constant(path)

    def written(self, call: gast.Call) -> set[str] | None:
        """The names through which a call of a user's function writes, if it does nothing else that can be seen."""
        path = syntax.dotted(call.func)
        if path is None or path.partition(".")[0] in self._local:
            return None
        try:
            callee = self._namespace.resolve(path)
        except (KeyError, AttributeError):
            return None
        written = self._effects(callee)
        if written is None or any(k.arg is None for k in call.keywords):
            return None
        given = dict(zip(inspect.signature(callee, follow_wrapped=False).parameters, call.args))
        given |= {k.arg: k.value for k in call.keywords if k.arg is not None}
        if not written <= given.keys():
            return None
        return set().union(*(syntax.loads(v) for p, v in given.items() if p in written))

    def _callee(self, path: str) -> tuple[bool, bool]:
        if path not in self._known:
            self._known[path] = self._look(path)
        return self._known[path]

    def _look(self, path: str) -> tuple[bool, bool]:
        root, _, method = path.rpartition(".")
        if path.partition(".")[0] in self._local:
            return bool(root) and method in METHODS, False
        try:
            callee = self._namespace.resolve(path)
        except (KeyError, AttributeError):
            return False, False
        if isinstance(getattr(callee, "__self__", None), np.ndarray):
            return method in METHODS, False
        return self._pure(callee), _fresh(callee)

    def _pure(self, callee: Any) -> bool:
        try:
            if callee in BUILTINS:
                return True
        except TypeError:  # not hashable
            return False
        if getattr(callee, "__module__", "") == "math":
            return True
        marked: bool = getattr(callee, "__tangentlite_pure__", False) is True
        return marked or bool(self._is_pure(callee))


def _fresh(callee: Any) -> bool:
    """NumPy's ufuncs, the functions of ``math`` and conversions to numbers make new values."""
    if isinstance(callee, np.ufunc) or callee in (abs, bool, complex, float, int, len, range):
        return True
    if callee in MAKERS:
        return True
    return isinstance(callee, BuiltinFunctionType) and callee.__module__ == "math"
