"""Unread: what nobody reads any more is not written into an adjoint, and what is not written is not copied.

In: the statements of a function, ``Scope``.
Out: the same with fewer writes.
Next: propagate.

A loop that takes from each place of an array once, ``t = by[:, i].copy(); by[:, i] = 0.0``, need not empty it: no
trip comes to the place of another one.
"""

from __future__ import annotations

from collections import defaultdict

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.inherit import zeros
from tangentlite.optimize.replace import inside, remade

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
    makers = {k: zeros(s) or _owned(s, scope) for k, s in enumerate(body)}
    starts = {k: name for k, name in makers.items() if name is not None and scope.adjoint(name)}
    if not starts:
        return body
    told = _Told(body, set(starts.values()))
    for start, name in starts.items():
        last = told.places(name)[-1]
        if last == start or not isinstance(told.body[last], gast.For):
            continue
        if _is_alone(name, told, scope):
            (loop,) = _Unread(scope, name).block(told.body[last : last + 1], ())
            if loop is not told.body[last]:
                told.put(last, loop)
                told.put(start, _shared(told, start, name))
    return told.body


class _Named:
    """How often a statement names something, in which parts, and how many of these it copies."""

    def __init__(self) -> None:
        self.count, self.copied = 0, 0
        self.parts: list[gast.Subscript] = []


class _Told:
    """A body, and how each of its statements names some ``names``."""

    def __init__(self, body: Body, names: set[str]) -> None:
        self.body, self._names = list(body), names
        self._named = [_naming(s, names) for s in body]
        self._places: dict[str, list[int]] = {}
        for place, named in enumerate(self._named):
            for name in named:
                self._places.setdefault(name, []).append(place)

    def put(self, place: int, statement: gast.stmt) -> None:
        """Put a statement in the place of one that names all that it names."""
        if statement is not self.body[place]:
            self.body[place], self._named[place] = statement, _naming(statement, self._names)

    def places(self, name: str) -> list[int]:
        """The numbers of the statements in which a name stands."""
        return [k for k in self._places[name] if name in self._named[k]]

    def all(self, name: str) -> list[_Named]:
        """How the statements name it."""
        return [self._named[k][name] for k in self.places(name)]


def _naming(statement: gast.stmt, names: set[str]) -> dict[str, _Named]:
    """How a statement names each of some names."""
    found = defaultdict[str, _Named](_Named)
    for node in syntax.nodes([statement]):
        match node:
            case gast.Name(id=name) if name in names:
                found[name].count += 1
            case gast.Subscript(value=gast.Name(id=name)) if name in names:
                found[name].parts.append(node)
            case gast.Call(
                func=gast.Attribute(value=gast.Subscript(value=gast.Name(id=name)), attr="copy"),
                args=[],
            ) if name in names:
                found[name].copied += 1
    return found


def _is_alone(name: str, told: _Told, scope: Scope) -> bool:
    """Whether no other name holds memory of an array: what has copies of parts of it does not.

    What is indexed by slices along several axes is an array, and no list of arrays.
    """
    if scope.members(name) <= {name}:
        return True
    named = told.all(name)
    read = [p for n in named for p in n.parts if isinstance(p.ctx, gast.Load)]
    return sum(n.copied for n in named) == len(read) and all(map(_is_of_array, read))


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


def _shared(told: _Told, start: int, name: str) -> gast.stmt:
    """``by = rt.buffer(rt.own(by), y)`` without the copy, if only copies are taken of it."""
    statement, named = told.body[start], told.all(name)
    if zeros(statement) or sum(n.copied for n in named) + 2 != sum(n.count for n in named):
        return statement
    (own, like), call = statement.value.args, statement.value
    return remade(statement, {"value": remade(call, {"args": [own.args[0], like]})})


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
        parts = [p for s in body for p in _naming(s, {self._name})[self._name].parts]
        alone = len(parts) == _naming(around[0], {self._name})[self._name].count
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


def _mentions(statement: gast.stmt, name: str) -> bool:
    return any(n.id == name for n in syntax.names([statement]))


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
