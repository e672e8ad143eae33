"""Adding into the shadow of a nest: a statement for each array in it, so that what is written can be read.

In: a shadow, what is added, and the kind of the value.
Out: statements.
Next: adjoints.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.analysis.calling.choices import perhaps_closure
from tangentlite.analysis.kinds import (
    Dict,
    Inert,
    Kind,
    List,
    Nothing,
    Num,
    Object,
    Tuple,
    Value,
    is_open,
)
from tangentlite.differentiate.session import Session

Body = list[gast.stmt]
STILL = (Inert, Nothing, Value)  # nothing flows through them


def poured(session: Session, bx: gast.expr, value: gast.expr, kind: Kind | None) -> Body:
    """``bx += value``, part by part; the runtime walks through nests of which the parts are not known."""
    if isinstance(kind, Num):
        return [gast.Expr(session.runtime("add_at(bx, ..., e)", bx=bx, e=value))]
    if isinstance(kind, STILL) or (isinstance(kind, List) and kind.item is None):
        return []
    generated = session.function.generated
    if (generated and isinstance(kind, (Tuple, Dict, List))) or not _settled(
        kind
    ):  # of a derivative's text, it may be ZERO
        return [gast.Expr(session.runtime("pour(bx, e)", bx=bx, e=value))]
    body: Body = []
    if not isinstance(value, gast.Name):
        name = session.names.numbered("t")
        body, value = [syntax.assign(name, value)], syntax.name(name)
    match kind:
        case Dict(keys=keys, items=(item,)) if is_open(keys):
            return [*body, _loop(session, "for k in bx:\n    pass", bx, value, item)]
        case List(item=item):
            text = "for k in range(len(bx)):\n    pass"
            return [*body, _loop(session, text, bx, value, item)]
    for key, item in _parts(kind):
        body += poured(session, *_slots(bx, value, key), item)
    return body


def _loop(
    session: Session, text: str, bx: gast.expr, value: gast.expr, item: Kind | None
) -> gast.stmt:
    """The parts of a list, or of a dict of unknown keys."""
    k = syntax.name(session.names.fresh("k"))
    names = {"range": session.alias("range", range), "len": session.alias("len", len)}
    (loop,) = syntax.quote(text, bx=bx, k=k, **names)
    loop.body = poured(session, *_slots(bx, value, k), item) or loop.body
    return loop


def _slots(bx: gast.expr, value: gast.expr, key: gast.expr) -> tuple[gast.expr, gast.expr]:
    return gast.Subscript(bx, key, gast.Load()), gast.Subscript(value, key, gast.Load())


def _settled(kind: Kind | None) -> bool:
    """Whether all parts of a nest are known when compiling."""
    match kind:
        case Num() | Inert() | Nothing() | Value():
            return True
        case Tuple(optional=True) | Object(optional=True) | Object(loose=True):
            return False
        case Tuple() if perhaps_closure(kind):
            return False
        case Tuple(items=items) | Dict(items=items):
            return all(map(_settled, items))
        case List(item=item):
            return item is None or _settled(item)
    return False


def _parts(kind: Kind | None) -> list[tuple[gast.expr, Kind]]:
    """The keys of a nest that has the same ones in each run."""
    match kind:
        case Tuple(items=items):
            return [(syntax.constant(k), item) for k, item in enumerate(items)]
        case Dict(keys=keys, items=items):
            return [(syntax.constant(key), item) for key, item in zip(keys, items)]
    return []
