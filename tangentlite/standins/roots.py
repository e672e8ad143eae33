"""``scipy.optimize``: roots of equations. They move with what the equation holds, not with where the search began.

``f(x, p) = 0``, hence ``dx = -f_p dp / f_x``, where the slopes are taken at the root: in a second derivative they move
with it, by the same rule.

In: arguments of SciPy's functions.
Out: stand-ins.
Next: areas.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.standins.table import later, read_for, stands_for

SMALL = 8.881784197001252e-16
jvp = later("jvp")


class Found:
    """What SciPy says of a search."""

    def __init__(self, root, iterations, function_calls, converged, flag):
        self.root = root
        self.iterations = iterations
        self.function_calls = function_calls
        self.converged = converged
        self.flag = flag


class Solved:
    """What SciPy says of a system of equations."""

    def __init__(self, x, fun, success, status, message, nfev):
        self.x = x
        self.fun = fun
        self.success = success
        self.status = status
        self.message = message
        self.nfev = nfev


@read_for(rt.attached)
def attached(f, x, args):
    """The root ``x`` of ``f(x, *args)``: what is read of it is pinned, in one derivative, and moves in the next."""
    x = rt.pinned(rt.attached(f, x, args))
    rest = f(x, *args)
    slope = jvp(f)(x, *args, tangent=0.0 * x + 1.0)[1]
    return rt.moved(x, rest, rt.sure_slope(slope, rest, x))


@read_for(rt.all_attached)
def all_attached(f, x, args):
    """The same of as many equations as there are unknowns."""
    x = rt.pinned(rt.all_attached(f, x, args))
    rest = equations(x, f, args)
    slope = rt.sure_slope(jacobian(x, f, args), rest, x)
    return rt.all_moved(x, rest, slope)


def equations(x, f, args):
    """What is left of each equation."""
    return np.ravel(np.asarray(f(x, *args)))


def jacobian(x, f, args):
    """The slopes of all equations, a column for each unknown."""
    columns = [jvp(equations)(x, f, args, tangent=unit)[1] for unit in rt.basis(x)]
    return np.stack(columns, axis=-1)


@stands_for("scipy.optimize.brentq")
def brentq(f, a, b, args=(), xtol=2e-12, rtol=SMALL, maxiter=100, *, disp=True):
    """Between two points, by inverse quadratic interpolation."""
    return _between("brentq", f, a, b, args, xtol, rtol, maxiter, disp)


@stands_for("scipy.optimize.brenth")
def brenth(f, a, b, args=(), xtol=2e-12, rtol=SMALL, maxiter=100, *, disp=True):
    """By hyperbolic extrapolation."""
    return _between("brenth", f, a, b, args, xtol, rtol, maxiter, disp)


@stands_for("scipy.optimize.bisect")
def bisect(f, a, b, args=(), xtol=2e-12, rtol=SMALL, maxiter=100, *, disp=True):
    """By halves."""
    return _between("bisect", f, a, b, args, xtol, rtol, maxiter, disp)


@stands_for("scipy.optimize.ridder")
def ridder(f, a, b, args=(), xtol=2e-12, rtol=SMALL, maxiter=100, *, disp=True):
    """By exponentials."""
    return _between("ridder", f, a, b, args, xtol, rtol, maxiter, disp)


@stands_for("scipy.optimize.toms748")
def toms748(f, a, b, args=(), k=1, xtol=2e-12, rtol=SMALL, maxiter=100, *, disp=True):
    """By cubic interpolation."""
    return _between("toms748", f, a, b, args, xtol, rtol, maxiter, disp, k)


@stands_for("scipy.optimize.brentq", full_output=True)
def brentq_told(f, a, b, args=(), xtol=2e-12, rtol=SMALL, maxiter=100, full_output=True, disp=True):
    """With what is said of the search."""
    if not isinstance(args, tuple):
        args = (args,)
    found = rt.searched("brentq", f, (a, b), args, xtol=xtol, rtol=rtol, maxiter=maxiter, disp=disp)
    x = rt.attached(f, found[0], args)
    return x, Found(x, found[1], found[2], found[3], found[4])


def _between(name, f, a, b, args, xtol, rtol, maxiter, disp, k=None):
    """What a search between two points finds."""
    if not isinstance(args, tuple):
        args = (args,)
    found = rt.searched(
        name, f, (a, b), args, k=k, xtol=xtol, rtol=rtol, maxiter=maxiter, disp=disp
    )
    return rt.attached(f, found[0], args)


@stands_for("scipy.optimize.newton")
def newton(
    func,
    x0,
    fprime=None,
    args=(),
    tol=1.48e-8,
    maxiter=50,
    fprime2=None,
    x1=None,
    rtol=0.0,
    *,
    disp=True,
):
    """By Newton's steps, by secants, or by Halley's; of arrays, for each element."""
    if not isinstance(args, tuple):
        args = (args,)
    found = rt.searched(
        "newton",
        func,
        (x0,),
        args,
        fprime=fprime,
        fprime2=fprime2,
        x1=x1,
        tol=tol,
        rtol=rtol,
        maxiter=maxiter,
        disp=disp,
    )
    return rt.attached(func, found[0], args)


@stands_for("scipy.optimize.root_scalar")
def root_scalar(
    f,
    args=(),
    method=None,
    bracket=None,
    fprime=None,
    fprime2=None,
    x0=None,
    x1=None,
    xtol=None,
    rtol=None,
    maxiter=None,
    options=None,
):
    """By any of these."""
    if not isinstance(args, tuple):
        args = (args,)
    found = rt.searched(
        "root_scalar",
        f,
        (),
        args,
        method=method,
        bracket=bracket,
        fprime=fprime,
        fprime2=fprime2,
        x0=x0,
        x1=x1,
        xtol=xtol,
        rtol=rtol,
        maxiter=maxiter,
        options=options,
    )
    x = rt.attached(f, found[0], args)
    return Found(x, found[1], found[2], found[3], found[4])


@stands_for("scipy.optimize.fsolve")
def fsolve(
    func,
    x0,
    args=(),
    fprime=None,
    *,
    col_deriv=0,
    xtol=1.49012e-8,
    maxfev=0,
    band=None,
    epsfcn=None,
    factor=100,
    diag=None,
):
    """Of several unknowns, by Powell's method."""
    if not isinstance(args, tuple):
        args = (args,)
    found = rt.searched(
        "fsolve",
        func,
        (x0,),
        args,
        fprime=fprime,
        col_deriv=col_deriv,
        xtol=xtol,
        maxfev=maxfev,
        band=band,
        epsfcn=epsfcn,
        factor=factor,
        diag=diag,
    )
    return rt.all_attached(func, found[0], args)


@stands_for("scipy.optimize.root")
def root(fun, x0, args=(), method="hybr", jac=None, tol=None, *, options=None):
    """Of several unknowns, by any method."""
    if not isinstance(args, tuple):
        args = (args,)
    found = rt.searched("root", fun, (x0,), args, method=method, jac=jac, tol=tol, options=options)
    x = rt.all_attached(fun, found[0], args)
    return Solved(x, found[1], found[2], found[3], found[4], found[5])
