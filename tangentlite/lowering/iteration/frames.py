"""What comes behind a statement of a generator that rests inside of loops, `try`, and other generators.

In: nothing.
Out: ``Frame`` and its kinds; ``Place``, where a generator rests; ``Delegated``, a generator inside another.
Next: machines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.lowering.context import Context
from tangentlite.values import immutable

YIELDS = (gast.Yield, gast.YieldFrom)
LEAVING = (gast.Return, gast.Break, gast.Continue)


class TangledError(Exception):
    """A generator that cannot be followed."""


@immutable(eq=False)
class Frame:
    """What comes behind a block: ``rest``, and then what is behind ``outer``."""

    outer: Frame | None = None
    rest: tuple[Any, ...] = ()


@immutable(eq=False)
class Round(Frame):
    """Behind the body of a loop: its next trip."""

    head: int = 0


@immutable(eq=False)
class Given(Frame):
    """Behind a generator whose values another hands on: ``target`` is bound to what it returns."""

    target: Any = None


@immutable(eq=False)
class Guarded(Frame):
    """Behind the body of a ``try``: ``rest`` is its ``else``, ``final`` what is done however it is left."""

    handlers: tuple[Any, ...] = ()
    final: tuple[Any, ...] = ()


@immutable(eq=False)
class Place:
    """Where a generator rests: what the value of ``yield`` is bound to, and what follows."""

    target: Any
    frame: Frame


@immutable(eq=False)
class Trip:
    """A loop: its test (None: for ever), what binds its variable, its body, and what is behind it."""

    test: Any
    ahead: tuple[Any, ...]
    body: tuple[Any, ...]
    frame: Frame


class Delegated(gast.stmt):  # type: ignore[misc]
    """``target = yield from g()``, with the statements of g."""

    _fields = ("body",)

    def __init__(self, body: list[Any], target: Any) -> None:
        super().__init__()
        self.body, self.target = body, target


def outwards(frame: Frame | None) -> Iterator[Frame]:
    """A frame, and those around it."""
    while frame is not None:
        yield frame
        frame = frame.outer


def matters(statement: Any) -> bool:
    """Whether a generator rests in a statement, or the statement leaves more than itself."""
    if isinstance(statement, Delegated):
        return True
    if any(isinstance(n, (*YIELDS, gast.Return, Delegated)) for n in scopes.inside([statement])):
        return True
    return _leaves(statement)


def _leaves(statement: Any) -> bool:
    """Whether ``break`` or ``continue`` of a loop around a statement is in it."""
    if isinstance(statement, gast.Break | gast.Continue):
        return True
    blocks = [getattr(statement, name, None) or [] for name in ("body", "orelse", "finalbody")]
    if isinstance(statement, scopes.LOOPS):
        blocks = blocks[1:]
    blocks += [h.body for h in getattr(statement, "handlers", None) or []]
    return any(
        _leaves(s) for b in blocks if isinstance(b, list) for s in b if isinstance(s, gast.stmt)
    )


def unmixed(loop: Any, context: Context, apart: bool) -> tuple[Any, list[Any], list[Any]]:
    """The target of a loop with other names, what stands before these are bound, and after.

    What the last trip has bound stays when there are no more. ``apart``: other names are needed.
    """
    own = {name: context.local(name) for name in syntax.stores(loop.target) if apart}
    new, none = syntax.copy(loop.target), syntax.at(syntax.constant(None), loop)
    for node in syntax.walk(new):
        if isinstance(node, gast.Name):
            node.id = own.get(node.id, node.id)
    start = [s for v in own.values() for s in context.quote("v = e", loop, v=v, e=none)]
    end = [s for n, v in own.items() for s in context.quote("n = v", loop, n=n, v=v)]
    return new, start, end
