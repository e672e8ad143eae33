"""Memory: which names may hold memory of each other, where it is known which of them hold numbers and which arrays.

In: ``Sorts``, a function, whether its arguments share memory with nothing.
Out: ``Memory``: ``shared(name)``, ``is_given(name)``.
Next: quiet, lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.ir import Function
from tangentlite.optimize.facts.axes import ALIKE, MADE
from tangentlite.optimize.facts.table import OUTSIDE
from tangentlite.optimize.numbers.calls import SUMS
from tangentlite.optimize.numbers.forms import BOOL, NUMBERS, ZERO, Form, Tape, is_array
from tangentlite.optimize.numbers.sorts import Binding, Sorts

MAKERS = (*MADE, *ALIKE, *SUMS, np.linspace, np.pad, runtime.own, len)
GIVES_FIRST = (runtime.buffer, runtime.like, runtime.unbroadcast, runtime.spread, runtime.unreduce)


def has_memory(form: Form) -> bool:
    """Whether a value of a form may hold arrays.

    >>> has_memory(1), has_memory("float"), has_memory(("int", Tape(("float", 1)))), has_memory(Tape("int"))
    (True, False, True, False)
    """
    if isinstance(form, tuple):
        return any(map(has_memory, form))
    return form not in (*NUMBERS, BOOL, ZERO)


def _part(value: Any, path: tuple[int, ...]) -> Any:
    """The part of a tuple that is written out, or all of it."""
    for k in path:
        if not isinstance(value, gast.Tuple):
            break
        value = value.elts[k]
    return value


class Memory:
    """Where the memory of names comes from; ``inner``: of a helper, whose arguments share no memory where it writes.

    >>> from tangentlite.optimize.samples import function, sample_is_pure
    >>> from tangentlite.optimize.facts.purity import Purity
    >>> f = function("y = x.copy()\\nv = y[1:]\\nfor i in range(n):\\n    z = v * x[i]\\n    t = y[i]")
    >>> sorts = Sorts(f.body, {"x": 1, "n": "int", "by": "float"}, Purity(f.namespace, f.local, sample_is_pure))
    >>> memory = Memory(f, sorts, inner=False)
    >>> [sorted(memory.shared(name)) for name in "xyvzt"], memory.is_given("y"), memory.is_given("x")
    ([['x'], ['v', 'y'], ['v', 'y'], ['z'], ['t']], False, True)
    """

    def __init__(self, function: Function, sorts: Sorts, inner: bool) -> None:
        self._sorts, self._inner, self._local = sorts, inner, function.local
        params = {p.name for p in function.params}
        bound = [b for b in sorts.bindings if has_memory(sorts.known.get(b.name))]
        self._given = params - {b.name for b in bound if self._is_own(b.name, b.value)}
        self._zeros = {b.name for b in sorts.bindings if sorts.part(b.value, b.path) == ZERO}
        self._origins: dict[str, set[str]] = {name: {name} for name in self._local | params}
        for name in self._given:
            self._origins[name] |= set() if inner else {OUTSIDE}
        sources = [(b.name, {s for v in self._put(b) for s in self.sources(v)}) for b in bound]
        sources += [pair for s in syntax.statements(function.body) for pair in self._stored(s)]
        self._spread(sources)

    def _put(self, binding: Binding) -> list[gast.expr | None]:
        """What a name is bound to; for a part of what comes from a tape, such parts of what was put there."""
        match binding.value:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=tape), attr="pop")):
                pushed = [b.value for b in self._sorts.bindings if b.pushed and b.name == tape]
                if pushed:
                    return [_part(value, binding.path) for value in pushed]
        return [binding.value]

    def _spread(self, sources: list[tuple[str, set[str]]]) -> None:
        """What comes from where, over any number of names."""
        before = -1
        while before != (before := sum(map(len, self._origins.values()))):
            for name, others in sources:
                found = (self._origins.get(other, {OUTSIDE}) for other in others)
                self._origins[name] = self._origins[name].union(*found)

    def _is_own(self, name: str, value: Any) -> bool:
        """Whether an argument is copied before it is written."""
        match value:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=copied), attr="copy"), args=[]):
                return bool(copied == name)
            case gast.Call(func=func):
                return self._sorts.means(func, (runtime.own,))
        return False

    def _stored(self, statement: gast.stmt) -> Iterator[tuple[str, set[str]]]:
        """What is put into something that is no array stays the same object there."""
        match statement:
            case gast.Assign(targets=[gast.Subscript(value=held)], value=value):
                if not is_array(self._sorts.of(held)) and has_memory(self._sorts.of(value)):
                    for name in self.sources(held):
                        if name in self._local:
                            yield name, {*self.sources(value), OUTSIDE}

    def sources(self, tree: Any) -> Iterator[str]:
        """The names whose memory a value may hold."""
        if tree is None:
            yield OUTSIDE
        if tree is None or not has_memory(self._sorts.of(tree)):
            return
        match tree:
            case gast.Name(id=name):
                yield name if name in self._local else OUTSIDE
            case gast.Subscript(value=value) | gast.Attribute(value=value):
                yield from self.sources(value)
            case gast.BinOp(left=left, right=right):
                if any(map(self._may_be_zero, (left, right))):  # the sum is the other one then
                    yield from (*self.sources(left), *self.sources(right))
            case gast.Call(func=func, args=args):
                yield from self._called(func, args) if not self._sorts.fresh(tree) else ()
            case gast.Tuple() | gast.IfExp():
                yield from (s for part in syntax.children(tree) for s in self.sources(part))
            case _:
                yield from (n if n in self._local else OUTSIDE for n in syntax.loads(tree))

    def _may_be_zero(self, tree: gast.expr) -> bool:
        """Whether an operand may be ``rt.ZERO``, or is not known."""
        form = self._sorts.of(tree)
        given = self._inner and form in NUMBERS  # a seed
        return form in (None, ZERO) or given or not self._zeros.isdisjoint(syntax.loads(tree))

    def _called(self, func: gast.expr, args: list[Any]) -> Iterator[str]:
        """What a call gives may be what it was given, unless it makes it."""
        if isinstance(func, gast.Attribute) and not args:
            form = self._sorts.of(func.value)
            if not (is_array(form) and func.attr == "copy"):
                yield from self.sources(func.value)
            return
        makes = self._sorts.means(func, MAKERS) or self._sorts.is_elementwise(func)
        if self._sorts.means(func, GIVES_FIRST):
            yield from self.sources(args[0])
        elif not makes:
            yield from (s for arg in args for s in self.sources(arg))
            if not isinstance(func, gast.Name):
                yield OUTSIDE

    def shared(self, name: str) -> set[str]:
        """The names that may hold memory of one, and that one."""
        own = self._origins.get(name, {OUTSIDE})
        return {name}.union(*(self._holders.get(origin, ()) for origin in own))

    @cached_property
    def _holders(self) -> dict[str, set[str]]:
        """The names that hold memory that comes from a name."""
        found: dict[str, set[str]] = {}
        for name in filter(self._holds, self._local):
            for origin in self._origins[name]:
                found.setdefault(origin, set()).add(name)
        return found

    def _holds(self, name: str) -> bool:
        form = self._sorts.known.get(name)
        return has_memory(form) and not isinstance(form, Tape)

    def is_given(self, name: str) -> bool:
        """Whether the caller, or anybody else, may see what is written into a name."""
        origins = self._origins.get(name, {OUTSIDE})
        return OUTSIDE in origins or not origins.isdisjoint(self._given)
