"""Roots as SciPy finds them.

In: the name of a search, an equation, where it begins.
Out: roots, and what is said of them.
Next: areas.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def searched(name: str, f: Any, points: Any, args: Any, **options: Any) -> Any:
    """The root that a function of ``scipy.optimize`` finds, and what it says of it."""
    from scipy import optimize

    if any(options.get(slope) is True for slope in ("fprime", "fprime2", "jac")):
        raise TypeError(f"{name}() with an equation that gives its slope, too: write it apart")
    given = {key: value for key, value in options.items() if value is not None}
    search = getattr(optimize, name)
    if name in ("fsolve", "newton"):
        return (search(f, *points, args=args, **given),)
    if name == "root":
        told = search(f, *points, args=args, **given)
        return told.x, told.fun, told.success, told.status, told.message, told.nfev
    if name == "root_scalar":
        told = search(f, args=args, **given)
        return told.root, told.iterations, told.function_calls, told.converged, told.flag
    found, told = search(f, *points, args=args, full_output=True, **given)
    return found, told.iterations, told.function_calls, told.converged, told.flag


def sure_slope(slope: Any) -> Any:
    """The slope of an equation at its root; one that has none says nothing of how the root moves."""
    if np.any(np.equal(slope, 0.0)):
        raise ZeroDivisionError("a root where the equation has no slope has no derivative")
    return slope
