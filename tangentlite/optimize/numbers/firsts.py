"""Firsts: numbers of arrays with which the states of loops begin are Python's, and so is what loops make of them.

In: the statements of a function in plain numbers, ``Sorts``.
Out: the same with ``float`` around such numbers.
Next: emit.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.optimize.numbers.forms import FLOAT, is_array
from tangentlite.optimize.numbers.sorts import Body, Sorts
from tangentlite.optimize.replace import remade

LOOPS = (gast.For, gast.While)


def firsts(body: Body, sorts: Sorts) -> Body:
    """Make floats of what loops read.

    >>> from tangentlite.optimize.samples import USER, function, sample_is_pure, text_of
    >>> from tangentlite.optimize.facts.scope import Scope
    >>> text = '''
    ... y = x[0]
    ... z = [x[0], 1.0]
    ... s = x[1]
    ... for i in range(n):
    ...     y = a * y + z[i]
    ... t = x[0]
    ... '''
    >>> f = function(text)
    >>> sorts = Sorts(f.body, {"x": 1, "a": "float", "n": "int"}, Scope(f, USER, sample_is_pure).purity)
    >>> print(text_of(firsts(f.body, sorts)))
    y = float(x[0])
    z = [float(x[0]), 1.0]
    s = x[1]
    for i in range(n):
        y = a * y + z[i]
    t = x[0]
    """
    made, asked = list(body), set[str]()
    for place in range(len(made) - 1, -1, -1):
        statement: Any = made[place]
        if isinstance(statement, LOOPS):
            asked |= syntax.loads(statement)
        elif isinstance(statement, gast.Assign) and asked:
            (target, *_), value = statement.targets, _said(statement.value, sorts)
            if (
                value is not statement.value
                and isinstance(target, gast.Name)
                and target.id in asked
            ):
                made[place] = remade(statement, {"value": value})
    return made


def _said(tree: Any, sorts: Sorts) -> Any:
    """A number of an array, or a list of such, in floats of Python."""
    match tree:
        case gast.Subscript(value=gast.Name() as whole):
            if sorts.of(tree) == FLOAT and is_array(sorts.of(whole)):
                return syntax.at(syntax.expression("float(x)", x=tree), tree)
        case gast.List(elts=elts) | gast.Tuple(elts=elts):
            parts = [_said(e, sorts) for e in elts]
            if any(part is not e for part, e in zip(parts, elts)):
                return remade(tree, {"elts": parts})
    return tree
