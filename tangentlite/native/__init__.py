"""Derivatives compiled to machine code: ``tl.grad(f, compile="numba")``.

In: a function, a request, what compiles.
Out: a ``Derivative`` whose sweeps are compiled when it is called first with arguments of some type.
Next: api.

The text is written for the number of dimensions of each argument. Checks and the finishing of gradients stay in
Python; the sweeps become one function in the words that Numba knows.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType, MethodType
from typing import Any

from tangentlite import arguments, guards, ir, syntax
from tangentlite.derivative import Derivative
from tangentlite.emit import Unit
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.methods import Bound, as_method, unseen
from tangentlite.observed import target

MISSING = "compile= needs Numba"
TRIES = 16
MEANINGS: tuple[str, ...] = (
    "overloads",
    "elementwise",
    "copies",
    "reductions",
    "choosing",
    "sums",
    "subscripts",
    "powers",
    "joints",
)
MEANINGS += ("matrices", "storing", "diagonals", "along", "listed", "lines", "products", "solving")
MEANINGS += ("scans", "slopes", "averages", "polynomials", "padding", "nested", "edges", "spheres")
INSERTED = "code inserted by `tl.insert_grad_of` is not compiled to machine code"


class Native(Derivative):
    """A derivative whose sweeps are machine code; ``compiler`` makes it of a function."""

    compiler: Callable[..., Any]
    _workshops: list[Any]
    _shops: dict[FunctionType, Any]
    _fronts: dict[tuple[FunctionType, guards.Guards, int], FunctionType]
    _tries: int

    def __new__(cls, primal: Callable[..., Any], request: ir.Request, compiler: Any) -> Native:
        self = super().__new__(cls, primal, request)
        assert isinstance(self, Native)
        self.compiler, self._workshops = compiler, []
        self._shops, self._fronts, self._tries = {}, {}, 0
        self._ranked = True
        self._compile_early()
        return self

    @property
    def kernels(self) -> str:
        """The text of what was compiled so far: the sweeps and their helpers, in the words of Numba."""
        texts = (text for workshop in self._workshops for text in workshop.texts)
        return "\n\n\n".join(dict.fromkeys(texts))

    def _opened(
        self,
        unit: Unit,
        primal: Any,
        outdated: guards.Watch | None = None,
        asks: bool = True,
    ) -> FunctionType:
        from tangentlite.native.workshop import Workshop

        refuse_inserted([unit, *self._units])
        workshop = Workshop(self.compiler, self._units)
        self._workshops.append(workshop)
        door = super()._opened(workshop.opened(unit), primal, outdated, asks)
        self._shops[door] = workshop
        return door

    def _fastest(self, units: Sequence[Unit], primal: Any) -> FunctionType:
        return self._opened(units[0], primal)

    def _shown(self) -> list[Unit]:
        return [unit.stepwise for unit in super()._shown()]

    def _of_numbers(self, args: tuple[Any, ...]) -> None:
        """Machine code has fronts of its own."""

    def _by_rank(self, /, *args: Any, **kwargs: Any) -> Any:
        """A call that looks at everything; the next one with such arguments need not."""
        result = super()._by_rank(*args, **kwargs)
        if not kwargs:
            self._shorten(args)
        return result

    def _shorten(self, args: tuple[Any, ...]) -> None:
        from tangentlite.native.fronts import front

        door: Any = self._doors.get(arguments.quickly(args))
        if door not in self._shops:
            return
        door_tree, waiting = self._shops[door].doors[0]
        key = door, self._guards, waiting.count
        now = next((k for k, made in self._fronts.items() if made is target(self)), None)
        if now is not None and (now == key or now[:2] != key[:2]):
            return
        if key not in self._fronts and self._tries < TRIES:
            self._tries += 1
            outdated = self._guards.watch()
            found = front(door_tree, waiting, args, self._by_rank, outdated)
            self._fronts |= {key: found} if found is not None else {}
        if key in self._fronts:
            self._point(self._fronts[key])

    @property
    def func(self) -> Any:
        """What calls go to that are not alike."""
        found = target(self)
        return self._by_rank if found in self._fronts.values() else found


def refuse_inserted(units: Iterable[Unit]) -> None:
    """Machine code does not print, raise or keep what inserted code does."""
    for part in (part for unit in units for part in unit.parts):
        for statement in syntax.statements(part.body):
            if isinstance(statement, syntax.Inserted):
                place = part.origin.place(statement)
                raise UnsupportedSyntaxError(INSERTED, place, "Leave compile= out.")


def compiled(function: Callable[..., Any], request: ir.Request, how: Any) -> Native:
    """The derivative of a function as machine code."""
    function = as_method(function)
    if isinstance(function, (MethodType, Bound)) or unseen(function) is not None:
        raise UnsupportedSyntaxError(
            f"compile= takes functions, and `{function.__qualname__}` is a method",
            None,
            "Write a function that takes what the method reads as arguments.",
        )
    return Native(function, request, compiler(how))


def compiler(how: Any) -> Any:
    """What ``compile=`` means: ``"numba"``, or a callable such as ``numba.njit(fastmath=True)``."""
    if how != "numba" and not callable(how):
        raise ValueError(f"compile= takes 'numba' or a callable, not {how!r}")
    try:
        import numba
    except ImportError:
        hint = "python -m pip install 'tangentlite[numba]'"
        raise UnsupportedSyntaxError(MISSING, None, hint) from None
    for name in MEANINGS:
        importlib.import_module(f"tangentlite.native.library.{name}")
    return how if callable(how) else numba.njit
