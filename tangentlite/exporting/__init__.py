"""Derivatives as files of their own, which need NumPy and no compiler.

In: a function, or a derivative of one.
Out: a Python file: the text of the derivative, and everything that it names.
Next: cli.
"""

from __future__ import annotations

import inspect
import io
import sys
from collections.abc import Callable, Container
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TextIO

from tangentlite import api
from tangentlite.derivative import Derivative
from tangentlite.errors import DerivativeError, ExportError
from tangentlite.exporting import patterns
from tangentlite.exporting.formatting import formatted
from tangentlite.exporting.gathering import Gathered, Known
from tangentlite.exporting.header import UNSPELLED, header, innermost
from tangentlite.exporting.layout import file_text
from tangentlite.methods import Bound, derivative
from tangentlite.values import replace

Target = str | PathLike[str] | TextIO
MADE = ("__plain__", "__held__", "__split__")
EXAMPLE = "Give arguments like those of its calls: `tl.export(f, file, example=(…))`."


def export(
    f: Callable[..., Any],
    file: Target,
    wrt: api.Wrt = 0,
    *,
    mode: Literal["reverse", "forward"] = "reverse",
    value_and_grad: bool = False,
    name: str | None = None,
    example: tuple[Any, ...] | None = None,
) -> str:
    """Write the derivative of ``f`` into a file that runs without tangentlite; the text is returned.

    >>> def f(x):
    ...     return x * x
    >>> text = export(f, io.StringIO())
    >>> "def df_dx(x, *, by=1.0):" in text
    True

    ``f``: a function, or a derivative (what ``tl.grad`` gives), which is taken as it is.
    ``file``: a path, an open file, or ``"-"`` for the standard output. ``name``: what the function in it is called.
    ``example``: arguments, where the function takes others than numbers and arrays.
    """
    text = source(f, _shown(file), wrt, mode, value_and_grad, name, example)
    if isinstance(file, (str, PathLike)) and str(file) != "-":
        Path(file).write_text(text, encoding="utf-8")
    else:
        (sys.stdout if isinstance(file, (str, PathLike)) else file).write(text)
    return text


def source(
    f: Callable[..., Any],
    file: str,
    wrt: api.Wrt = 0,
    mode: Literal["reverse", "forward"] = "reverse",
    value_and_grad: bool = False,
    name: str | None = None,
    example: tuple[Any, ...] | None = None,
    shown: str | None = None,
) -> str:
    """The text of the file that ``export`` writes; ``shown``: how its head spells the example."""
    made = _derivative(f, wrt, mode, value_and_grad, name)
    functions, likes = _functions(made, example)
    found, mains = _gathered(functions, likes, innermost(made))
    spelled = shown or ("" if example is None else UNSPELLED)
    head = header(made, functions[0], file, spelled)
    return formatted(file_text(head, mains, found))


def _gathered(
    functions: tuple[Any, ...], likes: dict[str, Any], primal: Any
) -> tuple[Gathered, list[Any]]:
    """All that the file holds; the short forms of the runtime where these do."""
    known = Known()
    while True:
        found = Gathered(known)
        mains = [found.generated(function) for function in functions]
        if likes:
            found.expect(mains[0], likes)
        if found.settled:
            break
    if likes or not found.is_plain(_parameters(primal)):
        return found, mains
    short = Gathered(known, lean=True)
    mains = [short.generated(function) for function in functions]
    return (short if short.runtime.is_lean() else found), mains


def _parameters(function: Any) -> Container[str]:
    try:
        return inspect.signature(function).parameters
    except ValueError:  # one of NumPy's, which has no keyword of its own in its derivative
        return ()


def _shown(file: Any) -> str:
    """What the head calls the file."""
    name = (
        file
        if isinstance(file, (str, PathLike))
        else getattr(file, "name", "-")
        if not isinstance(file, io.StringIO)
        else "-"
    )
    return Path(str(name)).name if isinstance(name, (str, PathLike)) else "-"


def _derivative(
    f: Any, wrt: api.Wrt, mode: Any, value_and_grad: bool, name: str | None
) -> Derivative:
    if any(hasattr(f, mark) for mark in MADE) and not isinstance(f, Derivative):
        said = f"`{getattr(f, '__name__', f)}` calls a derivative, and is none that has a text of its own"
        raise ExportError(said, None, "Export the derivative: `tl.grad(f)`, `tl.jvp(f)`.")
    if isinstance(f, Derivative):
        if wrt != 0 or mode != "reverse" or value_and_grad:
            raise TypeError(
                "a derivative is exported as it is: wrt, mode and value_and_grad are its own"
            )
        made = f
    elif mode == "forward":
        if value_and_grad:
            raise TypeError("value_and_grad is for reverse mode: export tl.jvp(f)")
        made = api.autodiff(f, wrt, mode="forward")
    elif mode == "reverse":
        made = (api.value_and_grad if value_and_grad else api.grad)(f, wrt)
    else:
        raise ValueError(f"{mode!r} is neither 'reverse' nor 'forward'")
    if name is None or name == made.request.name:
        return made
    if not name.isidentifier():
        raise ValueError(f"{name!r} is not a name")
    return derivative(made.primal, replace(made.request, name=name))


def _functions(
    made: Derivative, example: tuple[Any, ...] | None
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The functions of the text, for arguments of the kinds of the example; what arguments must be like."""
    if isinstance(made, Bound):
        if example is not None:
            return _functions(made.plain, (made.owner, *example))
        own = next(iter(inspect.signature(made.plain).parameters))
        return made.functions[:1], patterns.of_arguments({own: made.owner}, False)
    if example is not None:
        functions = made.pair_of(made._kinds(example, {}))
        return functions, patterns.of_arguments(made._bound(example, {}), made._ranked)
    try:
        return made.functions if made.request.motion == "split" else made.functions[:1], {}
    except DerivativeError as fault:
        if fault.of_kinds:
            raise type(fault)(fault.message, fault.place, f"{fault.hint}\n{EXAMPLE}") from None
        raise
