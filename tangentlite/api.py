"""What users call.

In: functions.
Out: derivatives.
Next: cli.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from tangentlite import ir, native, pipeline, runtime, traveled as _traveled  # noqa: F401
from tangentlite.derivative import Derivative, general
from tangentlite.errors import SourceUnavailableError
from tangentlite.jacobians import by_columns, by_rows, called_like, of_closure
from tangentlite.methods import as_method, derivative, unseen

Wrt = int | str | tuple[int | str, ...]
Function = Callable[..., Any]


def grad(f: Function | None = None, wrt: Wrt = 0, **options: Any) -> Any:
    """The gradient of ``f`` with respect to one or several of its parameters.

    >>> def f(x):
    ...     return x * x
    >>> grad(f)(3.0)
    6.0

    Also a decorator, plain or with arguments: then the name is the gradient, and ``.primal`` your function.

    ``wrt``: a position, a name, or a tuple of them (a tuple gives a tuple); ``argnums`` is a synonym.
    ``has_aux``: f returns (value, aux), the result is (gradient, aux).
    ``name``: what the generated function is called.
    ``compile``: ``"numba"``, or a compiler such as ``numba.njit(fastmath=True)``: the sweeps become machine code.
    ``optimized``: False for the text as the rules give it. ``verbose``: 1 prints the text.
    """
    return _gradient(f, wrt, "gradient", options)


def value_and_grad(f: Function | None = None, wrt: Wrt = 0, **options: Any) -> Any:
    """Like ``grad``; returns (value, gradient), with ``has_aux`` ((value, aux), gradient).

    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    return _gradient(f, wrt, "value, gradient", options)


def _gradient(f: Function | None, wrt: Wrt, output: ir.Output, options: dict[str, Any]) -> Any:
    if f is None:
        return lambda function: _gradient(function, wrt, output, options)
    known = {"argnums", "compile", "has_aux", "name", "optimized", "verbose"}
    if unknown := set(options) - known:
        raise TypeError(
            f"unexpected argument {sorted(unknown)[0]!r}; known are wrt, {', '.join(sorted(known))}"
        )
    if "argnums" in options and options["argnums"] is not None:
        if wrt != 0:
            raise TypeError("wrt and argnums are the same thing; give one of them")
        wrt = options["argnums"]
    names, several = parameters(f, wrt)
    request = ir.Request(
        wrt=names,
        several=several,
        output=output,
        has_aux=bool(options.get("has_aux", False)),
        name=options.get("name"),
        optimized=bool(options.get("optimized", True)),
    )
    how = options.get("compile")
    made = derivative(f, request) if how is None else native.compiled(f, request, how)
    return _shown(made, options.get("verbose", 0))


def _shown(made: Derivative, verbose: int) -> Derivative:
    if verbose:
        print(made.source)
    return made


def parameters(f: Function, wrt: Wrt) -> tuple[tuple[str, ...], bool]:
    """The names that ``wrt`` means, and whether it was a tuple."""
    if not callable(f):
        raise TypeError(f"a function is needed, not {type(f).__name__}")
    several = isinstance(wrt, (tuple, list))
    wanted = tuple(wrt) if isinstance(wrt, (tuple, list)) else (wrt,)
    f = as_method(f)
    try:
        known = list(inspect.signature(f).parameters.values())
    except ValueError:
        raise SourceUnavailableError(
            f"`{getattr(f, '__name__', f)}` has no Python source",
            None,
            "Wrap the call in a Python function.",
        ) from None
    names = tuple(_parameter(f, known, w) for w in wanted)
    if not names:
        raise ValueError("wrt is empty: name at least one parameter")
    if len(set(names)) < len(names):
        raise ValueError(f"wrt names a parameter twice: {wrt!r}")
    return names, several


def _parameter(f: Function, known: list[inspect.Parameter], wanted: int | str) -> str:
    name = getattr(f, "__name__", "the function")
    if isinstance(wanted, str):
        if wanted == unseen(f):
            return wanted
        if wanted not in [p.name for p in known]:
            raise ValueError(
                f"{name} has no parameter {wanted!r}; it has {', '.join(p.name for p in known)}"
            )
        return wanted
    if isinstance(wanted, bool) or not isinstance(wanted, (int, np.integer)):
        raise TypeError(f"wrt takes positions and names, not {wanted!r}")
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    positional = [p.name for p in known if p.kind in plain and p.name != unseen(f)]
    more = [p.name for p in known if p.kind is inspect.Parameter.VAR_POSITIONAL]
    if more and wanted >= len(positional):
        raise ValueError(f"{name} takes it in *{more[0]}: wrt={more[0]!r} is all of those")
    if not -len(positional) <= wanted < len(positional):
        raise ValueError(
            f"{name} takes {len(positional)} positional arguments; there is none at {wanted}"
        )
    return positional[wanted]


def autodiff(
    f: Function,
    wrt: Wrt = 0,
    *,
    mode: ir.Mode = "reverse",
    motion: ir.Motion = "joint",
    preserve_result: bool = False,
    check_dims: bool = True,
    input_derivative: Literal["one", "required"] = "one",
    optimized: bool = True,
    verbose: int = 0,
) -> Any:
    """The derivative in any form.

    >>> autodiff(lambda x: x * x, preserve_result=True)(3.0)
    (6.0, 9.0)

    ``mode``: "reverse", or "forward" for tangents. ``motion``: "split" for (forward, backward).
    ``preserve_result``: the result is (gradient, value). ``check_dims``: whether the shape of the seed is checked.
    ``input_derivative``: "one" if the seed may be left out, "required" if not.
    """
    _one_of(mode, "reverse", "forward")
    _one_of(motion, "joint", "split")
    _one_of(input_derivative, "one", "required")
    if mode == "forward" and motion == "split":
        raise ValueError("forward mode has one sweep: there is nothing to split")
    names, several = parameters(f, wrt)
    request = ir.Request(
        mode=mode,
        motion=motion,
        wrt=names,
        several=several,
        output="gradient, value" if preserve_result else "gradient",
        seed=input_derivative,
        check_dims=check_dims,
        optimized=optimized,
    )
    found = _shown(derivative(f, request), verbose)
    return found.functions if motion == "split" else found


def _one_of(word: str, *known: str) -> None:
    if word not in known:
        raise ValueError(f"{word!r} is neither {known[0]!r} nor {known[1]!r}")


def vjp(f: Function, *, wrt: Wrt = 0) -> Function:
    """``vjp(f)(*args)`` is (value, pullback); ``pullback(seed)`` is the gradient, as often as you like.

    >>> value, pullback = vjp(lambda x: x * x)(3.0)
    >>> value, pullback(1.0), pullback(10.0)
    (9.0, 6.0, 60.0)

    Arrays among the arguments must be left as they are until then: the pullback reads them.
    """
    names, several = parameters(f, wrt)
    split = derivative(f, ir.Request(motion="split", wrt=names, several=several, seed="required"))

    def value_and_pullback(*args: Any, **kwargs: Any) -> tuple[Any, Function]:
        (value, saved), backward = split.forward(args, kwargs)

        def pullback(seed: Any) -> Any:
            if type(seed) is not float and isinstance(value, (int, float, np.generic)):
                runtime.seed(seed, value)  # the text leaves it alone if the result is proved scalar
            return backward(saved, seed)

        arrays = isinstance(value, (np.ndarray, tuple, list, dict))
        return runtime.private(value) if arrays else value, pullback  # it may be written into

    value_and_pullback.__split__ = split  # type: ignore[attr-defined]
    return value_and_pullback


def jvp(f: Function, *, wrt: Wrt = 0) -> Function:
    """``jvp(f)(*args, tangent=v)`` is (value, tangent); a tuple of tangents for a tuple ``wrt``.

    >>> jvp(lambda x: x * x)(3.0, tangent=10.0)
    (9.0, 60.0)
    """
    names, several = parameters(f, wrt)
    request = ir.Request(
        mode="forward", wrt=names, several=several, seed="required", output="value, gradient"
    )
    return derivative(f, request)


def hvp(f: Function, *, wrt: Wrt = 0) -> Function:
    """``hvp(f)(x, v, *rest)``: the Hessian times ``v``, by forward over reverse.

    >>> hvp(lambda x: x * x * x)(2.0, 10.0)
    120.0
    """
    names, several = parameters(f, wrt)
    request = ir.Request(mode="forward", wrt=names, several=several, seed="required")
    product = derivative(grad(f, wrt=names if several else names[0]), request)

    def times(x: Any, v: Any, *rest: Any, **kwargs: Any) -> Any:
        return product(x, *rest, tangent=v, **kwargs)

    vars(times)["__held__"] = of_closure(product)
    return times


def jacrev(f: Function, wrt: Wrt = 0) -> Function:
    """The Jacobian by reverse mode, a row at a time: shape ``result.shape + argument.shape``."""
    names, several = parameters(f, wrt)
    pull = vjp(f, wrt=names)

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        value, pullback = pull(*args, **kwargs)
        shapes = _shapes(f, names, args, kwargs)
        rows = [pullback(e) for e in _basis(value, "result")]
        if not rows:
            empty = tuple(np.zeros(np.shape(value) + shape) for shape in shapes)
            return empty if several else empty[0]
        found = tuple(
            np.reshape(
                np.stack([row[k] if len(names) > 1 else _only(row) for row in rows]),
                np.shape(value) + shape,
            )
            for k, shape in enumerate(shapes)
        )
        return found if several else found[0]

    plain = None if several else by_rows(vjp(f, wrt=names[0]), *_place(f, names[0]))
    return called_like(as_method(f), jacobian, plain)


def _only(row: Any) -> Any:
    return row[0] if isinstance(row, tuple) else row


def jacfwd(f: Function, wrt: Wrt = 0) -> Function:
    """The Jacobian by forward mode, a column at a time: shape ``result.shape + argument.shape``."""
    names, several = parameters(f, wrt)
    pushes = [jvp(f, wrt=name) for name in names]

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        found = []
        for push, name in zip(pushes, names):
            x = _bound(f, args, kwargs)[name]
            basis = _basis(x, f"argument {name!r}")
            columns = [push(*args, tangent=e, **kwargs)[1] for e in basis]
            along = columns[0] if columns else push(*args, tangent=x, **kwargs)[1]
            _needs_array(along, "result")
            shape = np.shape(along)
            stacked = np.stack(columns, axis=-1) if columns else np.zeros(0)
            found.append(np.reshape(stacked, shape + np.shape(x)))
        return tuple(found) if several else found[0]

    plain = None if several else by_columns(pushes[0], *_place(f, names[0]))
    return called_like(as_method(f), jacobian, plain)


def _place(f: Function, name: str) -> tuple[int, str]:
    return list(inspect.signature(as_method(f)).parameters).index(name), name


jacobian = jacrev


def hessian(f: Function, wrt: Wrt = 0) -> Function:
    """The matrix of second derivatives, by forward over reverse; a tuple of tuples for a tuple ``wrt``."""
    names, several = parameters(f, wrt)
    if not several:
        return jacfwd(grad(f, wrt=names[0]), wrt=names[0])
    rows = [jacfwd(grad(f, wrt=name), wrt=names) for name in names]
    return lambda *args, **kwargs: tuple(row(*args, **kwargs) for row in rows)


def _bound(f: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    bound = inspect.signature(as_method(f)).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.arguments


def _shapes(
    f: Function, names: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> list[tuple[int, ...]]:
    bound = _bound(f, args, kwargs)
    for name in names:
        if not isinstance(bound[name], list | tuple):
            _needs_array(bound[name], f"argument {name!r}")
    return [np.shape(bound[n]) for n in names]


def _needs_array(x: Any, what: str) -> None:
    if not isinstance(x, (int, float, complex, np.ndarray, np.generic)):
        raise TypeError(f"a Jacobian needs arrays: the {what} is a {type(x).__name__}")


def _basis(x: Any, what: str) -> list[Any]:
    """The unit vectors of the space of ``x``."""
    _needs_array(x, what)
    if not isinstance(x, np.ndarray):
        return [1.0]
    dtype = x.dtype if x.dtype.kind in "fc" else np.dtype(np.float64)
    units = np.eye(x.size, dtype=dtype)
    return [unit.reshape(x.shape) for unit in units]


_TRANSFORMS: tuple[Any, ...] = (
    *(grad, value_and_grad, vjp, jvp),
    *(hvp, jacrev, jacfwd, hessian),
)
for _transform in _TRANSFORMS:
    _transform.__transforms__ = True


def stages(f: Function, wrt: Wrt = 0, mode: ir.Mode = "reverse") -> dict[str, str]:
    """The source after each stage of the compiler: source, normal, derived, optimized."""
    names, several = parameters(f, wrt)
    f = as_method(f)
    f = general(f if isinstance(f, Derivative) else getattr(f, "__func__", f))
    return pipeline.stages(f, ir.Request(mode=mode, wrt=names, several=several))
