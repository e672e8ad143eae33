"""Gradient surgery: what the code of ``with tl.insert_grad_of(x) as dx:`` calls.

In: values of the primal, and their adjoints.
Out: adjoints as inserted code sees and leaves them; what it does to objects; ``stop_gradient``.
Next: the runtime.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.containers.objects import is_object, opened
from tangentlite.runtime.edges.finish import like
from tangentlite.runtime.memory.arrays import is_array
from tangentlite.runtime.shapes.broadcast import shape
from tangentlite.runtime.zero import ZERO


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
    if not is_array(x) and not isinstance(x, int | float | complex | np.number | np.bool_):
        raise TypeError(
            f"insert_grad_of() takes numbers and arrays, and was given {type(x).__name__}"
        )
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
