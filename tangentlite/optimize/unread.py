"""Unread: what nobody reads any more is not written into an adjoint, and what is not written is not copied.

In: the statements of a function, ``Scope``.
Out: the same with fewer writes.
Next: propagate.

A loop that takes from each place of an array once, ``t = by[:, i].copy(); by[:, i] = 0.0``, need not empty it: no
trip comes to the place of another one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.inherit import zeros
from tangentlite.optimize.replace import inside, remade
from tangentlite.optimize.scope import Scope

Body = list[gast.stmt]
Way = tuple[gast.For, ...]


def unread(body: Body, scope: Scope) -> Body:
    """Leave places as they are that are not looked at again.

    >>> from tangentlite.optimize.samples import function, text_of, USER
    >>> text = '''
    ... by = rt.buffer(rt.own(by), y)
    ... for i in reversed(range(n)):
    ...     t = by[:, i].copy()
    ...     by[:, i] = 0.0
    ...     bw = t * v
    ... '''
    >>> sample = function(text, names={"rt": runtime})
    >>> print(text_of(unread(sample.body, Scope(sample, USER, lambda f: True))))
    by = rt.buffer(by, y)
    for i in reversed(range(n)):
        t = by[:, i].copy()
        bw = t * v
    """
    if gast.For not in scope.kinds:
        return body
    for start, statement in enumerate(list(body)):
        name = zeros(statement) or _owned(statement, scope)
        if name is not None and scope.adjoint(name) and _is_alone(name, body, scope):
            last = max(k for k, s in enumerate(body) if _mentions(s, name))
            if last == start or not isinstance(body[last], gast.For):
                continue
            (loop,) = _Unread(scope, name).block(body[last : last + 1], ())
            if loop is not body[last]:
                body = [*body[:last], loop, *body[last + 1 :]]
                body = body if zeros(statement) else _shared(body, start, name)
    return body


def _is_alone(name: str, body: Body, scope: Scope) -> bool:
    """Whether no other name holds memory of an array: what has copies of parts of it does not.

    What is indexed by slices along several axes is an array, and no list of arrays.
    """
    if scope.members(name) <= {name}:
        return True
    read = [p for p in _parts(body, name) if isinstance(p.ctx, gast.Load)]
    copied = sum(_copies(n, name) for s in body for n in syntax.walk(s))
    return copied == len(read) and all(map(_is_of_array, read))


def _is_of_array(part: gast.Subscript) -> bool:
    index = part.slice
    return isinstance(index, gast.Tuple) and any(isinstance(e, gast.Slice) for e in index.elts)


def _owned(statement: gast.stmt, scope: Scope) -> str | None:
    """The adjoint that a statement copies, so that it may be written."""
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Call(func=func, args=[gast.Call(func=own, args=[gast.Name(id=given)]), _]),
        ) if name == given and scope.purity.means(func, (runtime.buffer,)):
            return name if scope.purity.means(own, (runtime.own,)) else None
    return None


def _shared(body: Body, start: int, name: str) -> Body:
    """``by = rt.buffer(rt.own(by), y)`` without the copy, if only copies are taken of it."""
    copied = sum(_copies(n, name) for s in body for n in syntax.walk(s))
    if copied + 2 != sum(n.id == name for n in syntax.names(body)):
        return body
    (own, like), call = body[start].value.args, body[start].value
    free = remade(call, {"args": [own.args[0], like]})
    return [*body[:start], remade(body[start], {"value": free}), *body[start + 1 :]]


def _copies(node: ast.AST, name: str) -> bool:
    match node:
        case gast.Call(
            func=gast.Attribute(value=gast.Subscript(value=gast.Name(id=base)), attr="copy"),
            args=[],
        ):
            return bool(base == name)
    return False


class _Unread:
    """The last loop in which an array is named."""

    def __init__(self, scope: Scope, name: str) -> None:
        self._scope, self._name = scope, name

    def block(self, body: Body, around: Way) -> Body:
        """The statements of a block within loops, of which each trip has a number of its own."""
        result = [
            inside(s, lambda b: self.block(b, (*around, s)))  # noqa: B023
            if isinstance(s, gast.For) and self._counts(s)
            else s
            for s in body
        ]
        if any(new is not old for new, old in zip(result, body)):
            return result
        if not around or not self._is_all(body, around):
            return body
        kept = list(body)
        while self._is_last_write(kept):
            last = max(k for k, s in enumerate(kept) if _mentions(s, self._name))
            del kept[last]
        return kept if len(kept) < len(body) else body

    def _counts(self, loop: gast.For) -> bool:
        """Whether a loop counts with numbers that are not negative, each once, and binds them nowhere else."""
        match loop:
            case gast.For(target=gast.Name(id=name), iter=iterable, orelse=[]):
                return name not in syntax.stores(loop.body) and self._rises(iterable)
        return False

    def _rises(self, tree: gast.expr) -> bool:
        means = self._scope.purity.means
        match tree:
            case gast.Call(func=func, args=[inner]) if means(func, (reversed,)):
                return self._rises(inner)
            case gast.Call(func=func, args=[_]):
                return means(func, (range,))
            case gast.Call(func=func, args=[gast.Constant(value=int(low)), _]):
                return means(func, (range,)) and low >= 0
        return False

    def _is_all(self, body: Body, around: Way) -> bool:
        """Whether all parts of the array that are named are named here, each at the place of the trip."""
        parts = list(_parts(body, self._name))
        alone = len(parts) == _named(around[0], self._name)
        counters = {loop.target.id for loop in around}
        places = [{_place(p, c, counters) for p in parts} for c in counters]
        return alone and all(len(found) == 1 and None not in found for found in places)

    def _is_last_write(self, body: Body) -> bool:
        """Whether the last that is done with the array is to write into it."""
        last = next((s for s in reversed(body) if _mentions(s, self._name)), None)
        match last:
            case (
                gast.Assign(targets=[gast.Subscript(value=gast.Name(id=name))], value=value)
                | gast.AugAssign(target=gast.Subscript(value=gast.Name(id=name)), value=value)
            ):
                pure = self._scope.purity.pure(value)
                return name == self._name and pure and name not in syntax.loads(value)
        return False


def _named(statement: gast.stmt, name: str) -> int:
    """How often a name stands in a statement."""
    return sum(n.id == name for n in syntax.names([statement]))


def _mentions(statement: gast.stmt, name: str) -> bool:
    return any(n.id == name for n in syntax.names([statement]))


def _parts(body: Body, name: str) -> Iterator[gast.Subscript]:
    """The parts of an array that are read or written."""
    for statement in body:
        for node in syntax.walk(statement):
            if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
                if node.value.id == name:
                    yield node


def _place(part: gast.Subscript, counter: str, counters: set[str]) -> int | None:
    """The axis along which an index says a counter, and no more."""
    index = part.slice.elts if isinstance(part.slice, gast.Tuple) else [part.slice]
    for axis, entry in enumerate(index):
        match entry:
            case gast.Name(id=name) if name in counters:
                if name == counter:
                    return axis
            case gast.Slice():
                continue
            case gast.Constant(value=value) if type(value) is int:
                continue
            case _:
                return None
    return None
