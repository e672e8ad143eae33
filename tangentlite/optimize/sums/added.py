"""Added: what is put into a part of zeros, and with them added to an array, is added to that part of the array.

In: the finished functions of a derivative for NumPy.
Out: the same without the zeros.
Next: emit.
"""

from __future__ import annotations

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.ir import Derived, Function
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.replace import inside
from tangentlite.values import replace

Body = list[gast.stmt]
SLICE = syntax.name("slice")


def added(derived: Derived) -> Derived:
    """The functions of a derivative, in which no array of zeros is made for one part of an attribute."""
    if not any("add_at" in f.contents.attributes for f in derived.functions):
        return derived
    return replace(derived, functions=tuple(f.with_body(at_once(f)) for f in derived.functions))


def at_once(function: Function) -> Body:
    """Add to the part.

    >>> from tangentlite.optimize.samples import function, text_of
    >>> text = '''
    ... bt1 = rt.zeros(x)
    ... bt1[1:-1] = by * 2.0
    ... rt.add_at(bw["u"], ..., bt1)
    ... '''
    >>> print(text_of(at_once(function(text, names={"rt": runtime, "slice": slice}))))
    rt.add_at(bw['u'], slice(1, -1), by * 2.0)
    """
    body = function.body
    purity = Purity(function.namespace, function.local, lambda callee: False)
    return _Added(body, purity).block(body) if purity.means(SLICE, (slice,)) else body


class _Added:
    def __init__(self, body: Body, purity: Purity) -> None:
        self._purity = purity
        self._loads, self._stores = syntax.times_loaded(body), syntax.times_stored(body)

    def block(self, body: Body) -> Body:
        result: Body = []
        for statement in body:
            statement = inside(statement, self.block) if syntax.blocks(statement) else statement
            at_once = self._at_once(result, statement)
            if at_once is not None:
                name, statement = at_once
                result = [s for s in result[:-1] if self._zeros(s) != name]
            result.append(statement)
        return result

    def _at_once(self, before: Body, statement: gast.stmt) -> tuple[str, gast.stmt] | None:
        """The zeros that a statement adds, and a statement that adds what was put into a part of them just before."""
        match statement:
            case gast.Expr(
                value=gast.Call(
                    func=func, args=[bx, gast.Constant(value=whole), gast.Name(id=name)]
                ) as call
            ) if whole is ... and self._purity.means(func, (runtime.add_at,)):
                place, e = _put(before[-1], name) if before else (None, None)
                once = self._loads[name] == 2 and self._stores[name] == 1
                if once and place is not None and any(self._zeros(s) == name for s in before):
                    new = gast.Call(func, [bx, place, e], call.keywords)
                    return name, syntax.at(gast.Expr(syntax.at(new, call)), statement)
        return None

    def _zeros(self, statement: gast.stmt) -> str | None:
        """The name that a statement binds to zeros."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=func, args=[_])):
                means = self._purity.means(func, (runtime.zeros, np.zeros))
                return str(name) if means else None
        return None


def _put(statement: gast.stmt, name: str) -> tuple[gast.expr | None, gast.expr | None]:
    """Where a statement puts something into an array, as an argument, and what."""
    match statement:
        case (
            gast.Assign(
                targets=[gast.Subscript(value=gast.Name(id=base), slice=index)], value=value
            )
            | gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=base), slice=index),
                op=gast.Add(),
                value=value,
            )
        ) if base == name and _is_plain(index):
            return syntax.argument(index, lambda: SLICE), value
    return None, None


def _is_plain(index: gast.expr) -> bool:
    """Whether an index is made of slices and whole numbers: it says no place twice."""
    match index:
        case gast.Tuple(elts=entries):
            return all(map(_is_plain, entries))
        case (
            gast.Constant(value=value)
            | gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=value))
        ):
            return type(value) is int
    return isinstance(index, gast.Slice)
