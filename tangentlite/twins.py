"""Functions that are made anew by the same code, again and again: ``tl.grad(lambda w: loss(w, batch))`` in a loop.

In: such a function, a request.
Out: a derivative that calls that of a twin, which was written once; what the function captures is lent to the twin.
Next: remembering.
"""

from __future__ import annotations

import dis
import linecache
import re
from collections import OrderedDict
from functools import lru_cache, partial
from threading import Lock
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

from tangentlite import ir, rules
from tangentlite.derivative import Derivative
from tangentlite.glances import look
from tangentlite.runtime.containers.objects import attributes
from tangentlite.sharing import NAME

MADE, LARGE = 64, 500
BINDING = ("STORE_DEREF", "DELETE_DEREF")
NONLOCAL = re.compile(r"\bnonlocal\s+([\w\s,]+?)\s*(?:[;#\n]|$)")
_nonlocal: dict[str, tuple[Any, frozenset[str]]] = {}
_twins: OrderedDict[Any, Twin | None] = OrderedDict()


class Twin:
    """A function like others of its code, with variables of its own, and its derivative."""

    def __init__(self, like: FunctionType, request: ir.Request) -> None:
        self.cells = tuple(CellType(cell.cell_contents) for cell in like.__closure__ or ())
        given = like.__globals__, like.__name__, None, self.cells  # defaults are passed
        self.function = FunctionType(like.__code__, *given)
        self.function.__qualname__, self.function.__module__ = like.__qualname__, like.__module__
        self.derivative = Derivative(self.function, request)
        self.lock = Lock()

    def borrows(self, function: FunctionType) -> bool:
        """Take what a function captures; whether each variable of it is bound."""
        try:
            for cell, own in zip(self.cells, function.__closure__ or ()):
                cell.cell_contents = own.cell_contents
        except ValueError:
            return False
        return True


class Again(Derivative):
    """The derivative of a function that has a twin; its own is written when it is looked at."""

    _twin: Twin

    def __new__(cls, primal: Any, request: ir.Request | None = None, twin: Any = None) -> Again:
        if twin is None:  # a profiler puts together again what it took apart
            return partial(primal)  # type: ignore[return-value]
        self: Any = super().__new__(cls, twin, request)  # the function need not be read
        self.primal, self._twin = primal, twin
        self.__name__ = self.__qualname__ = twin.derivative.__name__
        self.__doc__, self.__module__ = twin.derivative.__doc__, primal.__module__
        self._point(self._lent)
        return self  # type: ignore[no-any-return]

    def _compile_early(self) -> None:
        """What can be said before a call was said of the twin."""
        if self._units:
            super()._compile_early()

    @property
    def source(self) -> str:
        """The text that calls go to."""
        return super().source if self._units else self._twin.derivative.source

    @property
    def __func__(self) -> Any:
        """The function that runs, for debuggers and profilers."""
        return super().__func__ if self._units else self._twin.derivative.__func__

    def _lent(self, /, *args: Any, **kwargs: Any) -> Any:
        """A call of the twin, with what is captured now; where that is busy, of the function's own derivative."""
        twin = self._twin
        if not twin.lock.acquire(blocking=False):
            return self._checked(*args, **kwargs)
        try:
            if twin.borrows(self.primal):
                return twin.derivative(*args, **_filled(self.primal, args, kwargs))
        finally:
            twin.lock.release()
        return self._checked(*args, **kwargs)


def _filled(function: FunctionType, args: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """What a function is called with by name, with its defaults.

    >>> _filled(lambda x, k=2.0, *, n=3: x, (1.0,), {"n": 4})
    {'k': 2.0, 'n': 4}
    """
    code, defaults = function.__code__, function.__defaults__ or ()
    if not defaults and not function.__kwdefaults__:
        return named
    names = code.co_varnames[: code.co_argcount]
    usual = dict(list(zip(names[::-1], defaults[::-1]))[::-1]) | (function.__kwdefaults__ or {})
    return {**{n: v for n, v in usual.items() if n not in names[: len(args)]}, **named}


def of(function: Any, request: ir.Request) -> Twin | None:
    """The twin of a function, if the derivative of another one of its code was written before.

    >>> def times(k):
    ...     return lambda x: k * x
    >>> request = ir.Request(wrt=("x",))
    >>> of(times(1.0), request), note(times(1.0), request)
    (None, None)
    >>> second, third = of(times(2.0), request), of(times(3.0), request)
    >>> second is third, third.derivative(1.0)
    (True, 2.0)
    """
    if not isinstance(function, FunctionType):
        return None
    key = _key(function, request)
    if key not in _twins or not _is_plain(function, request):
        return None
    _twins.move_to_end(key)
    twin = _twins[key]
    if twin is None or twin.function.__globals__ is not function.__globals__:
        twin = _twins[key] = Twin(function, request)
    return twin


def note(function: Any, request: ir.Request) -> None:
    """Remember that the derivative of a function was written."""
    if isinstance(function, FunctionType):
        _twins.setdefault(_key(function, request), None)
    if len(_twins) > MADE:
        _twins.popitem(last=False)


def _key(function: FunctionType, request: ir.Request) -> Any:
    return function.__code__, id(function.__globals__), request, rules.version()


def _is_plain(function: FunctionType, request: ir.Request) -> bool:
    """Whether nothing tells it from its twin: what it captures is data, and is read when it is called only."""
    code = function.__code__
    if request.motion != "joint" or request.has_aux or not _reads(code):
        return False
    if code.co_posonlyargcount or vars(function).keys() - {NAME}:
        return False
    if code.co_freevars and not _rebound(code.co_filename).isdisjoint(code.co_freevars):
        return False
    defaults = *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()
    try:
        return _are_data([*defaults, *(cell.cell_contents for cell in function.__closure__ or ())])
    except (ValueError, LookupError):  # a variable that is not bound yet
        return False


@lru_cache(MADE)
def _reads(code: CodeType) -> bool:
    """Whether no variable that is captured is bound again, in functions inside neither."""
    captured, waiting = set(code.co_freevars), [code]
    for inner in waiting:
        if not captured.isdisjoint(inner.co_freevars):
            steps = dis.get_instructions(inner)
            if any(s.opname in BINDING and s.argval in captured for s in steps):
                return False
        waiting += [c for c in inner.co_consts if isinstance(c, CodeType)]
    return True


def _rebound(file: str) -> frozenset[str]:
    """The variables that functions of a file bind from inside: whoever is called then may bind them again."""
    lines = linecache.getlines(file)
    known, names = _nonlocal.get(file, (None, frozenset[str]()))
    if known is not lines:
        found = NONLOCAL.findall("".join(lines).replace("\\\n", " "))
        names = frozenset(name.strip() for line in found for name in line.split(","))
        _nonlocal[file] = lines, names
    return names


def _are_data(waiting: list[Any]) -> bool:
    """Whether no function is among some values, and in them, that captures variables itself."""
    seen = set[int]()
    for part in waiting:
        how = look(type(part))
        if how == "value" and not _is_free(part):
            return False
        if how in ("type", "value", "array") or id(part) in seen:
            continue
        if len(seen) > LARGE:
            return False
        seen.add(id(part))
        if how == "object" and "<locals>" in type(part).__qualname__:
            return False
        held = attributes(part) if how == "object" else part
        waiting += held if how == "items" else held.values()
    return True


def _is_free(value: Any) -> bool:
    """Whether a function or a class captures no variables."""
    if isinstance(value, FunctionType):
        return value.__closure__ is None
    if isinstance(value, MethodType | partial):
        return False
    return "<locals>" not in getattr(value, "__qualname__", "")
