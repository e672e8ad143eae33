"""Pages that explain a derivative.

In: a function, a path, an example if there is one.
Out: one HTML file that needs nothing else.
Next: cli.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tangentlite.api import Wrt
from tangentlite.pictures import Graph, graph
from tangentlite.reports.examples import example
from tangentlite.reports.page import LARGEST, page
from tangentlite.reports.study import Study, study

__all__ = ["report"]


def report(
    f: Callable[..., Any],
    path: str | Path | None = None,
    *,
    wrt: Wrt = 0,
    args: tuple[Any, ...] | None = None,
    kwargs: dict[str, Any] | None = None,
) -> str:
    """Write a page about the derivative of ``f``; without a path it is only returned.

    Source and derivative side by side, every stage of the compiler, what is recorded and why, the rules, the
    computation graph; with ``args`` (and ``kwargs``) an example: gradients, shapes and the time of each line. ``f``
    may be a derivative, too: then the page is about that one.

    >>> def f(x):
    ...     return x * x
    >>> report(f, args=(3.0,)).startswith("<!DOCTYPE html>")
    True
    """
    arguments = None
    if args is not None or kwargs is not None:
        if args is not None and not isinstance(args, (tuple, list)):
            raise TypeError(f"args takes a tuple of arguments, not {type(args).__name__}")
        arguments = tuple(args or ()), dict(kwargs or {})
    found = study(f, wrt, arguments)
    text = page(found, _picture(found), None if arguments is None else example(found))
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text


def _picture(found: Study) -> Graph:
    """The graph of the function; without the values of the example if it is too large to be shown."""
    plain = graph(found.subject)
    if found.arguments is None or plain.nodes > LARGEST:
        return plain
    return graph(found.subject, *found.arguments[0], **found.arguments[1])
