"""Unpacking that cannot fail: ``n, m = a.shape`` where a is known to have two dimensions.

In: facts.
Out: a block without these checks.
Next: pipeline.
"""

from __future__ import annotations

import gast

from tangentlite import runtime, syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.kinds import Num, Tuple


def unchecked(facts: Facts) -> list[gast.stmt]:
    """The body, in which what is surely a sequence of just n is not asked whether it is."""
    shapes = {s.targets[0].id: s for s in facts.kinds.operations if _is_shape(s)}

    def plain(statement: gast.stmt) -> list[gast.stmt]:
        match statement:
            case gast.Assign(
                targets=[target],
                value=gast.Call(func=func, args=[gast.Name(id=name), gast.Constant(value=count)]),
            ) if _means_unpack(facts, func):
                if _length(facts, statement, name, shapes) == count:
                    return [gast.Assign([target], syntax.name(name), None)]
        return [statement]

    return syntax.rewrite(facts.normal.function.body, plain)


def _is_shape(statement: gast.stmt) -> bool:
    match statement:
        case gast.Assign(
            targets=[gast.Name()], value=gast.Attribute(value=gast.Name(), attr="shape")
        ):
            return True
    return False


def _means_unpack(facts: Facts, func: gast.expr) -> bool:
    path = syntax.dotted(func)
    try:
        found = path and facts.normal.function.namespace.resolve(path)
    except (KeyError, AttributeError):
        return False
    return found is runtime.unpack


def _length(
    facts: Facts, statement: gast.stmt, name: str, shapes: dict[str, gast.Assign]
) -> int | None:
    """How many elements a name is known to have before a statement."""
    kind = facts.kind_before(statement, name)
    if isinstance(kind, Tuple):
        return len(kind.items)
    places = [s for s in facts.kinds.operations if name in syntax.stores(s)]
    if name not in shapes or places != [shapes[name]]:
        return None
    array = facts.kind_before(shapes[name], shapes[name].value.value.id)
    return array.ndim if isinstance(array, Num) else None
