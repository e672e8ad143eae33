"""Arrays that keep their versions: which statements read them as plain arrays, which move their handles.

In: operations and kinds.
Out: what lowering.persistent is to rewrite, and what is refused.
Next: inference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

import gast
import numpy as np

from tangentlite import runtime
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import is_persistent
from tangentlite.analysis.operations import (
    Accumulate,
    Copy,
    Operation,
    Primitive,
    Store,
    target as bound,
)
from tangentlite.analysis.storage.memory import held, memory, shared
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lowering import Normal
from tangentlite.lowering.arrays.persistent import is_value, moved, plain
from tangentlite.persistent import PersistentArray

Found = dict[gast.stmt, tuple[str, ...]]
OWN = (PersistentArray, PersistentArray.version, PersistentArray.insert, PersistentArray.delete)
COPIES = (np.ndarray.copy, np.asarray, np.array)
LOST = "what is read of the persistent array `{0}` is a copy: what is stored in it is lost"
JOIN = "Write one subscript: `p[1, 0] = x` for `p[1][0] = x`."
OTHERS = "`{0}` gets another length while another name holds the same array"
BIND = "Bind a version: `p = p.insert(row)`, `p = p.delete()`."


def readings(graph: Graph, inference: Inference) -> Found:
    """Statements that are to be said by others, with the names that they read as plain arrays."""
    found: Found = {}
    for statement, operation in inference.operations.items():
        kinds = inference.before[graph.first[statement]]
        name = moved(statement)
        if name is not None and is_persistent(kinds.get(name)):
            found[statement] = ()
        elif isinstance(operation, Primitive):
            names = tuple(dict.fromkeys(_arithmetic(operation)))
            if names:
                found[statement] = names
    return found


def _arithmetic(operation: Primitive) -> Iterator[str]:
    rule = operation.rule
    module = str(getattr(rule.callee, "__module__", ""))
    if rule.callee in (*OWN, *COPIES) or module.startswith(runtime.__name__):
        return
    for parameter, value in operation.bound.items():
        if isinstance(value, gast.Name) and is_persistent(operation.kinds.get(parameter)):
            if not (rule.name == "getitem" and parameter == rule.params[0].name):
                yield value.id


def lengthened(normal: Normal, found: Found) -> dict[gast.stmt, str]:
    """The user's statements that give an array another length in place, with its name."""
    return {
        normal.sources[s]: name
        for s, names in found.items()
        if not names and (name := moved(s)) is not None and not is_value(s)
    }


def check(
    normal: Normal, graph: Graph, inference: Inference, longer: dict[gast.stmt, str], helper: bool
) -> None:
    """Refuse stores into copies, and arrays in ``longer`` that have other names.

    The caller of a ``helper`` has names for what it gives.
    """
    params = {p.name for p in normal.function.params} if helper else set()
    operations = inference.operations
    made = {bound(s, o) for s, o in operations.items() if isinstance(o, Primitive) and _resized(o)}
    for statement, operation in operations.items():
        source = normal.sources.get(statement)
        if isinstance(operation, (Store, Accumulate)) and not operation.holds:
            base = _base(source)
            if base and is_persistent(inference.before[graph.first[statement]].get(base)):
                _refuse(normal, source, LOST.format(base), JOIN)
        if longer and not _is_move(operation, made):
            params |= set(_tied(graph, inference, statement))
    for source, name in longer.items():
        if name in params:
            _refuse(normal, source, OTHERS.format(name), BIND)


def _resized(operation: Primitive) -> bool:
    return operation.rule.callee in (PersistentArray.insert, PersistentArray.delete)


def _is_move(operation: Operation, made: set[str | None]) -> bool:
    """Whether a handle is bound to a version of another length, which has no other name."""
    return isinstance(operation, Copy) and operation.source in made


def _base(source: gast.stmt | None) -> str | None:
    """p, if the user's statement stores into ``p[i][j]``."""
    targets = getattr(source, "targets", None) or [getattr(source, "target", None)]
    for target in targets:
        match target:
            case gast.Subscript(value=gast.Subscript(value=gast.Name(id=name))):
                return name  # type: ignore[no-any-return]
    return None


def _tied(graph: Graph, inference: Inference, statement: gast.stmt) -> Iterator[str]:
    """The names that may hold one array with others, or with a container, after a statement."""
    operation = inference.operations[statement]
    container, values = held(operation)
    yield from [container, *values] if container else []
    name = bound(statement, operation)
    if name is not None and memory(inference.after[graph.first[statement]].get(name)):
        names = list(shared(operation, statement))
        yield from [name, *names] if names else []


def _refuse(normal: Normal, source: gast.stmt | None, message: str, hint: str) -> NoReturn:
    place = normal.function.origin.place(source) if source is not None else None
    raise UnsupportedSyntaxError(message, place, hint)


__all__ = ["check", "lengthened", "plain", "readings"]
