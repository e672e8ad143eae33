"""Roots as SciPy finds them.

In: the name of a search, an equation, where it begins.
Out: roots, and what is said of them.
Next: areas.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.errors import DerivativeError

FLAT = "an equation has no slope at its root, which has no derivative there"
TURN = "Solve it elsewhere, or divide it by what makes it flat."
NO_ROOT = "a search ended where the equation has no root: a jump, or it did not converge"


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


def sure_slope(slope: Any, rest: Any, x: Any) -> Any:
    """The slope of equations at their root; what is none, or has no slope, says nothing of how the root moves."""
    if np.ndim(slope) == 2:
        if np.linalg.matrix_rank(slope) < len(slope):
            raise DerivativeError(FLAT, None, TURN)
        step = np.linalg.solve(slope, rest)
    else:
        if np.any(np.equal(slope, 0.0)):
            raise DerivativeError(FLAT, None, TURN)
        step = rest / slope
    if np.any(np.abs(step) > 1e-4 * np.max(np.abs(x)) + 1e-6):
        raise DerivativeError(
            NO_ROOT, None, "Begin the search where it finds one, or narrow `tol`."
        )
    return slope


def attached(f: Any, x: Any, args: Any) -> Any:
    """The root ``x`` of ``f(x, *args)``, as it moves with ``f`` and ``args``: derivatives are those of a stand-in."""
    return x


def all_attached(f: Any, x: Any, args: Any) -> Any:
    """The same of several equations."""
    return x


def pinned(x: Any) -> Any:
    """A value without derivative; the derivative reads the value itself, which has one when it is differentiated."""
    return x


def moved(x: Any, rest: Any, slope: Any) -> Any:
    """The root ``x`` of an equation with this ``slope``, as it moves with the ``rest`` there."""
    return +x


def all_moved(x: Any, rest: Any, slope: Any) -> Any:
    """The same of several equations, and their Jacobian."""
    return +x
