"""What a list takes in, and what Python's own functions walk over, where that is no list: the keys of a dict, a range.

In: a statement, and the kinds before it.
Out: statements that make a list first: ``xs += (a, b)`` becomes ``t = list((a, b)); xs += t``.
Next: functions.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from functools import partial
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.calling.stars import with_call
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.joining import is_row, may_be_tuple
from tangentlite.analysis.kinds import Dict, Inert, Kind, List, Num, Tuple
from tangentlite.analysis.lists.containers import slot
from tangentlite.analysis.lists.listed import Listed, placed
from tangentlite.analysis.lists.unordered import is_set

Statements = list[gast.stmt]
WALKING: tuple[Any, ...] = (max, min, math.fsum, math.prod, np.fromiter)


class Walked(Listed):
    """The part of the classifier for what is walked over once, without a loop."""

    @abstractmethod
    def source(self, statement: gast.stmt) -> gast.stmt | None:
        """What the user wrote for a statement."""

    def between(self, statement: gast.stmt, state: Environment) -> Statements | None:
        """``xs += (a, b)`` and ``xs[1:] = d``, beside what is made of arrays and lists."""
        value = self._taken_in(statement, state)
        if value is None:
            return super().between(statement, state)
        kinds = (self.kind(value, state),)
        known = self.rewrites.found.get(statement)
        if known is None or known[0] != kinds:
            made = self._listed(statement, value)
            for other in made:
                placed(other, statement)
            known = self.rewrites.found[statement] = kinds, made
        return known[1]

    def _taken_in(self, statement: gast.stmt, state: Environment) -> gast.expr | None:
        """What a list takes in that is no list."""
        match statement:
            case gast.Assign(
                targets=[gast.Subscript(value=base, slice=gast.Slice())], value=gast.Name() as value
            ) if not self.generated:
                fits = _is_walked(self.kind(base, state), self.kind(value, state))
            case gast.Assign(
                value=gast.BinOp(left=left, op=gast.Add(), right=gast.Name() as value)
            ):
                fits = _is_taken_in(self.kind(left, state), self.kind(value, state))
                fits = fits and isinstance(self.source(statement), gast.AugAssign)
            case gast.AugAssign(
                target=gast.Subscript(value=base, slice=i),
                op=gast.Add(),
                value=gast.Name() as value,
            ):
                was = slot(self.kind(base, state), i, partial(self.kind, state=state))
                fits = _is_taken_in(was, self.kind(value, state))
            case _:
                return None
        return value if fits else None

    def extended(
        self, statement: gast.stmt, call: gast.Call, state: Environment
    ) -> Statements | None:
        """``xs.extend(a)`` of an array, a range, a set or a dict becomes ``t = list(a); xs.extend(t)``."""
        match call:
            case gast.Call(
                func=gast.Attribute(value=base, attr="extend"), args=[gast.Name() as value]
            ) if not self.generated and _is_walked(self.kind(base, state), self.kind(value, state)):
                return self._listed(statement, value, call, 0)
        return None

    def keys_taken(
        self, statement: gast.stmt, call: gast.Call, state: Environment
    ) -> Statements | None:
        """``max(d)`` and ``f(*d)`` of a dict become ``t = list(d); max(t)``."""
        walks = any(self.value(call.func, state) is w for w in WALKING)
        walks = walks and (len(call.args) == 1 or self.value(call.func, state) is np.fromiter)
        for k, arg in enumerate(call.args if not self.generated else ()):
            value = arg.value if isinstance(arg, gast.Starred) else arg if walks and not k else None
            if isinstance(value, gast.Name) and isinstance(self.kind(value, state), Dict):
                return self._listed(statement, value, call, k)
        return None

    def _listed(
        self, statement: gast.stmt, value: gast.expr, call: gast.Call | None = None, place: int = 0
    ) -> Statements:
        """``t = list(a)``, and the statement with t for a, which stands in a place of a call."""
        name = self.rewrites.temporary()
        made = gast.Call(self.rewrites.denoted(list), [value], [])
        new: gast.expr = syntax.name(name)
        match statement:
            case _ if call is not None:
                args = list(call.args)
                args[place] = new if args[place] is value else gast.Starred(new, gast.Load())
                new = gast.Call(call.func, args, call.keywords)
            case gast.Assign(value=gast.BinOp(left=left, op=op)):
                new = gast.BinOp(left, op, new)
        return [syntax.assign(name, made), with_call(statement, new)]


def _is_walked(base: Kind, value: Kind) -> bool:
    """Whether a list takes in elements of an array or of a set, numbers of a range, or keys of a dict."""
    if not isinstance(base, List | Tuple):
        return False
    if isinstance(value, Inert):
        return value.type == "range" or is_set(value)
    return isinstance(value, Dict) or (isinstance(value, Num) and not value.scalar)


def _is_taken_in(base: Kind, value: Kind) -> bool:
    """Whether ``+=`` of a list takes in what is neither a list nor an array."""
    if not is_row(base) or may_be_tuple(base):
        return False
    if isinstance(value, List | Tuple):
        return not is_row(value) or may_be_tuple(value)
    return not isinstance(value, Num) and _is_walked(base, value)
