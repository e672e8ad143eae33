"""One call as an example: the value, the gradient, shapes and times of lines.

In: a study with arguments.
Out: ``Example``.
Next: page.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite.pictures.seeds import ones
from tangentlite.progress import Progress
from tangentlite.reports.listing import Notes
from tangentlite.reports.study import Study
from tangentlite.reports.timing import Times, caller, shape, shapes, timed
from tangentlite.values import immutable

LONGEST = 300


@immutable
class Example:
    """``told``: name, shape and value of what goes in and comes out."""

    told: list[tuple[str, str, str]]
    notes: Notes
    primal: Times
    derivative: Times


def example(study: Study) -> Example:
    """Run the function and its derivative on the arguments of the study."""
    assert study.arguments is not None
    args, kwargs = study.arguments
    value = caller(study.subject, args, kwargs)()
    derivative = _derivative(study, value)
    gradient = caller(derivative, args, kwargs)()
    bound = inspect.signature(study.subject).bind(*args, **kwargs)
    told = [(name, shape(v), _said(v)) for name, v in bound.arguments.items()]
    told.append((f"{study.name}(…)", shape(value), _said(value)))
    told += _gradients(study, gradient)
    texts = [*study.primal, *study.derivative]
    found = {
        **shapes(caller(study.subject, args, kwargs), study.primal),
        **shapes(caller(derivative, args, kwargs), study.derivative),
    }
    primal_times = _timed("the function", study.subject, study.arguments, texts)
    times = _timed("the derivative", derivative, study.arguments, study.derivative)
    return Example(told, Notes({**primal_times.lines, **times.lines}, found), primal_times, times)


def _timed(what: str, function: Callable[..., Any], arguments: Any, texts: list[Any]) -> Times:
    files = {t.file for t in texts}
    with Progress(f"timing {what}") as progress:
        return timed(lambda: caller(function, *arguments), files, progress)


def _derivative(study: Study, value: Any) -> Callable[..., Any]:
    """The generated function, with a seed of ones where its result is no number."""
    functions, needed = study.units[0].functions, ones(value)
    function = functions[0]
    if study.request.motion == "split":
        forward, backward = functions
        seed = 1.0 if needed is None else needed
        return lambda *args, **kwargs: backward(forward(*args, **kwargs)[1], seed)
    own = inspect.signature(study.subject).parameters
    seeds = [p for name, p in inspect.signature(function).parameters.items() if name not in own]
    if study.request.mode == "reverse" and needed is not None and not study.request.has_aux:
        return lambda *args, **kwargs: function(*args, **kwargs, **{seeds[0].name: needed})
    return function


def _gradients(study: Study, found: Any) -> list[tuple[str, str, str]]:
    """The gradients by name."""
    request = study.request
    if request.output == "value, gradient":
        found = found[1]
    elif request.output == "gradient, value" or request.has_aux:
        found = found[0]
    word = "gradient" if request.mode == "reverse" else "tangent"
    several = request.mode == "reverse" and isinstance(found, tuple) and len(request.wrt) > 1
    pairs = zip(request.wrt, found) if several else [(", ".join(request.wrt), found)]
    return [(f"{word} in {name}", shape(g), _said(g)) for name, g in pairs]


def _said(value: Any) -> str:
    with np.printoptions(threshold=20, edgeitems=3, precision=6):
        try:
            text = repr(value)
        except Exception as fault:
            text = f"<{type(value).__name__}, whose repr raises {type(fault).__name__}>"
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
