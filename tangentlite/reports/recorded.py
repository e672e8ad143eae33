"""What the forward sweep keeps for the backward sweep, where, and for which lines.

In: the finished functions of a derivative.
Out: ``Record`` for each value that is kept.
Next: page.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import ir, syntax
from tangentlite.emit import Unit
from tangentlite.lines import Lines, behind
from tangentlite.values import immutable

Body = list[gast.stmt]


@immutable
class Record:
    """``name`` is kept ``how``: by name, on a tape, or handed over; ``made`` and ``read`` are the user's lines."""

    name: str
    how: str
    made: Lines
    read: Lines
    loop: str = ""


def recorded(unit: Unit, split: bool) -> list[Record]:
    """What the text of a derivative keeps, in the order in which it is made; ``split``: into two functions."""
    reader = Reader()
    if split:
        forward, backward = unit.parts
        taped = _taped(forward.body, backward.body, reader)
        return [*_handed(forward, backward, reader), *taped]
    for part in reversed(unit.parts):  # the last one is for any arguments
        cut = _cut(part.body)
        if cut is not None:
            before, after = part.body[:cut], part.body[cut:]
            return [*_named(before, after, reader), *_taped(before, after, reader)]
    return []


def _cut(body: Body) -> int | None:
    """Where the backward sweep begins."""
    for k, statement in enumerate(body):
        if isinstance(statement, syntax.Comment) and vars(statement)["text"] == "Backward":
            return k
    return None


def _named(forward: Body, backward: Body, reader: Reader) -> Iterator[Record]:
    """Values outside loops are kept by their names."""
    tapes = set(_tapes(forward))
    made: dict[str, Lines] = {}
    for statement in forward:
        for name in sorted(syntax.stores(statement) - tapes):
            made[name] = made.get(name, frozenset()) | behind(statement)
    for name, lines in made.items():
        readers = reader(name, backward)
        if readers:
            yield Record(name, "by its name", lines, readers)


def _handed(forward: ir.Function, backward: ir.Function, reader: Reader) -> Iterator[Record]:
    """What a forward function hands to its backward function."""
    match backward.body[:1]:
        case [gast.Assign(targets=[gast.Tuple(elts=parts)])]:
            pass
        case _:
            return
    for part in parts:
        if isinstance(part, gast.Name):
            makers = [s for s in syntax.statements(forward.body) if part.id in syntax.stores(s)]
            makers = [s for s in makers if not syntax.blocks(s)]
            made = frozenset().union(*map(behind, makers))
            start = forward.head
            readers = reader(part.id, backward.body[1:])
            yield Record(part.id, "in the record that is handed over", made or start, readers)


def _taped(forward: Body, backward: Body, reader: Reader) -> Iterator[Record]:
    """What loops push, a tuple per trip."""
    pops = {tape: (targets, block) for tape, targets, block in _pops(backward)}
    for tape, pushed, statement, loop, around in _pushes(forward, ""):
        if tape not in pops:
            continue
        targets, block = pops[tape]
        for value, target in zip(pushed, targets):
            name = target.id if isinstance(target, gast.Name) else syntax.unparse(target)
            shown = syntax.unparse(value)
            shown = shown if shown == name else f"{shown} (as {name})"
            how = f"on {tape}, once per trip" if loop else f"on {tape}"
            makers = [s for s in around if syntax.stores(s) & syntax.loads(value)]
            made = frozenset().union(*map(behind, makers)) or behind(statement)
            yield Record(shown, how, made, reader(name, block), loop)


def _tapes(body: Body) -> Iterator[str]:
    for statement in syntax.statements(body):
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.List(elts=[])):
                yield name


def _pushes(body: Body, loop: str) -> Iterator[tuple[str, list[Any], gast.stmt, str, Body]]:
    for statement in body:
        match statement:
            case gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(value=gast.Name(id=tape), attr="append"), args=[value]
                )
            ):
                yield tape, _parts(value), statement, loop, body
        head = loop
        if isinstance(statement, (gast.For, gast.While)):
            head = syntax.unparse(statement).partition("\n")[0].rstrip(":")
        for block in syntax.blocks(statement):
            yield from _pushes(block, head)


def _pops(body: Body) -> Iterator[tuple[str, list[Any], Body]]:
    for k, statement in enumerate(body):
        match statement:
            case gast.Assign(
                targets=[target],
                value=gast.Call(func=gast.Attribute(value=gast.Name(id=tape), attr="pop"), args=[]),
            ):
                yield tape, _parts(target), body[k + 1 :]
        for block in syntax.blocks(statement):
            yield from _pops(block)


def _parts(tree: Any) -> list[Any]:
    return list(tree.elts) if isinstance(tree, gast.Tuple) else [tree]


class Reader:
    """Tells the user's lines behind the statements that read a name; statements are looked at once."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[Any, set[str], set[str]]] = {}

    def __call__(self, name: str, body: Body) -> Lines:
        """The lines for which a name is read before it is bound anew."""
        found: Lines = frozenset()
        for statement in body:
            reads, binds = self._of(statement)
            inside = syntax.blocks(statement)
            if name not in reads:
                pass
            elif inside:
                heads = [c for c in syntax.children(statement) if not isinstance(c, gast.stmt)]
                found |= behind(statement) if name in syntax.loads(heads) else frozenset()
                found = found.union(*(self(name, block) for block in inside))
            else:
                found |= behind(statement)
            if not inside and name in binds:
                break
        return found

    def _of(self, statement: Any) -> tuple[set[str], set[str]]:
        if id(statement) not in self._seen:
            comment = isinstance(statement, (syntax.Comment, syntax.Blank))
            reads = set() if comment else syntax.loads(statement)
            binds = set() if comment else syntax.stores(statement)
            self._seen[id(statement)] = statement, reads, binds
        return self._seen[id(statement)][1:]
