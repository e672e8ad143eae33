"""Displays: the adjoint of a list to whose parts something is added once is said as a list.

In: a derivative.
Out: the same with fewer zeros.
Next: slots.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.analysis.kinds import List, Num
from tangentlite.analysis.shapes.broadcasting import whole
from tangentlite.ir import Derived, Function
from tangentlite.optimize.facts.nests import EXACT, Nests, is_changed
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.facts.scope import words
from tangentlite.optimize.replace import remade
from tangentlite.optimize.sums.segments import Part, in_order
from tangentlite.values import replace

Body = list[gast.stmt]
SHOWN = (gast.Tuple, gast.List, gast.Dict)


def displays(derived: Derived) -> Derived:
    """The derivative with lists that are made of their parts.

    >>> import numpy as np, tangentlite as tl
    >>> def loss(ws, x):
    ...     for w in ws[:-1]:
    ...         x = np.tanh(w @ x)
    ...     return np.sum(ws[-1] @ x)
    >>> df = tl.grad(loss)
    >>> _ = df([np.ones((2, 2)), np.ones((2, 2))], np.ones(2))
    >>> print("\\n".join(df.source.split("\\n\\n")[0].splitlines()[-4:]))
            rt.add_at(bt2, i, bw)
        # Grad of: for w in ws[:-1]:
        bws = [*bt2, bws_part]
        return rt.like(bws, ws)
    """
    request, primal = derived.request, derived.primal
    if not request.kinds or request.mode != "reverse" or len(derived.functions) > 1:
        return derived
    kinds = {p.name: kind for p, kind in zip(primal.params, request.kinds)}
    kinds = {n: k for n, k in kinds.items() if n not in primal.bound and type(k) in EXACT}
    if not kinds or primal.generated or is_changed(primal.body):
        return derived
    made = _Displays(derived.functions[0], kinds, primal)
    body = made.whole()
    return replace(derived, functions=(made.function.with_body(body),)) if made.found else derived


class _Displays:
    """The lists of one function."""

    def __init__(self, function: Function, kinds: dict[str, Any], primal: Function) -> None:
        self.function, self.found = function, False
        purity = Purity(function.namespace, function.local, lambda callee: False)
        self._means = purity.means
        self._nests = Nests(function.body, kinds, self._means)
        self._stored = syntax.times_stored(function.body)
        self._bound: dict[str, gast.expr] = {}
        for statement in syntax.statements(function.body):
            match statement:
                case gast.Assign(targets=[gast.Name(id=name)], value=value):
                    self._bound[name] = value
        self._places: dict[str, list[int]] = {}
        self._used = {*function.local, *function.read, *primal.bound, *primal.read}
        self._used |= words(primal.origin.lines)

    def whole(self) -> Body:
        """The statements of the function."""
        body = list(self.function.body)
        for k, statement in enumerate(body):
            for name in {n.id for n in syntax.names([statement])}:
                self._places.setdefault(name, []).append(k)
        for k, statement in enumerate(body):
            body[k] = self._taken_over(statement, body, k)
        for start in range(len(body)):
            name = self._zeros(body[start])
            if name is not None and self._stored[name] == 1:
                uses = self._uses(body, start, name)
                if not self._store(body, uses, name):
                    self._show(body, start, uses, name)
        return [s for s in body if not isinstance(s, gast.Pass)]

    def _uses(self, body: Body, start: int, name: str) -> list[int]:
        """The statements behind one that name something."""
        return [k for k in sorted(self._places[name]) if k > start and _names(body[k], name)]

    def _taken_over(self, statement: Any, body: Body, place: int) -> gast.stmt:
        """What is added to zeros as a whole, and was zeros of the same nest before, is what it is."""
        match statement:
            case gast.Assign(
                targets=[gast.Name()],
                value=gast.Call(
                    func=func,
                    args=[
                        gast.Call(args=[gast.Name(id=source)]) as zeros,
                        gast.Name(id=name) as part,
                    ],
                ),
            ) if self._means(func, (runtime.add,)) and self._means(zeros.func, (runtime.zeros,)):
                begun = self._bound.get(name) if self._stored[name] == 1 else None
                own = type(self._nests.kinds.get(source)) in EXACT and not self._stored[source]
                if own and begun is not None and syntax.same(begun, zeros):
                    if not self._uses(body, place, name):
                        self.found = True
                        return remade(statement, {"value": part})
        return statement

    def _zeros(self, statement: gast.stmt) -> str | None:
        """The adjoint of a list that begins as zeros."""
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Call(func=func, args=[gast.Name(id=source)], keywords=[]),
            ) if self._means(func, (runtime.zeros,)) and self._holds_arrays(source):
                return str(name)
        return None

    def _holds_arrays(self, name: str) -> bool:
        """Whether a name is a list of arrays, or of what holds some: no loop computes with its items as numbers."""
        kind = self._nests.kinds.get(name)
        if type(kind) is not List or kind.optional:
            return False
        return not isinstance(kind.item, Num) or bool(kind.item.ndim)

    def _store(self, body: Body, uses: list[int], name: str) -> bool:
        """What a loop adds to each item once is stored there, where it holds others: it is not to be added up."""
        loop: Any = body[uses[0]] if uses else None
        if not isinstance(loop, gast.For) or not isinstance(loop.target, gast.Name):
            return False
        named = [k for k, s in enumerate(loop.body) if _names(s, name)]
        counter = loop.target.id
        if len(named) != 1 or not self._counts(loop.iter) or counter in syntax.stores(loop.body):
            return False
        match loop.body[named[0]]:
            case gast.Expr(
                value=gast.Call(func=func, args=[_, gast.Name(id=index), value], keywords=[])
            ) if index == counter and isinstance(value, SHOWN):
                if not self._means(func, (runtime.add_at,)) or _names(value, name):
                    return False
            case _:
                return False
        (stored,) = syntax.quote("b[i] = e", b=name, i=counter, e=value)
        inner = list(loop.body)
        inner[named[0]] = syntax.at(stored, inner[named[0]])
        body[uses[0]] = remade(loop, {"body": inner})
        self.found = True
        return True

    def _counts(self, walked: Any) -> bool:
        """Whether a loop runs over a range, or backwards over one, from zero or above: it comes to each place once."""
        match walked:
            case gast.Call(func=func, args=[inner]) if self._means(func, (reversed,)):
                return self._counts(inner)
            case gast.Call(func=func, args=[_]):
                return self._means(func, (range,))
            case gast.Call(func=func, args=[first, _]):
                return self._means(func, (range,)) and (whole(first) or -1) > 0
        return False

    # Parts ----------------------------------------------------------------------------------

    def _show(self, body: Body, start: int, uses: list[int], name: str) -> None:
        """Make a list of what is added to all of its parts, if it is only put into others then, or given back."""
        parts: list[Part] = []
        for k in uses:
            part = self._part(body[k], name, k)
            if part is None:
                break
            parts.append(part)
        rest = [body[k] for k in uses[len(parts) :]]
        ordered = in_order(parts, self._length(body[start].value.args[0].id))
        if ordered is None or not all(self._hands_on(s, name) for s in rest):
            return
        end = parts[-1].place
        if not all(p.item or self._stays(body, p, end) for p in parts):
            return
        shown = [e for p in ordered for e in self._named(body, p, name, end)]
        only = shown[0].value if isinstance(shown[0], gast.Starred) and len(shown) == 1 else None
        value = only or gast.List(shown, gast.Load())
        body[start] = gast.Pass()
        body[end] = syntax.at(syntax.assign(name, value), body[end])
        for moved in syntax.loads(value):
            if end not in self._places.setdefault(moved, []):
                self._places[moved].append(end)
        self._bound[name] = value
        self.found = True

    def _part(self, statement: Any, name: str, place: int) -> Part | None:
        """What a statement adds to a part of a list."""
        match statement:
            case gast.Expr(
                value=gast.Call(func=func, args=[gast.Name(id=base), index, value], keywords=[])
            ) if base == name and self._means(func, (runtime.add_at,)) and not _names(value, name):
                number = whole(index)
                if number is not None:
                    return Part(number, number + 1 or None, value, True, place)
                span = self._span(index)
                if span is not None and isinstance(value, gast.Name) and self._is_list(value.id):
                    return Part(*span, value, False, place)
        return None

    def _span(self, index: Any) -> tuple[int, int | None] | None:
        match index:
            case gast.Call(func=func, args=[first, last], keywords=[]) if self._means(
                func, (slice,)
            ):
                start, end = whole(first), whole(last)
                known = (start is not None or _is_none(first), end is not None or _is_none(last))
                return (start or 0, end) if all(known) else None
        return None

    def _is_list(self, name: str) -> bool:
        """Whether an adjoint is a list, which is bound once."""
        value = self._bound.get(name) if self._stored[name] == 1 else None
        match value:
            case gast.Name(id=source):
                return self._is_list(source)
            case gast.Call(func=func, args=[gast.Name(id=source)], keywords=[]):
                return self._means(func, (runtime.zeros,)) and self._holds_arrays(source)
        return isinstance(value, gast.List)

    def _length(self, source: str) -> int | None:
        """How long a list is, if it was taken apart into so many."""
        match self._bound.get(source) if self._stored[source] == 1 else None:
            case gast.Call(func=func, args=[_, count]) if self._means(func, (runtime.unpack,)):
                return whole(count)
        return None

    def _stays(self, body: Body, part: Part, end: int) -> bool:
        """Whether nobody names a list between the addition of it and the last."""
        return not any(_names(s, part.value.id) for s in body[part.place + 1 : end])

    def _hands_on(self, statement: Any, name: str) -> bool:
        """Whether a statement reads a list where it gives it a name, puts it into another, or finishes it."""
        count = syntax.times_loaded([statement])[name]
        for node in syntax.walk(statement):
            match node:
                case (
                    gast.Assign(targets=[gast.Name()], value=gast.Name(id=found))
                    | gast.Starred(value=gast.Name(id=found))
                ):
                    count -= found == name
                case gast.Call(func=func, args=[*_, gast.Name(id=found)]) if self._means(
                    func, (runtime.add_at,)
                ):
                    count -= found == name
                case gast.Call(func=func, args=[gast.Name(id=found), gast.Name()]) if self._means(
                    func, (runtime.like,)
                ):
                    count -= found == name
        return count == 0

    def _named(self, body: Body, part: Part, name: str, end: int) -> list[gast.expr]:
        """A part as it stands in a list, bound where it was added if that is not the end."""
        if not part.item:
            body[part.place] = gast.Pass()
            return self._spliced(body, part.value, end)
        if part.place == end:
            return [part.value]
        stored = syntax.times_stored(body[part.place : end])
        if isinstance(part.value, gast.Name) and not stored[part.value.id]:
            body[part.place] = gast.Pass()
            return [part.value]
        fresh = f"{name}_part"
        while fresh in self._used:
            fresh += "_"
        self._used.add(fresh)
        body[part.place] = syntax.at(syntax.assign(fresh, part.value), body[part.place])
        return [syntax.name(fresh)]

    def _spliced(self, body: Body, part: gast.Name, end: int) -> list[gast.expr]:
        """A list in another one; its items, if they are shown and nobody else reads it."""
        shown = self._bound[part.id]
        places = [k for k, s in enumerate(body[:end]) if _binds(s, part.id)]
        if isinstance(shown, gast.List) and len(places) == 1:
            between = syntax.times_stored(body[places[0] : end])
            if not syntax.times_loaded(body)[part.id] and not any(
                map(between.get, syntax.loads(shown))
            ):
                body[places[0]] = gast.Pass()
                return list(shown.elts)
        return [gast.Starred(part, gast.Load())]


def _binds(statement: Any, name: str) -> bool:
    match statement:
        case gast.Assign(targets=[gast.Name(id=found)]):
            return bool(found == name)
    return False


def _is_none(tree: Any) -> bool:
    return isinstance(tree, gast.Constant) and tree.value is None


def _names(tree: Any, name: str) -> bool:
    return any(n.id == name for n in syntax.names([tree]))
