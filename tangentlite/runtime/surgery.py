"""Gradient surgery: what ``with tl.insert_grad_of(x) as dx:`` does when nobody differentiates, and what its code calls.

In: values of the primal, and their adjoints.
Out: a context manager that skips its body; adjoints as inserted code sees and leaves them; ``stop_gradient``.
Next: the runtime.
"""

from __future__ import annotations

import sys
from types import FrameType, FunctionType, MethodType, TracebackType
from typing import Any

import numpy as np

from tangentlite.runtime.arrays import is_array
from tangentlite.runtime.broadcast import shape
from tangentlite.runtime.finish import like
from tangentlite.runtime.objects import is_object, opened
from tangentlite.runtime.zero import ZERO

UNSKIPPED = (
    "the body of `with tl.insert_grad_of(...)` has run although nothing was differentiated: "
    "this interpreter cannot skip it. Call `tl.primal(f)` instead of `f`."
)


class Skipped(BaseException):
    """Raised where the body would begin."""


def _untraced(frame: FrameType, event: str, argument: Any) -> None:
    """No new frame is traced while a body is skipped."""


def _skip(frame: FrameType, event: str, argument: Any) -> Any:
    """The first thing that happens after ``__enter__``, be it the binding of ``dx``."""
    if event == "return":
        return _skip
    raise Skipped


class insert_grad_of:
    """``with tl.insert_grad_of(x) as dx:`` puts its body where the backward sweep has the adjoint of x.

    The body runs in derivatives only. When the function itself is called it is skipped.

    >>> def f(x):
    ...     with insert_grad_of(x) as dx:
    ...         print("never")
    ...     return x * x
    >>> f(3.0)
    9.0
    """

    __slots__ = ("_local", "_opcodes", "_tracer")

    def __init__(self, *values: Any) -> None:
        if not values:
            raise TypeError("insert_grad_of() takes the values whose adjoints are meant")

    def __enter__(self) -> Any:
        frame = sys._getframe(1)
        self._tracer: Any = sys.gettrace()
        self._local: Any = frame.f_trace
        self._opcodes = frame.f_trace_opcodes
        frame.f_trace, frame.f_trace_opcodes = _skip, True
        sys.settrace(_untraced)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> bool:
        frame, tracer = sys._getframe(1), self._tracer
        if kind is Skipped or kind is None:
            compiled = tracer is not None and not isinstance(tracer, (FunctionType, MethodType))
            frame.f_trace_opcodes = self._opcodes
            sys.settrace(tracer)
            # A tracer written in C comes back by way of its local trace function.
            frame.f_trace = tracer if compiled and self._local is None else self._local
        if kind is None:
            raise RuntimeError(UNSKIPPED)
        return kind is Skipped


def stop_gradient(x: Any) -> Any:
    """The value of ``x``, through which no derivative flows; arrays are copied.

    >>> stop_gradient(2.0), stop_gradient([np.ones(2), 1])
    (2.0, [array([1., 1.]), 1])
    """
    if is_array(x):
        return x.copy()
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*map(stop_gradient, x))
    if type(x) in (list, tuple):
        return type(x)(map(stop_gradient, x))
    if type(x) is dict:
        return {key: stop_gradient(part) for key, part in x.items()}
    if is_object(x):
        raise TypeError(f"stop_gradient() takes no {type(x).__name__}: give it what is in it")
    return x


def complete(bx: Any, x: Any, own: bool = False) -> Any:
    """The adjoint ``bx`` as inserted code sees it: a number or an array as ``x`` is; ``own``: of its own.

    >>> from tangentlite.runtime.zero import ZERO
    >>> complete(ZERO, np.ones(2)), complete(1.0, 3)
    (array([0., 0.]), 1.0)
    """
    if type(bx) is float and type(x) is float:
        return bx
    found = like(bx, x)
    return found.copy() if own and found is bx and isinstance(found, np.ndarray) else found


def replaced(dx: Any, x: Any, own: bool = False) -> Any:
    """The adjoint that inserted code leaves, in the shape and type of ``x``.

    >>> replaced(10, np.ones(2)), replaced(np.float64(2.0), 1.0)
    (array([10., 10.]), 2.0)
    """
    if type(dx) is float and type(x) is float:
        return dx
    if dx is not ZERO and np.asarray(dx).dtype.kind not in "fciub":
        raise TypeError(f"inserted code leaves {type(dx).__name__} as the adjoint")
    found, wanted = shape(dx), shape(x)
    if found not in ((), wanted):
        raise ValueError(
            f"inserted code leaves an adjoint of shape {found} for a value of {wanted}"
        )
    if np.iscomplexobj(dx) and not np.iscomplexobj(x):
        raise TypeError("inserted code leaves a complex adjoint for a real value")
    return complete(dx, x, own)


def watched(effects: Any) -> list[Any]:
    """What the copies of the user's objects hold before inserted code runs."""
    return [_content(copy) for copy in effects.copies]


def keep(effects: Any, seen: list[Any]) -> None:
    """What inserted code has changed since ``watched`` is to be seen in the user's own objects."""
    own = {id(copy): old for (old, _), copy in zip(effects, effects.copies)}
    for (_, parts), copy, before in zip(effects, effects.copies, seen):
        now = _content(copy)
        if isinstance(now, np.ndarray):
            if not np.array_equal(now, before):
                parts[...] = now
        elif isinstance(now, dict):
            for key in now.keys() | before.keys():
                if key not in now:
                    parts.pop(key, None)
                elif key not in before or now[key] is not before[key]:
                    parts[key] = own.get(id(now[key]), now[key])
        elif len(now) != len(before) or any(a is not b for a, b in zip(now, before)):
            grown = len(now) > len(before) and all(a is b for a, b in zip(now, before))
            parts[len(parts) if grown else 0 :] = [
                own.get(id(part), part) for part in now[len(before) if grown else 0 :]
            ]


def _content(copy: Any) -> Any:
    if isinstance(copy, np.ndarray):
        return copy.copy()
    parts = opened(copy)
    return dict(parts) if isinstance(parts, dict) else list(parts)
