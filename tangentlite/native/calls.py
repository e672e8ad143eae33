"""How kernels are called: which one, with which arrays for its results, and what is said when Numba refuses.

In: the tree of a kernel, arguments.
Out: its results.
Next: workshop, fronts.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from tangentlite.compiling import function_of
from tangentlite.emit.module import register
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.ir import Namespace
from tangentlite.native.kernel import meaning_in
from tangentlite.native.library.copies import SHARED
from tangentlite.native.looping.nests import MISMATCH, SINGLE
from tangentlite.native.memory.widening import given_back, widened
from tangentlite.native.refusing import LEAVE_OUT, refusal

NO_SCIPY = "Numba needs SciPy for linear algebra"
INSTALL = "python -m pip install scipy"
REFUSALS = NumbaError, UnsupportedBytecodeError, NotImplementedError
FAULTS = AssertionError, AttributeError, KeyError, RecursionError, ValueError
Alike = tuple[int, ...]
Few = tuple[tuple[tuple[int, int], ...], ...]
SHORT = range(2, 5)


class Call:
    """A compiled kernel, and the statements ``around`` that call it: they make the arrays that it fills.

    ``alike``: which arguments must have one shape. ``few``: for each argument the lengths that short axes must have.
    """

    def __init__(
        self,
        kernel: Any,
        name: str,
        params: ast.arguments,
        around: list[ast.stmt],
        space: Namespace,
        alike: Alike,
        few: Few,
    ) -> None:
        self.kernel, self.name, self.params, self.around = kernel, name, params, around
        self.space, self.alike, self.few = space, alike, few
        self.run = self._function()

    @property
    def made(self) -> dict[str, ast.expr]:
        """How the arrays for the results are made, by name."""
        plain = [s for s in self.around[:-2] if isinstance(s, ast.Assign)]
        return {s.targets[0].id: s.value for s in plain if isinstance(s.targets[0], ast.Name)}

    def scope(self) -> dict[str, Any]:
        """What the names in the statements mean."""
        read = {n.id for s in self.around for n in ast.walk(s) if isinstance(n, ast.Name)}
        found = {n: self.space.lookup(n) for n in read if n != self.name and self.space.binds(n)}
        return {"__builtins__": builtins, **found, self.name: self.kernel}

    def _function(self) -> FunctionType:
        tree: Any = ast.parse(f"def {self.name}_call(): pass").body[0]
        tree.args, tree.body = self.params, copy.deepcopy(self.around)
        text = ast.unparse(ast.fix_missing_locations(tree))
        (tree,) = ast.parse(text).body
        return function_of(tree, register(text, tree.name), {}, self.scope())


class Waiting:
    """A kernel, compiled when arguments of some types, and with these axes of length one, come first.

    ``count``: how often it was compiled.
    """

    def __init__(
        self, make: Callable[..., Call], tree: ast.FunctionDef, space: Namespace, text: str
    ) -> None:
        self._make, self._tree, self.space, self._text = make, tree, space, text
        self._calls: dict[tuple[Any, ...], list[Call]] = {}
        self._wide: set[tuple[Any, ...]] = set()
        self.count = 0
        self.params = [a.arg for a in tree.args.args]
        self._arrays = set(_asked(tree))

    def __call__(self, *args: Any) -> Any:
        args = tuple([self._number(p, a) for p, a in zip(self.params, args)])
        try:
            return self._called(args)
        except Exception as fault:
            self._no_list(fault, args)
            self.explain(fault)
            raise

    def _number(self, param: str, value: Any) -> Any:
        """Of an array of no dimension the number, if it is asked for nothing that only arrays have."""
        plain = type(value) is np.ndarray and not value.ndim and param not in self._arrays
        return value[()] if plain else value

    def _no_list(self, fault: Exception, args: tuple[Any, ...]) -> None:
        """Lists and tuples are asked for what arrays have."""
        named, name = list(zip(self.params, args)), self._tree.name.removesuffix("_kernel")
        lists = [(p, type(a).__name__) for p, a in named if isinstance(a, list | tuple | dict)]
        if isinstance(fault, AttributeError) and lists:
            param, kind = lists[0]
            reason = f"`{name}`: `{param}` is a {kind}, which compile= does not take here"
            raise UnsupportedSyntaxError(reason, None, "Pass an array: np.array(x).") from fault
        nested = [p for p, a in named if isinstance(a, list) and any(type(v) is list for v in a)]
        if isinstance(fault, TypeError) and nested:
            reason = f"`{name}`: `{nested[0]}` is a list of lists, which Numba does not take"
            raise UnsupportedSyntaxError(
                reason, None, "Pass a list of tuples, or arrays."
            ) from fault

    def _called(self, args: tuple[Any, ...]) -> Any:
        """In double precision if Numba refuses single precision, which some name holds beside it."""
        key = _key(args)
        if key not in self._wide:
            try:
                return self._run(args)
            except NumbaError:
                wide = widened(args)
                if wide is None:
                    raise
                results = self._run(wide)
                self._wide.add(key)
                return given_back(results, args, wide)
        wide = widened(args)
        return given_back(self._run(wide), args, wide) if wide else self._run(args)

    def _run(self, args: tuple[Any, ...]) -> Any:
        key = _key(args)
        call = self._known(key, args)
        if call is None:
            calls = self._calls.setdefault(key, [])
            shapes = alike(args, calls[-1].alike if calls else (0,) * len(args))
            short = few(args, calls[-1].few if calls else None)
            call = self._make(copy.deepcopy(self._tree), self.space, args, shapes, short)
            calls.append(call)
            self.count += 1
        return call.run(*args)

    def _known(self, key: tuple[Any, ...], args: tuple[Any, ...]) -> Call | None:
        """The first call for such arguments: those that follow ask for fewer equal shapes and short axes."""
        for call in self._calls.get(key, ()):
            if alike(args, call.alike) == call.alike and few(args, call.few) == call.few:
                return call
        return None

    def known(self, args: tuple[Any, ...]) -> Call | None:
        """The call for arguments like these, if there was one."""
        key = _key(args)
        return None if key in self._wide else self._known(key, args)

    def explain(self, fault: Exception) -> None:
        """Raise what is to be said instead of what Numba says."""
        if isinstance(fault, ImportError):
            raise UnsupportedSyntaxError(NO_SCIPY, None, INSTALL) from fault
        if isinstance(fault, REFUSALS) or _is_of_numba(fault):
            raise refusal(fault, self._tree, meaning_in(self.space), self._text) from fault
        if isinstance(fault, ValueError) and str(fault) in (MISMATCH, SHARED, SINGLE):
            name = self._tree.name.removesuffix("_kernel")
            raise UnsupportedSyntaxError(f"`{name}`: {fault}", None, LEAVE_OUT) from None


def _asked(tree: ast.FunctionDef) -> Iterator[str]:
    """The names of which elements or attributes are met, ``x[()]`` and ``x.size``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.value, ast.Name):
            yield node.value.id


def _is_of_numba(fault: Exception) -> bool:
    """Whether an exception came out of Numba's own code: that of a kernel comes out of its call."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    name = trace.tb_frame.f_globals.get("__name__", "") if trace is not None else ""
    return isinstance(fault, FAULTS) and (str(name).startswith("numba."))


def _key(args: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([(a.dtype.char, 1 in a.shape and ones(a)) for a in args if type(a) is np.ndarray])


def alike(args: tuple[Any, ...], before: Alike) -> Alike:
    """For each argument the first one that has its shape, of those that had one shape ``before``.

    >>> x, y, z = np.ones(2), np.ones(2), np.ones(3)
    >>> alike((x, y, 2.0, z), (0, 0, 0, 0)), alike((x, y, 2.0, x), (0, 0, 2, 3))
    ((0, 0, 2, 3), (0, 0, 2, 3))
    """
    met: dict[Any, int] = {}
    keys = ((b, getattr(a, "shape", ()) or k) for k, (a, b) in enumerate(zip(args, before)))
    return tuple([met.setdefault(key, k) for k, key in enumerate(keys)])


def few(args: tuple[Any, ...], before: Few | None = None) -> Few:
    """For each argument the short axes behind a long one, and their lengths, of those that had them ``before``.

    >>> x, y = np.ones((9, 3)), np.ones((9, 2))
    >>> few((x, y, 2.0)), few((x, x, 2.0), (((1, 3),), ((1, 2),), ()))
    ((((1, 3),), ((1, 2),), ()), (((1, 3),), (), ()))
    """
    if before is not None:
        return tuple(
            [tuple([p for p in short if a.shape[p[0]] == p[1]]) for a, short in zip(args, before)]
        )
    return tuple(_short(a) if isinstance(a, np.ndarray) else () for a in args)


def _short(array: np.ndarray[Any, Any]) -> tuple[tuple[int, int], ...]:
    pairs = enumerate(array.shape)
    long = array.ndim > 1 and array.shape[0] not in range(SHORT.stop)
    return tuple((axis, n) for axis, n in pairs if axis and n in SHORT) if long else ()


def ones(array: np.ndarray[Any, Any]) -> tuple[int, ...]:
    """The axes of length one."""
    return tuple(axis for axis, length in enumerate(array.shape) if length == 1)
