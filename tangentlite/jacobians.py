"""Jacobians in the language of the compiler: what ``jacfwd``, ``jacrev`` and ``hvp`` mean in differentiated code.

In: the function that gives one column or one row.
Out: a function that gives all.
Next: api.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any

import numpy as np

from tangentlite import runtime as rt


def by_columns(push: Callable[..., Any], place: int, name: str) -> Callable[..., Any]:
    """The Jacobian from ``push(*args, tangent=v)``, which gives the value and the derivative along ``v``."""

    def jacobian(*args: Any, **given: Any) -> Any:
        x = args[place] if len(args) > place else given[name]
        columns = [push(*args, tangent=unit, **given)[1] for unit in rt.basis(x)]
        return np.reshape(np.stack(columns, axis=-1), np.shape(columns[0]) + np.shape(x))

    return jacobian


def by_rows(pull: Callable[..., Any], place: int, name: str) -> Callable[..., Any]:
    """The Jacobian from ``pull(*args)``, which gives the value and the pullback."""

    def jacobian(*args: Any, **given: Any) -> Any:
        x = args[place] if len(args) > place else given[name]
        y, back = pull(*args, **given)
        rows = [back(unit) for unit in rt.basis(y)]
        return np.reshape(np.stack(rows), np.shape(y) + np.shape(x))

    return jacobian


def of_closure(product: Callable[..., Any]) -> Callable[..., Any]:
    """The product for a function that holds values, which come first, in a tuple."""

    def times(held: Any, x: Any, v: Any, *rest: Any, **kwargs: Any) -> Any:
        return product(*held, x, *rest, tangent=v, **kwargs)

    vars(times)["__together__"] = True
    return times


def called_like(
    f: Callable[..., Any], made: Callable[..., Any], plain: Callable[..., Any] | None
) -> Callable[..., Any]:
    """``made``, which is differentiated as a function of what ``f`` takes; ``plain`` says it to the compiler."""
    if plain is not None:
        vars(made)["__plain__"] = plain
        if not isinstance(f, MethodType):
            vars(made)["__wrapped__"] = f
    return made
