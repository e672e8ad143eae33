"""Tables: lists of numbers that a function makes, whose numbers it takes and stores one by one, as arrays.

In: a function as it was read, what its arguments are.
Out: ``tabled``: ``Tabled``, the function with arrays; None where no list can be one.
Next: tabled.

``made`` knows what makes lists, ``found`` which names hold such that are only used number by number, ``written``
writes the arrays. A list may hold integers where its array has floats, so that values may be of another type:
gradients are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import CellType, FunctionType
from typing import Any

import gast
import numpy as np

from tangentlite import rules, syntax
from tangentlite.ir import Function, Namespace
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.numbers.forms import INT, NUMBERS, Form, form_of
from tangentlite.optimize.numbers.sorts import Sorts
from tangentlite.slices.effects import DEEP, Effects
from tangentlite.tables.bits import GIVEN
from tangentlite.tables.found import ranks
from tangentlite.tables.integers import Integers
from tangentlite.tables.made import UNSEEN, Made, made
from tangentlite.tables.written import written
from tangentlite.values import immutable, replace

# What builtins make of a float does not depend on whether it is one of NumPy, or on whether it was an integer.
ALIKE = (abs, enumerate, float, int, len, list, max, min, pow, range, reversed, sum, zip)
MAKERS = frozenset((gast.List, gast.ListComp))


@immutable(eq=False)
class Tabled:
    """A function with arrays for lists. ``outside``: the forms of the numbers outside that it reads.

    ``alone``: whether it writes into nothing but its lists, so that it may be called with the arguments themselves.
    ``bounds``: below which integers must be that it is given, where there are some in its lists.
    """

    function: Function
    outside: Mapping[str, Form]
    alone: bool
    bounds: Mapping[str, int]


def tabled(
    function: Function,
    given: Mapping[str, Form],
    read: Callable[[Any], Function],
    lists: Mapping[str, int] = {},
) -> Tabled | None:
    """A function whose lists of numbers are arrays, those among its arguments, too (``lists`` and their ranks).

    >>> from tangentlite.optimize.samples import function, text_of
    >>> from tangentlite.optimize.numbers.forms import FLOAT
    >>> made = function("u = [0.0] * n\\nu[0] = x\\nfor i in range(1, n):\\n    u[i] = u[i - 1]\\nreturn u[n - 1]")
    >>> print(text_of(tabled(made, {"x": FLOAT, "n": INT}, None).function.body))
    u = np.zeros(n)
    u[0] = x
    for i in range(1, n):
        u[i] = u[i - 1]
    return u[n - 1]
    """
    kinds = function.contents.kinds
    makes = bool(lists) or not kinds.isdisjoint(MAKERS)
    if not makes or not kinds.isdisjoint(UNSEEN) or function.generated:
        return None
    purity = Purity(function.namespace, function.local, rules.is_pure)
    makes = bool(lists) or any(True for _ in _makers(function, purity))
    found = ranks(function, purity, lists) if makes else {}
    if not found or not lists.keys() <= found.keys():
        return None
    if not Effects(function, read).all_plain(function.body) or not _is_alike(function, read):
        return None
    space = function.namespace
    if not space.binds("np"):
        space = space.extended({"np": CellType(np)})
    if "np" in function.local or space.lookup("np") is not np or not _is_builtin_range(function):
        return None
    better = replace(function.with_body(written(function, found, purity)), namespace=space)
    fresh = dict.fromkeys(better.local - function.local, 0)
    integers = Integers(function, found, {**given, **lists}, read)
    if integers.large:
        return None
    return _checked(better, {**given, **lists}, {**fresh, **found}, integers.held)


def _makers(function: Function, purity: Purity) -> Iterator[Made]:
    """What makes lists of numbers."""
    for statement in syntax.statements(function.body):
        if isinstance(statement, gast.Assign):
            for value in (statement.value, *getattr(statement.value, "elts", ())):
                if (found := made(value, purity)) is not None:
                    yield found


def _is_alike(function: Function, read: Callable[[Any], Function], depth: int = 0) -> bool:
    """Whether a function, and its helpers, do the same with numbers of NumPy as with those of Python."""
    purity = Purity(function.namespace, function.local, rules.is_pure)
    for call in function.contents.calls:
        meant = purity.meaning(call.func)
        if getattr(meant, "__module__", None) == "builtins" and meant not in ALIKE:
            return False
        if type(meant) is FunctionType and rules.find(meant) is None:
            if depth >= DEEP or not _is_alike(read(meant), read, depth + 1):
                return False
    return not any(map(_tells_apart, syntax.nodes(function.body)))


def _tells_apart(node: Any) -> bool:
    """Whether an integer is told from the float that is equal to it, or a number from one that is the same."""
    match node:
        case gast.JoinedStr() | gast.Attribute(attr="format"):
            return True
        case gast.BinOp(left=gast.Constant(value=str()), op=gast.Mod()):
            return True
        case gast.Compare(ops=ops, comparators=[*_, gast.Constant(value=None)]) if len(ops) == 1:
            return False
        case gast.Compare(ops=ops):
            return any(isinstance(op, gast.Is | gast.IsNot) for op in ops)
    return False


def _is_builtin_range(function: Function) -> bool:
    space = function.namespace
    return "range" not in function.local and (
        not space.binds("range") or space.lookup("range") is range
    )


def _checked(
    function: Function, given: Mapping[str, Form], tables: Mapping[str, int], counts: bool
) -> Tabled | None:
    """The function, if integers are the indices of tables, and numbers what they hold; of rank zero: nobody asks."""
    space = function.namespace
    names = sorted(n for n in function.read - function.local if space.binds(n))
    forms = {name: form_of(space.lookup(name)) for name in names}
    outside = {name: form for name, form in forms.items() if form in NUMBERS}
    purity = Purity(space, function.local, rules.is_pure)
    sorts = Sorts(function.body, {**outside, **given}, purity)
    if any(rank and sorts.known.get(name) != rank for name, rank in tables.items()):
        return None
    stores, added = list(_stores(function.body)), _added(function.body)
    for target, value in stores:
        base = _base(target)
        if isinstance(target, gast.Attribute) or base not in function.local:
            return None
        if base in tables and (value is None or sorts.of(value) not in NUMBERS):
            return None
    for node in syntax.nodes(function.body):
        if isinstance(node, gast.Subscript) and _base(node) in tables:
            index = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
            if any(sorts.of(i) != INT for i in index):
                return None
    own = {*tables, *_made_here(function, purity)}
    alone = all(_base(target) in own for target, _ in stores)
    alone = alone and all(sorts.known.get(name) in NUMBERS for name in added)
    bounds = {n: _bound(space, n) for n in outside} | dict.fromkeys(given, 1 << GIVEN)
    return Tabled(function, outside, alone, bounds if counts else {})


def _bound(space: Namespace, name: str) -> int:
    """A bound of a number outside, of which the size is known today."""
    value: Any = space.lookup(name)
    return 1 << max(GIVEN, value.bit_length() if type(value) is int else 0)


def _made_here(function: Function, purity: Purity) -> set[str]:
    """The names that hold new arrays only."""
    found, others = set[str](), {p.name for p in function.params}
    for statement in syntax.statements(function.body):
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) if (
                purity.fresh(call)
            ):
                found.add(name)
            case gast.Assign() | gast.For():
                others |= syntax.stores(getattr(statement, "targets", None) or statement.target)
    return found - others


def _added(body: list[gast.stmt]) -> set[str]:
    """The names to which something is added in place, or the like."""
    nodes = (n for n in syntax.nodes(body) if isinstance(n, gast.AugAssign))
    return {n.target.id for n in nodes if isinstance(n.target, gast.Name)}


def _base(tree: Any) -> str:
    while isinstance(tree, gast.Subscript | gast.Attribute):
        tree = tree.value
    return tree.id if isinstance(tree, gast.Name) else ""


def _stores(body: list[gast.stmt]) -> Iterator[tuple[Any, Any]]:
    """What is stored into places and attributes; None where that is not in the text."""
    for statement in syntax.statements(body):
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        for target in targets:
            value = None if isinstance(statement, gast.For) else getattr(statement, "value", None)
            yield from _pairs(target, value)


def _pairs(target: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(target, gast.Subscript | gast.Attribute):
        yield target, value
    elif isinstance(target, gast.Tuple | gast.List):
        parts = value.elts if isinstance(value, gast.Tuple) else []
        known = len(parts) == len(target.elts)
        for k, part in enumerate(target.elts):
            yield from _pairs(part, parts[k] if known else None)
    elif isinstance(target, gast.Starred):
        yield from _pairs(target.value, None)
