"""An error inside a stand-in is told where the user calls what it stands for.

In: an error, and the function in which the call may stand.
Out: the error to raise.
Next: pipeline.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import gast

from tangentlite import standins, syntax
from tangentlite.errors import DerivativeError
from tangentlite.ir import Function
from tangentlite.rules.rule import spelled

HOME = os.path.dirname(standins.__file__)


def told_of_call(fault: DerivativeError, read: Callable[[], Function]) -> DerivativeError:
    """The error, at the call in the user's function; the same if it is no error of a stand-in."""
    if fault.place is None or os.path.dirname(fault.place.file) != HOME:
        return fault
    function = read()
    if os.path.dirname(function.origin.file) == HOME:
        return fault
    for node in syntax.nodes(function.body):
        if isinstance(node, gast.Call) and (callee := _stood_for(node, function)) is not None:
            place = function.origin.place(node)
            message = f"`{spelled(callee)}` is not differentiated here: {fault.message}"
            told = type(fault)(message, place, fault.hint)
            told.of_kinds = fault.of_kinds
            return told
    return fault


def _stood_for(call: gast.Call, function: Function) -> Any:
    """What a call means, if something stands in for it."""
    path = syntax.dotted(call.func)
    if path is None or path.partition(".")[0] in function.local:
        return None
    try:
        callee = function.namespace.resolve(path)
        return callee if standins.find(callee) is not None else None
    except (KeyError, AttributeError, TypeError):
        return None
