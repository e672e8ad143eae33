"""An example on the command line: ``--args "np.ones(3), 2"``.

In: the function and the text of its arguments.
Out: the arguments.
Next: the commands that run something.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from tangentlite.cli.target import NotFoundError


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the option that gives arguments."""
    parser.add_argument(
        "--args",
        metavar="EXPRESSIONS",
        help='arguments of an example, as Python in the module of the function: "np.ones(3), 2"',
    )


def arguments(function: Callable[..., Any], text: str | None) -> Any:
    """Positional and keyword arguments; None if none are given.

    >>> def f(x, n): ...
    >>> arguments(f, "np.float64(2), n=3")
    ((np.float64(2.0),), {'n': 3})
    """
    if text is None:
        return None
    import numpy as np

    inner: Any = getattr(function, "primal", function)
    names = {"np": np, **getattr(getattr(inner, "__func__", inner), "__globals__", {})}
    try:
        return eval(f"(lambda *a, **k: (a, k))({text})", dict(names))
    except Exception as fault:
        raise NotFoundError(f"--args {text!r}: {type(fault).__name__}: {fault}") from None
