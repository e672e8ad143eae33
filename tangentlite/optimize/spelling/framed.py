"""Framed: what is asked only for its shape is not made.

In: the finished statements of a function of numbers and arrays, ``Scope``.
Out: the same with ``rt.frame(a, b)`` for ``a + b`` or ``np.exp(a) / b``: their shape, and no elements of its own.
Next: methods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.analysis.results import CHANGES_REALNESS
from tangentlite.optimize.comments import tidy, without_orphan
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import exchanged, inside, remade, replaced
from tangentlite.rules.reads import SHAPE_ATTRIBUTES, reads

Body = list[gast.stmt]
FRAME, OUTLINE = syntax.expression("rt.frame"), syntax.expression("rt.outline")
OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div)
ELEMENTWISE = frozenset(
    f for f in vars(np).values() if isinstance(f, np.ufunc) and f.nout == 1 and not f.signature
).difference(CHANGES_REALNESS)
TOTALS = frozenset((np.sum, np.mean))
# What asks an argument for its shape and its precision: the place of that argument.
ASKING = {"unbroadcast": 1, "spread": 1, "unreduce": 1, "kept": 1, "count": 0, "outline": 0}
QUIET = (frozenset(runtime.SHAPE_ONLY) | SHAPE_ATTRIBUTES).difference(
    ("like", "seed", "owned", "still")
)
FUNCTIONS = {getattr(runtime, name): place for name, place in ASKING.items()}


def framed(body: Body, scope: Scope) -> Body:
    """Make no more than the shape of a temporary, where nobody reads what it holds.

    >>> from tangentlite.optimize.samples import function, text_of, USER
    >>> text = '''
    ... t1 = x * y
    ... t2 = t1 - z
    ... t3 = x * z
    ... bt1 = rt.unbroadcast(by * t3, t2)
    ... t4 = np.sum(y * np.exp(z), axis=1)
    ... bt2 = rt.spread(by / rt.count(t4), 2.0 * t3**2 + x)
    ... '''
    >>> sample = function(text, names={"rt": runtime, "np": np})
    >>> print(text_of(framed(sample.body, Scope(sample, USER, lambda f: True))))
    t1 = rt.frame(x, y)
    t2 = rt.frame(t1, z)
    t3 = x * z
    bt1 = rt.unbroadcast(by * t3, t2)
    t4 = np.sum(rt.frame(y, z), axis=1)
    bt2 = rt.spread(by / rt.count(t4), rt.frame(t3, x))
    """
    if scope.attributes.isdisjoint(QUIET) or not scope.purity.means(FRAME, (runtime.frame,)):
        return body
    better = _Framed(body, scope)
    return better.temporaries(better.arguments(body))


class _Framed:
    def __init__(self, body: Body, scope: Scope) -> None:
        self._scope, self._body, nodes = scope, body, syntax.nodes(body)
        self._asked = {id(x): x for n in nodes if n.__class__ is gast.Call for x in self._asks(n)}

    @cached_property
    def _bound(self) -> Counter[str]:
        """How often names are bound."""
        return syntax.times_stored(self._body)

    def _asks(self, call: gast.Call) -> list[gast.expr]:
        """The argument that a call asks for its shape."""
        match call:
            case gast.Call(func=gast.Attribute(attr=name), args=args) if name in ASKING:
                known = self._scope.purity.means(call.func, FUNCTIONS)
                return args[ASKING[name] :][:1] if known else []
        return []

    # Temporaries ----------------------------------------------------------------------------

    def temporaries(self, body: Body) -> Body:
        """Temporaries that nobody reads but for their shape as frames."""
        named = (x.id for x in self._asked.values() if isinstance(x, gast.Name))
        if not any(map(self._scope.temporary, named)):
            return body
        result = list(body)
        while True:
            shapes = reads(map(_evaluated, result))[1]
            found = {k: f for k, s in enumerate(result) if (f := self._made(s, shapes)) is not None}
            if not found:
                return result
            for k, frame in found.items():
                kept = frame if isinstance(frame, gast.Call) else gast.Call(OUTLINE, [frame], [])
                result[k] = remade(result[k], {"value": syntax.at(kept, result[k].value)})
            result = self._without_copies(
                result, {result[k].targets[0].id: f for k, f in found.items()}
            )

    def _without_copies(self, body: Body, frames: dict[str, gast.expr]) -> Body:
        """A name that has the shape of another one, which holds the same to the end, is that name."""
        alike: dict[str, gast.expr] = {}
        for name, leaf in frames.items():
            if isinstance(leaf, gast.Name) and self._stays(leaf.id):
                alike[name] = alike.get(leaf.id, leaf)
        if not alike:
            return body
        left = [s for s in body if syntax.stores(s).isdisjoint(alike)]
        return [replaced(s, alike) for s in tidy(without_orphan(body, left), top=True)]

    def _stays(self, name: str) -> bool:
        return name not in self._scope.captured and self._bound[name] == (
            name not in self._scope.params
        )

    def _made(self, statement: gast.stmt, shapes: set[str]) -> gast.expr | None:
        """The frame of a temporary that is made of elements of numbers and arrays, and asked only for its shape."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if name in shapes:
                scope = self._scope
                plain = scope.temporary(name) and not scope.adjoint(name)
                once = name not in scope.captured and self._bound[name] == 1
                return self._frame(value) if plain and once else None
        return None

    # Arguments ------------------------------------------------------------------------------

    def arguments(self, body: Body) -> Body:
        """Frames for what stands where only a shape is asked for."""
        frames = ((k, self._frame(x)) for k, x in self._asked.items())
        holes = {k: frame for k, frame in frames if frame is not None}
        return self._with(body, holes) if holes else body

    def _with(self, body: Body, holes: Mapping[int, gast.expr]) -> Body:
        result = []
        for s in body:
            if syntax.blocks(s):
                s = inside(s, lambda block: self._with(block, holes))
            elif any(id(n) in holes for n in syntax.nodes([s])):
                s = exchanged(s, holes)
            result.append(s)
        return result

    # Both -----------------------------------------------------------------------------------

    def _frame(self, tree: gast.expr) -> gast.expr | None:
        """What has the shape of a tree without its elements; None if that would spare nothing."""
        match tree:
            case gast.Call(func=func, args=[x, *others]) if self._scope.purity.means(func, TOTALS):
                inner = self._frame(x)
                return inner and remade(tree, {"args": [inner, *others]})
            case gast.BinOp() | gast.Call():
                leaves = self._leaves(tree)
                return _joined(leaves) if leaves else None
        return None

    def _leaves(self, tree: gast.expr) -> list[gast.expr]:
        """What tells the shape of a sum, a product or a function of elements; nothing if it is none of these."""
        found: list[gast.expr] = []
        stack = [tree]
        while stack:
            match stack.pop():
                case gast.BinOp(left=left, op=op, right=right) if isinstance(op, OPERATORS):
                    stack += [right, left]
                case gast.BinOp(left=left, op=gast.Pow(), right=gast.Constant()):
                    stack.append(left)
                case gast.UnaryOp(op=gast.USub(), operand=operand):
                    stack.append(operand)
                case gast.Call(func=func, args=args, keywords=[]) if self._is_elementwise(func):
                    stack += reversed(args)
                case gast.Constant(value=float() | int()):
                    continue
                case (gast.Name() | gast.Subscript()) as leaf:
                    found += [] if any(syntax.same(leaf, f) for f in found) else [leaf]
                case _:
                    return []
        return found

    def _is_elementwise(self, func: gast.expr) -> bool:
        return self._scope.purity.means(func, ELEMENTWISE)


def _evaluated(statement: gast.stmt) -> gast.AST:
    """What a statement reads, without the name that it binds."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=value):
            return value
    return statement


def _joined(leaves: list[gast.expr]) -> gast.expr:
    """What has the shape of all leaves together; only that is asked for."""
    whole, *others = leaves
    for leaf in others:
        whole = syntax.at(gast.Call(FRAME, [whole, leaf], []), leaf)
    return whole
