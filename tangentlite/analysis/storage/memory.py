"""Whose memory a statement shares, and whose it writes.

In: an operation.
Out: names.
Next: aliases.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Set
from types import BuiltinFunctionType, FunctionType

import gast
import numpy as np

from tangentlite import ir, syntax
from tangentlite.analysis.kinds import Inert, Kind, Nothing, Num, Value, is_persistent
from tangentlite.analysis.operations import (
    Accumulate,
    Copy,
    Display,
    Joined,
    Mutate,
    NoFlow,
    Opaque,
    Operation,
    Pop,
    Primitive,
    Push,
    Slot,
    Store,
    UserCall,
)
from tangentlite.lowering.flow.guards import called
from tangentlite.rules import Rule

BARE = (FunctionType, BuiltinFunctionType, type, float, int, np.floating)
# Rules of the library whose result may be a view of an argument, or the argument itself.
VIEWS = frozenset(
    """getitem T mT reshape reshape_method ravel transpose transpose_all transpose_method
    matrix_transpose swapaxes moveaxis expand_dims squeeze atleast broadcast_to flip fliplr flipud
    rot90 plain_view frombuffer split hsplit vsplit dsplit broadcast_arrays rollaxis windows strided array diagonal diag
    real imag conj einsum
    add_at aligned columns distinct filled kept like lined real_only seed sequence split_like
    tangent through uncolumns undiag unjoin unmerge unpack unpad part unreduce unstack untranspose
    repeated in_order asfortranarray ascontiguousarray require owned still stored followed
    weights unbroadcast broadcast spread rejoin unsplit add buffer view apart unshared
    matrix_power leading trailing last_columns thin corner unwindow separated unpadded spanned
    resized fftn ifftn tail observations unobserved crop headed polyder polyint
    real_if_close
    winner number reached sure ordered_like unordered undiff merge unweights
    complete unrepeated unfollowed gather unrfftn""".split()
)
MANY = frozenset({"add", "view", "followed", "aligned", "filled", "einsum", "winner"})
# Rules that copy what they read of a persistent array.
READINGS = frozenset({"getitem", "array", "ascontiguousarray"})
COPIES = (np.array, np.copy, np.ndarray.copy, np.ndarray.flatten, copy.copy, copy.deepcopy)


def memory(kind: Kind | None) -> bool:
    """Whether a value of this kind has memory that another name may write."""
    match kind:
        case Num():
            return not kind.scalar
        case Inert() | Nothing() | Value():
            return False
    return True


def shared(operation: Operation, statement: gast.stmt) -> Iterator[str]:
    """The names whose memory the target of a statement may share afterwards."""
    match operation:
        case Copy(source=name) | Slot(container=name) | Pop(stack=name):
            yield name
        case Mutate(container=name):
            yield name
        case Joined(left=left, right=right):
            yield left
            yield right
        case Display(elements=elements):
            yield from (e.id for e in elements if isinstance(e, gast.Name))
        case Primitive(rule=rule, bound=bound):
            if _may_view(rule, bound, operation.kinds):
                yield from _names(_many(rule, bound) if rule.name in MANY else _first(rule, bound))
        case UserCall(bound=bound, shares=shares):
            yield from _names({p: v for p, v in bound.items() if p in shares})
        case Opaque(names=names) if called(statement) != "error_caught":
            yield from names
        case NoFlow():
            yield from _loose(statement)


def with_memory(
    given: Iterable[str], statement: gast.stmt, namespace: ir.Namespace, local: Set[str]
) -> set[str]:
    """Names without those from outside of numbers, and of functions whose attributes are not asked for."""
    found = set(given)
    return found if found <= local else found - _without(statement, namespace, local)


def _without(statement: gast.stmt, namespace: ir.Namespace, local: Set[str]) -> set[str]:
    nodes = [n for n in syntax.walk(statement) if isinstance(n, (gast.Name, gast.Attribute))]
    owners = {str(n.value.id) for n in nodes if isinstance(getattr(n, "value", None), gast.Name)}
    names = {str(n.id) for n in nodes if isinstance(n, gast.Name)} - owners
    return {
        n
        for n in names
        if n not in local and namespace.binds(n) and isinstance(namespace.lookup(n), BARE)
    }


def held(operation: Operation) -> tuple[str, list[str]]:
    """A container that a statement changes, and the names whose memory it may hold then."""
    match operation:
        case Store(container=name, value=gast.Name(id=value), holds=True):
            return name, [value]
        case Accumulate(buffer=name, value=gast.Name(id=value), anything=True):
            return name, [value]  # what a list is lengthened by
        case Mutate(container=name):
            return name, [v.id for v in operation.values() if isinstance(v, gast.Name)]
        case Push(stack=name, value=gast.Name(id=value)):
            return name, [value]
    return "", []


def is_view(operation: Operation) -> bool:
    """Whether the target of a statement is its source, or part of it, and nothing is computed."""
    match operation:
        case Primitive(rule=rule, bound=bound):
            return _may_view(rule, bound, operation.kinds)
        case Copy() | Slot():
            return True
    return False


def _may_view(rule: Rule, bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind]) -> bool:
    if "templates" not in rule.file:
        return True  # a user's rule may be that of a function which hands its argument on
    if rule.name in READINGS and is_persistent(kinds.get(rule.params[0].name)):
        return False
    if rule.name == "elements":
        return getattr(kinds.get("x"), "ndim", None) != 1  # numbers are no views
    if rule.name == "diff":
        return "n" in bound  # no difference at all is the array
    if rule.name == "astype":
        return "copy" in bound
    if rule.name == "getitem":
        return (getattr(kinds.get("i"), "ndim", None) or 0) < 1  # an array of indices gathers
    if rule.callee in COPIES:
        return rule.callee is np.array and "copy" in bound
    if rule.algebra == "elementwise":
        return rule.name in ("real", "imag", "conj")
    return rule.name in VIEWS


def _first(rule: Rule, bound: Mapping[str, gast.expr]) -> dict[str, gast.expr]:
    """The argument that a function of the library may give a view of."""
    if "templates" not in rule.file:
        return dict(bound)
    first = rule.params[0].name
    return {p: v for p, v in bound.items() if p.split("[")[0] == first}


def _many(rule: Rule, bound: Mapping[str, gast.expr]) -> dict[str, gast.expr]:
    """The arguments of which the result may be one, or a view: all but those that are only looked at."""
    return {p: v for p, v in bound.items() if p.split("[")[0] not in rule.indifferent}


def _names(bound: Mapping[str, gast.expr]) -> Iterator[str]:
    return (v.id for v in bound.values() if isinstance(v, gast.Name))


def _loose(statement: gast.stmt) -> Iterator[str]:
    """What is bound without calculus may still be somebody's array: ``b = a`` of integers, a global."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Name(id=name)):
            yield name
        case gast.Assign(targets=[gast.Name()], value=gast.Subscript(value=gast.Name(id=name))):
            yield name
        case gast.Assign(targets=[gast.Name()], value=gast.Attribute() as value):
            path = syntax.dotted(value)
            if path is not None:
                yield path.partition(".")[0]


def restructured(operation: Operation | None) -> str | None:
    """The list or dict that a statement changes."""
    match operation:
        case Store(container=name, holds=True) | Accumulate(buffer=name, holds=True):
            return name
        case Mutate(container=name):
            return name
    return None


def written(operation: Operation | None) -> Iterator[str]:
    """The names through which a statement writes into arrays."""
    if operation.__class__ is Primitive:
        return
    match operation:
        case Store(container=name) | Accumulate(buffer=name, gathers=False):
            yield name
        case Mutate(container=name):
            yield name
        case UserCall(bound=bound, writes=writes):
            yield from _names({p: v for p, v in bound.items() if p in writes})
        case Opaque(names=names, refused=True) | Opaque(changes=names):
            yield from names
