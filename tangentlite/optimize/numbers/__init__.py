"""Numbers: a derivative for floats and arrays of doubles computes with Python's floats and lists where it loops.

In: the finished derivative for arguments whose kinds are known.
Out: the same, where numbers of NumPy are nowhere asked for more than arithmetic, in a third of the time; None if
    there is nothing to gain. Where it raises an error, or gives what is not finite, the derivative that it was made of
    is to be asked.
Next: emit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import CellType
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.analysis.kinds import Num, Tuple
from tangentlite.ir import Derived, Function, Namespace
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.numbers.begun import begun
from tangentlite.optimize.numbers.even import even
from tangentlite.optimize.numbers.firsts import firsts
from tangentlite.optimize.numbers.forms import (
    FLOAT,
    INT,
    NUMBERS,
    Form,
    Ints,
    form_of,
    is_tape,
    joined,
)
from tangentlite.optimize.numbers.lists import listed
from tangentlite.optimize.numbers.plain import Plain, Unusual
from tangentlite.optimize.numbers.quiet import Effects
from tangentlite.optimize.numbers.sorts import Body, Sorts
from tangentlite.optimize.numbers.spread import Spread
from tangentlite.optimize.numbers.sunk import sunk
from tangentlite.optimize.numbers.walked import walked
from tangentlite.values import immutable, replace

Find = Callable[[Any], "tuple[Derived, int] | None"]
Scopes = Callable[[Derived], "list[Scope]"]
REVERSED = syntax.name("reversed")


@immutable(eq=False)
class Outside:
    """A number or an array outside, which a function reads."""

    space: Namespace
    name: str
    form: Form

    @property
    def fits(self) -> bool:
        """Whether it still has the form it had."""
        return self.space.binds(self.name) and form_of(self.space.lookup(self.name)) == self.form


@immutable(eq=False)
class InFloats:
    """A derivative in floats and lists, the helpers it calls, and the forms of its arguments and of what it ``gives``.

    ``value``: the part of that, if any, that is a float where NumPy would give a number of its own. ``written``: the
    places of the arguments into which it writes; ``faster``: whether anything is in another form than before;
    ``outside``: what else must have its form.
    """

    derived: Derived
    helpers: dict[str, InFloats]
    forms: tuple[Form, ...]
    gives: Form
    value: int | None
    written: frozenset[int]
    faster: bool
    outside: tuple[Outside, ...]


class Numbers:
    """Writes a derivative and its helpers in plain numbers, each helper once for arguments of the same forms.

    ``find`` gives the derivative of which a function of the text is a part, and which one.
    """

    def __init__(self, find: Find, scopes: Scopes) -> None:
        self._find, self._scopes, self._exact = find, scopes, False
        self._made: dict[tuple[int, tuple[Form, ...]], InFloats | None] = {}
        self._outside: dict[tuple[int, str], Outside] = {}

    def of(self, derived: Derived) -> InFloats | None:
        """The derivative that is called with arguments of its kinds, and no seed."""
        if not _may_be_plain(derived):
            return None
        given, self._exact = forms_of(derived), _gives_value(derived)
        seeds = {p.name: FLOAT for p in derived.functions[0].params if p.name not in given}
        found = self._written(derived, 0, {**given, **seeds}, False)
        return found if found is not None and found.faster else None

    def _helper(self, function: Function, name: str, forms: tuple[Form, ...]) -> InFloats | None:
        """A helper for arguments of these forms."""
        cell = function.namespace.cells.get(name)
        callee: Any = cell.cell_contents if cell is not None else None
        key = id(callee), forms
        if key not in self._made:
            self._made[key] = None  # while it is looked at: it may call itself
            found = self._find(callee)
            self._made[key] = self._helping(*found, forms) if found is not None else None
        return self._made[key]

    def _helping(self, derived: Derived, part: int, forms: tuple[Form, ...]) -> InFloats | None:
        request, params = derived.request, derived.functions[part].params
        shared = request.lent or request.together or request.near
        if shared or not request.optimized or len(params) != len(forms):
            return None
        return self._written(derived, part, dict(zip((p.name for p in params), forms)), True)

    def _written(
        self, derived: Derived, part: int, given: dict[str, Form], inner: bool
    ) -> InFloats | None:
        derived = _with_math(derived)
        function, scope = derived.functions[part], self._scopes(derived)[part]
        if "math" in scope.local or function.namespace.lookup("math") is not math:
            return None
        function = function.with_body([s for s in function.body if not _asks(s, scope)])
        called, known = _Called(self._helper, function), {**self._around(function), **given}
        sorts = Sorts(function.body, known, scope.purity, called.gives, lists=True)
        if not inner and not sorts.has_numbers(function.body):
            return None
        try:
            plain = Plain(sorts, self._exact, called.use, inner)
            body = plain.block(function.body)
            value = _numpy_value(derived, sorts, scope, function.body)
        except Unusual:
            return None
        effects = Effects(function, scope, sorts, called.written, inner)
        if not effects.quiet:
            return None
        body = even(body, scope.adjoint)
        made = listed(body, sorts, scope, effects)
        longer = len(made) > len(body)
        made = firsts(begun(made, sorts) if longer else made, sorts)
        faster = plain.changed or longer or called.faster
        if sorts.means(REVERSED, (reversed,)):
            made = sunk(made, lambda name: sorts.known.get(name) in NUMBERS)
            along = walked(made, lambda tape: is_tape(sorts.known.get(tape)))
            faster, made = faster or along is not made, along
        better = replace(derived, functions=(function.with_body(made),))
        forms, outside = tuple(given.values()), tuple(self._outside.values())
        gives = _given(function.body, sorts)
        return InFloats(better, called.used, forms, gives, value, effects.written, faster, outside)

    def _around(self, function: Function) -> dict[str, Form]:
        """The numbers and arrays outside that a function reads, as they are now."""
        found: dict[str, Form] = {}
        for name in function.read - function.local:
            space = function.namespace
            form = form_of(space.lookup(name)) if space.binds(name) else None
            if form is not None:
                found[name] = form
                self._outside[id(space.cells.get(name, space.globals)), name] = Outside(
                    space, name, form
                )
        return found


class _Called:
    """The helpers that a function calls; each is written for arguments of the same forms wherever it is called."""

    def __init__(self, helper: Callable[..., InFloats | None], function: Function) -> None:
        self._helper, self._function = helper, function
        self.used: dict[str, InFloats] = {}

    def gives(self, name: str, forms: tuple[Form, ...]) -> Form:
        """What a helper gives for arguments of some forms."""
        found = self._helper(self._function, name, forms)
        return found.gives if found is not None else None

    def use(self, name: str, forms: tuple[Form, ...]) -> bool:
        """Take a helper, if it is written in plain numbers."""
        found = self._helper(self._function, name, forms)
        if found is not None and self.used.setdefault(name, found) is not found:
            raise Unusual
        return found is not None

    @property
    def written(self) -> dict[str, frozenset[int]]:
        """Into which arguments the helpers write."""
        return {name: found.written for name, found in self.used.items()}

    @property
    def faster(self) -> bool:
        """Whether any of them is in another form than before."""
        return any(found.faster for found in self.used.values())


def _may_be_plain(derived: Derived) -> bool:
    """Whether it is worth to look: a gradient for arguments of known kinds, with loops in it or its helpers."""
    request = derived.request
    joint = request.mode == "reverse" and request.motion == "joint"
    if not joint or not request.optimized or request.has_aux or request.together:
        return False
    contents, forms = derived.functions[0].contents, forms_of(derived)
    if len(derived.functions) > 1 or any(forms.get(name) is None for name in request.wrt):
        return False
    cells = derived.functions[0].namespace.cells
    return contents.loops or any(n.endswith("_backward") for n in cells)


def forms_of(derived: Derived) -> dict[str, Form]:
    """The forms of the parameters, which arguments must have; None where anything may be given."""
    params, kinds = derived.primal.params, derived.request.kinds or ()
    return {p.name: _form(kind) for p, kind in zip(params, kinds)}


def real_forms_of(derived: Derived) -> dict[str, Form]:
    """The same, but nothing of tuples with integers: how large these are, nobody asks."""
    known = forms_of(derived)
    return {n: None if isinstance(f, tuple) and INT in f else f for n, f in known.items()}


def _form(kind: object) -> Form:
    if isinstance(kind, Tuple):
        found = tuple(map(_form, kind.items))
        plain = kind.type == "tuple" and not kind.optional and set(found) <= set(NUMBERS)
        return found if plain else None
    if not isinstance(kind, Num) or kind.persistent or kind.optional:
        return None
    if kind.scalar:
        return {"float": FLOAT, "int": INT}.get(kind.exact)
    if not kind.ndim:
        return None
    return {"float": kind.ndim, "int": Ints(kind.ndim)}.get(kind.exact)


def _with_math(derived: Derived) -> Derived:
    """The derivative, in which ``math`` is known, if the name means nothing else."""
    functions = [
        f
        if f.namespace.binds("math")
        else replace(f, namespace=f.namespace.extended({"math": CellType(math)}))
        for f in derived.functions
    ]
    return replace(derived, functions=tuple(functions))


def _asks(statement: gast.stmt, scope: Scope) -> bool:
    """Whether a statement only makes sure that arguments are numbers: these are."""
    match statement:
        case gast.Expr(value=gast.Call(func=func)):
            return scope.purity.means(func, (runtime.numbers,))
    return False


def _gives_value(derived: Derived) -> bool:
    return derived.request.output != "gradient"


def _given(body: Body, sorts: Sorts) -> Form:
    """What a function gives, wherever it ends."""
    ends = [s.value for s in syntax.statements(body) if isinstance(s, gast.Return)]
    found = [sorts.of(value) for value in ends]
    for form in found[1:]:
        found[0] = joined(found[0], form)
    return found[0] if found else None


def _numpy_value(derived: Derived, sorts: Sorts, scope: Scope, body: Body) -> int | None:
    """Which part of the result is the value, if that is a number of NumPy; ``Unusual`` if that depends."""
    if not _gives_value(derived) or derived.request.motion != "joint":
        return None
    place, spread = derived.request.output.split(", ").index("value"), Spread(sorts, scope.purity)
    ends = [s.value for s in syntax.statements(body) if isinstance(s, gast.Return)]
    if not all(isinstance(end, gast.Tuple) for end in ends):
        raise Unusual
    values = [end.elts[place] for end in ends]
    found = {spread.of(value) if sorts.of(value) == FLOAT else False for value in values}
    if found not in ({True}, {False}):
        raise Unusual
    return place if found == {True} else None
