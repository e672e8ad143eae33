"""What the arguments of an exported function must be like, where its text was written for an example.

In: a derivative and an example.
Out: patterns, which ``runtime.edges.suiting`` compares with what is given.
Next: gathering.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tangentlite import arguments
from tangentlite.errors import DerivativeError, ExportError
from tangentlite.exporting.literals import PASS
from tangentlite.runtime import is_array
from tangentlite.runtime.containers.objects import attributes, is_object

DEEP = 20


def of_arguments(bound: Mapping[str, Any], ranked: bool) -> dict[str, Any]:
    """The pattern of each argument; ``ranked``: how many dimensions arrays have matters."""
    return {name: _of(name, value, ranked, 0) for name, value in bound.items()}


def _of(name: str, value: Any, ranked: bool, depth: int) -> Any:
    """The pattern of a value.

    >>> _of("x", [1.0, (np.ones(2), "s")], False, 0)
    [Ellipsis, (Ellipsis, <class 'str'>)]
    """
    if depth > DEEP:
        raise ExportError(f"the example for `{name}` holds itself", None, PASS)
    if isinstance(value, complex | np.complexfloating) or (
        is_array(value) and value.dtype.kind == "c"
    ):
        return complex
    if is_array(value):
        return {"rank": value.ndim} if ranked else ...
    if isinstance(value, bool | int | float | np.number | np.bool_):
        return {"rank": None} if ranked else ...
    if isinstance(value, tuple) and type(value) is not tuple:
        return {type(value): tuple(_of(name, part, ranked, depth + 1) for part in value)}
    if type(value) in (list, tuple):
        return type(value)(_of(name, part, ranked, depth + 1) for part in value)
    if type(value) is dict:
        return {"keys": {k: _of(name, part, ranked, depth + 1) for k, part in value.items()}}
    if isinstance(value, str | bytes):
        return type(value) if _any_text(name, value) else value
    if is_object(value):
        parts = attributes(value).items()
        return {type(value): {k: _of(name, part, ranked, depth + 1) for k, part in parts}}
    return value if value is None or callable(value) else type(value)


def _any_text(name: str, value: str | bytes) -> bool:
    """Whether texts are the same to the compiler."""
    try:
        return arguments.kind(name, value) == arguments.kind(name, value * 2)
    except DerivativeError:
        return False
