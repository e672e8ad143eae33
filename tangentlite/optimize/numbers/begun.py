"""Begun: an array of zeros that a loop fills as a list is made of that list.

In: the statements of a function in plain numbers, ``Sorts``.
Out: the same with fewer arrays.
Next: firsts.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.optimize.numbers.sorts import Body, Sorts


def begun(body: Body, sorts: Sorts) -> Body:
    """Begin with the list.

    >>> from tangentlite.optimize.samples import USER, function, sample_is_pure, text_of
    >>> from tangentlite.optimize.facts.scope import Scope
    >>> text = '''
    ... bx = np.zeros(x.shape)
    ... bx_list = bx.tolist()
    ... for i in range(n):
    ...     bx_list[i] = by
    ... bx[:] = bx_list
    ... '''
    >>> f = function(text)
    >>> sorts = Sorts(f.body, {"x": 1, "n": "int", "by": "float"}, Scope(f, USER, sample_is_pure).purity)
    >>> print(text_of(begun(f.body, sorts)))
    bx_list = [0.0] * len(x)
    for i in range(n):
        bx_list[i] = by
    bx = np.array(bx_list)
    """
    stored, places = syntax.times_stored(body), dict[str, list[int]]()
    for place, statement in enumerate(body):
        for used in {n.id for n in syntax.names([statement])}:
            places.setdefault(used, []).append(place)
    made: list[gast.stmt | None] = list(body)
    for first, statement in enumerate(body):
        name, size, module = _zeros(statement, sorts) or ("", None, None)
        if size is None or module is None or stored[name] != 1 or places[name][0] != first:
            continue
        _, begin, end = (*places[name], first, first)[:3]
        list_ = _list(body[begin], name)
        if list_ is None or stored[list_] != 1 or not _is_filled(body[end], name, list_):
            continue
        if not syntax.loads(size).isdisjoint(syntax.times_stored(body[first:begin])):
            continue
        shown = syntax.expression("[0.0] * n", n=size)
        made[first], made[begin] = None, syntax.at(syntax.assign(list_, shown), body[begin])
        array = gast.Call(gast.Attribute(module, "array", gast.Load()), [syntax.name(list_)], [])
        made[end] = syntax.at(syntax.assign(name, array), body[end])
    return [s for s in made if s is not None]


def _zeros(statement: Any, sorts: Sorts) -> tuple[str, gast.expr, gast.expr] | None:
    """A vector of zeros: its name, how many these are, and what NumPy is called."""
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Call(func=gast.Attribute(value=module) as func, args=[size], keywords=[]),
        ) if sorts.known.get(name) == 1 and sorts.means(func, (np.zeros,)):
            match size:
                case gast.Attribute(value=gast.Name(id=like), attr="shape"):
                    if sorts.known.get(like) == 1:
                        count = syntax.expression("len(x)", x=syntax.name(like))
                        return name, count, module
                case gast.Call(
                    func=counts, args=[gast.Name()], keywords=[]
                ):  # no number below zero
                    return (name, size, module) if sorts.means(counts, (len,)) else None
    return None


def _list(statement: Any, name: str) -> str | None:
    """The list that an array is turned into."""
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=made)],
            value=gast.Call(
                func=gast.Attribute(value=gast.Name(id=array), attr="tolist"), args=[], keywords=[]
            ),
        ) if array == name:
            return str(made)
    return None


def _is_filled(statement: Any, name: str, list_: str) -> bool:
    """Whether an array takes in a list as a whole."""
    match statement:
        case gast.Assign(
            targets=[
                gast.Subscript(
                    value=gast.Name(id=array), slice=gast.Slice(lower=None, upper=None, step=None)
                )
            ],
            value=gast.Name(id=given),
        ):
            return (array, given) == (name, list_)
    return False
