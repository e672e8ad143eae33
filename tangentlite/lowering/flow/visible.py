"""What other names may show of what a body makes.

In: statements of a normal form, and the names that are read when they have failed.
Out: the names whose arrays, lists and dicts can be seen then.
Next: halves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.lowering.context import Context

Body = list[gast.stmt]
Link = tuple[str, str]  # where the first is seen, so is the second
FRESH = ("zeros", "empty", "ones", "full", "copy", "array", "zeros_like", "empty_like")
OUTSIDE = ""  # no name of the function
LOOKING = "sum mean max min prod dot std var any all argmax argmin norm".split()
DISPLAYS = gast.List, gast.Tuple, gast.Dict, gast.Set


def is_fresh(statement: Any) -> bool:
    """Whether a statement binds a name to what nothing else holds yet."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.List() | gast.Dict()):
            return True
        case gast.Assign(
            targets=[gast.Name()], value=gast.Call(func=gast.Attribute(attr=attr))
        ) if attr in FRESH:
            return True
    return False


def may_hold(value: Any) -> bool:
    """Whether what is fresh is a list or a dict, whose elements others may see; or a copy of one."""
    return not isinstance(value, gast.Call) or value.func.attr == "copy"


def seen(body: Body, names: frozenset[str], context: Context) -> set[str]:
    """``names``, what the body has from elsewhere, and what those hold.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered('''
    ... try:
    ...     a = [0]
    ...     y.append(a)
    ...     a[0] = 1 / x
    ...     z = 1 / y[1]
    ... except E:
    ...     z = 1
    ... return y''', "x", "y"))
    failed = False
    try:
        a = [0]
        y.append(a)
    except E:
        failed = True
    if not failed:
        try:
            t1 = 1 / x
            a[0] = t1
        except E:
            failed = True
    if not failed:
        try:
            t2 = y[1]
            z = 1 / t2
        except E:
            failed = True
    if failed:
        z = 1
    return y
    """
    links = _Links(body, context)
    found = {OUTSIDE, *names} | ((syntax.loads(body) & context.locals) - syntax.stores(body))
    while more := {held for name, held in links.found if name in found} - found:
        found |= more
    return found


class _Links:
    def __init__(self, body: Body, context: Context) -> None:
        self.context = context
        statements = syntax.statements(body)
        bindings = [s for s in statements if isinstance(s, gast.Assign)]
        self.arrays = {s.targets[0].id for s in bindings if is_fresh(s) and not may_hold(s.value)}
        self.lists = {
            getattr(s.targets[0], "id", "") for s in bindings if isinstance(s.value, DISPLAYS)
        }
        self.found: set[Link] = {link for s in statements for link in self.of(s)}

    def of(self, statement: Any) -> Iterator[Link]:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                yield from self.bound(name, value)
            case (
                gast.Assign(targets=[place], value=value)
                | gast.AugAssign(target=place, value=value)
            ):
                yield from self.linked(syntax.loads(place), syntax.loads(value))
        if isinstance(value := getattr(statement, "value", None), gast.Call):
            yield from self.given(value)

    def bound(self, name: str, value: Any) -> Iterator[Link]:
        """What ``name = value`` gives a second name, or makes a part of something."""
        inside = self.locals(value)
        match value:
            case gast.UnaryOp() | gast.Compare() | gast.Constant():
                return
            case gast.BinOp():
                inside &= self.lists
            case gast.Call() if self.looks(value):
                return
        yield from self.linked({name}, inside)
        copied = isinstance(value, gast.Call) and getattr(value.func, "attr", "") in FRESH
        if not copied and not isinstance(value, DISPLAYS):
            yield from self.linked(inside, {name})

    def given(self, call: gast.Call) -> Iterator[Link]:
        """What a call is given may be kept: by the object whose method it is, else by anything."""
        if not self.looks(call) and not self.context.is_module(getattr(call.func, "value", call)):
            args = self.locals([*call.args, *(k.value for k in call.keywords)])
            yield from self.linked(self.locals(call.func) or {OUTSIDE}, args)

    def looks(self, call: gast.Call) -> bool:
        """Whether what a call gives shares nothing with what it is given, which it does not keep."""
        meaning = self.context.meaning(call.func)
        if isinstance(meaning, np.ufunc) or getattr(meaning, "__module__", None) == "math":
            return True
        match call.func:
            case gast.Attribute(value=gast.Name(id=name), attr=attr) if attr in LOOKING:
                return name in self.arrays or self.context.is_module(call.func.value)
        return False

    def locals(self, tree: Any) -> set[str]:
        return syntax.loads(tree) & self.context.locals

    def linked(self, names: set[str], held: set[str]) -> Iterator[Link]:
        """Where one of some names is seen, so is what they hold."""
        return ((a, b) for a in names for b in held if a != b)
