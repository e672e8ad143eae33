"""What a normal statement does, as far as calculus is concerned.

In: nothing.
Out: ``Operation`` and its members: one per statement, found by ``inference``.
Next: inference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import Any

import gast

from tangentlite.analysis.kinds import Kind, floating
from tangentlite.frontend.inserted import Insertion
from tangentlite.rules import Rule
from tangentlite.values import field, immutable

NAME = itemgetter(1)  # of a pair (parameter, name)


@immutable(eq=False)
class Operation:
    """Root. ``sources()`` are the names from which a derivative may flow to the target."""

    def sources(self) -> Iterator[str]:
        """Names that the derivative of the target depends on."""
        return iter(())


@immutable(eq=False)
class NoFlow(Operation):
    """The target has no derivative: literals, truth values, integers, effects."""


@immutable(eq=False)
class Inserted(NoFlow):
    """Inserted code reads the adjoints of some names, and may give them others.

    Whatever depends on an input, their adjoints are wanted before and after. ``altered``: lists, dicts and objects
    that it may change.
    """

    insertion: Insertion
    names: tuple[str, ...]
    altered: frozenset[str] = frozenset()

    def sources(self) -> Iterator[str]:
        return iter(self.names)


@immutable(eq=False)
class Copy(Operation):
    """``y = x``, also through functions that hand their argument on; ``fresh``: the list or dict is a new one."""

    source: str
    fresh: bool = False

    def sources(self) -> Iterator[str]:
        yield self.source


@immutable(eq=False)
class Primitive(Operation):
    """A call, operator, method or attribute with a rule. ``bound`` maps parameters to expressions."""

    rule: Rule
    bound: Mapping[str, gast.expr]
    kinds: Mapping[str, Kind] = field(default_factory=dict)

    flows: tuple[tuple[str, str], ...] = field(init=False)

    def __post_init__(self) -> None:
        """Pairs (parameter, name) through which a derivative may flow: the rule says where none can."""
        flows = [
            (parameter, value.id)
            for parameter, value in self.bound.items()
            if value.__class__ is gast.Name
            and parameter.split("[")[0] not in self.rule.indifferent
            and (parameter not in self.kinds or floating(self.kinds[parameter]))
        ]
        object.__setattr__(self, "flows", tuple(flows))

    def sources(self) -> Iterator[str]:
        return map(NAME, self.flows)


@immutable(eq=False)
class Display(Operation):
    """A tuple, list or dict display; ``keys`` are the indices of its elements."""

    elements: tuple[gast.expr, ...]
    keys: tuple[gast.expr, ...]

    def sources(self) -> Iterator[str]:
        return (e.id for e in self.elements if isinstance(e, gast.Name))


@immutable(eq=False)
class Joined(Operation):
    """``y = left + right`` of two lists or tuples."""

    left: str
    right: str

    def sources(self) -> Iterator[str]:
        yield self.left
        yield self.right


@immutable(eq=False)
class Slot(Operation):
    """``y = container[index]``."""

    container: str
    index: gast.expr

    def sources(self) -> Iterator[str]:
        yield self.container


@immutable(eq=False)
class Store(Operation):
    """``container[index] = value``; ``unique``: no element is named twice by the index.

    ``holds``: the container is a list or a dict, which holds the value itself.
    """

    container: str
    index: gast.expr
    value: gast.expr
    unique: bool = True
    holds: bool = False

    def sources(self) -> Iterator[str]:
        yield self.container
        if isinstance(self.value, gast.Name):
            yield self.value.id


@immutable(eq=False)
class Accumulate(Operation):
    """``buffer[index] += value`` (sign -1: ``-=``).

    ``unique``: where the index names an element twice, each adds (or it cannot); else the last one wins.
    ``gathers``: a list of adjoints, whose slots are bound anew. ``anything``: the element of a list or dict is not
    known to be an array or a number. ``number``: it is a number, in a list or dict that gets another one.
    """

    buffer: str
    index: gast.expr
    value: gast.expr
    sign: int = 1
    unique: bool = True
    holds: bool = False
    gathers: bool = False
    anything: bool = False
    number: bool = False

    def sources(self) -> Iterator[str]:
        yield self.buffer
        if isinstance(self.value, gast.Name):
            yield self.value.id


@immutable(eq=False)
class Mutate(Operation):
    """``container.method(args)``: a list or a dict changes; ``named`` are keyword arguments."""

    container: str
    method: str
    args: tuple[gast.expr, ...]
    named: Mapping[str, gast.expr] = field(default_factory=dict)

    def values(self) -> list[gast.expr]:
        """The arguments that the container may hold afterwards."""
        return [*self.args, *self.named.values()]

    def sources(self) -> Iterator[str]:
        yield self.container
        for value in self.values():
            if isinstance(value, gast.Name):
                yield value.id


@immutable(eq=False)
class Push(Operation):
    """``stack.append(value)``."""

    stack: str
    value: gast.expr

    def sources(self) -> Iterator[str]:
        yield self.stack
        if isinstance(self.value, gast.Name):
            yield self.value.id


@immutable(eq=False)
class Pop(Operation):
    """``y = stack.pop()``."""

    stack: str

    def sources(self) -> Iterator[str]:
        yield self.stack


@immutable(eq=False)
class UserCall(Operation):
    """A call of a function with Python source; ``bound`` maps its parameters to expressions.

    ``writes``: the parameters whose arrays it writes, ``shares``: those whose memory its result may share,
    ``gathers``: those whose adjoints it is given, to add to them, ``holds``: pairs of them, of which the first may
    hold memory of the second afterwards. ``places``: as ``origins.given`` tells. ``filled``: what it
    puts something into. ``inserts``: there is inserted code in it, which may change the arguments of ``alters``.
    ``reads``: it reads numbers from texts.
    """

    function: Any
    bound: Mapping[str, gast.expr]
    kinds: tuple[Kind, ...]
    places: tuple[frozenset[Any], ...] = ()
    filled: tuple[Kind, ...] = ()
    writes: frozenset[str] = frozenset()
    shares: frozenset[str] = frozenset()
    gathers: frozenset[str] = frozenset()
    holds: frozenset[tuple[str, str]] = frozenset()
    inserts: bool = False
    alters: frozenset[str] = frozenset()
    reads: bool = False

    def sources(self) -> Iterator[str]:
        for value in self.bound.values():
            if isinstance(value, gast.Name):
                yield value.id


@immutable(eq=False)
class Opaque(Operation):
    """Nothing is known of it: an error (with this reason and hint) if a derivative would flow through it.

    ``refused``: an error whatever flows. ``changes``: what it may write what it is given into.
    """

    names: tuple[str, ...]
    reason: str
    hint: str = ""
    error: type[Exception] | None = None
    of_kinds: bool = False
    refused: bool = False
    changes: tuple[str, ...] = ()

    def sources(self) -> Iterator[str]:
        return iter(self.names)


@immutable
class Sum:
    """The result of a helper is never negative, and flat where it is zero, if the parameters of ``given`` are so.

    ``product``: it is unless products of matrices are in it.
    """

    given: frozenset[str]
    product: bool = False


@immutable
class Summary:
    """What a caller must know of a function: the kind of its result, what it writes and hands on.

    ``left``: the lists and dicts that it changes, and of which kind it leaves them. ``gathers``, ``holds``: as in
    ``UserCall``. ``quiet``: it does nothing else that can be seen. ``whole``: it does not fail after it has written.
    ``inserts``: there is inserted code in it, or in what it calls, which may
    change the parameters of ``alters``.
    ``keeps``: parameters, and the containers outside into which numbers flow from them.
    ``fills``: the lists, dicts and objects into which it puts something, as they are before.
    ``standing``: of one that gives functions, a function that gives them as closures which can be taken apart.
    ``reads``: it reads numbers from texts that were written with numbers. ``deep``: it may write into
    more than its parameters themselves. ``once``: what it calls that must not run twice.
    ``sum``: what makes its result a sum of squares. ``floats``: floats of Python give nothing but these.
    """

    kind: Kind
    writes: frozenset[str] = frozenset()
    shares: frozenset[str] = frozenset()
    left: tuple[tuple[str, Kind], ...] = ()
    gathers: frozenset[str] = frozenset()
    quiet: bool = False
    whole: bool = True
    keeps: frozenset[tuple[str, int]] = frozenset()
    holds: frozenset[tuple[str, str]] = frozenset()
    inserts: bool = False
    alters: frozenset[str] = frozenset()
    standing: Any = field(default=None, compare=False)
    reads: bool = False
    fills: frozenset[Kind] = field(default=frozenset(), compare=False)
    deep: bool = False
    once: str = ""
    sum: Sum | None = None
    floats: bool = False

    @property
    def effects(self) -> tuple[Any, ...]:
        """What ``UserCall`` tells of it."""
        effects = self.writes, self.shares, self.gathers, self.holds
        return *effects, self.inserts, self.alters, self.reads


def filled_by(operation: Operation) -> tuple[Kind, ...] | None:
    """What a call puts something into; None of other operations, which fill what they name."""
    return operation.filled if isinstance(operation, UserCall) else None


def target(statement: gast.stmt, operation: Operation | None) -> str | None:
    """The name that a simple statement binds (or, accumulating, changes)."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)]):
            return name  # type: ignore[no-any-return]
        case gast.AugAssign(target=gast.Subscript(value=gast.Name(id=name))):
            return name  # type: ignore[no-any-return]
        case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=name))]):
            return name  # type: ignore[no-any-return]
    match operation:
        case Store(container=name) | Accumulate(buffer=name) | Push(stack=name):
            return name
    return None


def inserts(operation: Operation | None) -> bool:
    """Whether a statement has inserted code, which runs whatever is differentiated."""
    return isinstance(operation, Inserted) or (
        isinstance(operation, UserCall) and operation.inserts
    )


def altered(operation: Operation | None) -> frozenset[str]:
    """The names of lists, dicts and objects that inserted code may change."""
    if isinstance(operation, UserCall):
        given = (operation.bound.get(p) for p in operation.alters)
        return frozenset(v.id for v in given if isinstance(v, gast.Name))
    return operation.altered if isinstance(operation, Inserted) else frozenset()
