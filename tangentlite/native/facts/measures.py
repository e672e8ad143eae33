"""The lengths of arrays that have the same ones wherever they are bound, also where a list hands them over.

In: the tree of a kernel, what is known of its names.
Out: for each such name, the texts of its lengths, in which nothing but parameters is named.
Next: loops.

``tape.append((y[1:], z))`` and, in the other sweep, ``t, u = tape.pop()``: what is taken off has the lengths of what
was put on. A claim holds if every statement that binds the name makes it true, given the other claims.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from tangentlite import runtime
from tangentlite.native.facts.known import OVERS, is_one_of
from tangentlite.native.facts.lengths import UNSURE, Lengths, axes_of
from tangentlite.native.facts.names import loads, statements, stores
from tangentlite.native.facts.ones import single
from tangentlite.native.facts.ranks import Names
from tangentlite.native.looping.elements import Elements, Shape
from tangentlite.native.memory.unbound import is_mark, sized
from tangentlite.values import immutable

Meaning = Callable[[ast.expr], Any]
Measure = (
    Any  # the lengths of an array, a list of measures for a tuple, a Shelf; None: not known yet
)
ROUNDS, NEVER, UNKNOWN = 20, UNSURE, "_unknown"
KNOWN: tuple[type[ast.stmt], ...] = (
    ast.Assign,
    ast.AugAssign,
    ast.Expr,
    ast.For,
    ast.While,
    ast.If,
    ast.Return,
)
KNOWN += (ast.Pass, ast.Break, ast.Continue, ast.Raise, ast.Assert)


@immutable
class Shelf:
    """The list that ``name`` is bound to where it is made."""

    name: str


def measured(tree: ast.FunctionDef, names: Names, meaning: Meaning) -> dict[str, Shape]:
    """The lengths, by name; ``UNSURE`` those of which nothing is known, where others are."""
    body = [s for s in statements(tree.body) if not is_mark(s, names.marks)]
    if not all(isinstance(s, KNOWN) for s in body):
        return {}
    found = Measures(tree, body, names, meaning).settled()
    claims = {name: measure for name, measure in found.items() if isinstance(measure, tuple)}
    sized(tree, names.marks, whole(claims))
    return claims


def whole(claims: dict[str, Shape]) -> dict[str, Shape]:
    """The claims about all axes of an array."""
    return {name: claim for name, claim in claims.items() if UNSURE not in claim}


class Measures:
    """Claims are made as long as some can be, then taken back as long as one does not hold.

    What nothing is claimed of by then may have some axes that something can be.
    """

    def __init__(
        self, tree: ast.FunctionDef, body: list[ast.stmt], names: Names, meaning: Meaning
    ) -> None:
        self._names, self._meaning, self._body = names, meaning, body
        self._lengths = _Asked(tree, names, meaning, lambda wish: UNKNOWN)
        self._elements = _Strict(names, self._lengths, meaning, lambda wish: UNKNOWN)
        self._claims: dict[str, Measure] = {a.arg: NEVER for a in tree.args.args}
        for name, other in self._lengths.given.items():
            rank = max(names.ranks.get(name, 0), 0)
            self._claims[name] = tuple(self._lengths.of(other, k) for k in range(rank)) or NEVER
            self._bind(name, self._claims[name])
        self._shelves: dict[str, Measure] = {}
        self._sure = False

    def settled(self) -> dict[str, Measure]:
        """The claims that hold."""
        for _ in range(ROUNDS):
            before = dict(self._claims), dict(self._shelves)
            for statement in self._body:
                self._take(statement)
            same = before == (self._claims, self._shelves)
            if same and self._sure:
                return self._claims
            self._sure |= same
        return {}

    # Statements -----------------------------------------------------------------------------

    def _take(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])):
                self._bind(name, Shelf(name))
            case ast.Assign(targets=[ast.Name() | ast.Tuple() as target], value=value):
                if isinstance(target, ast.Name):
                    self._lengths.count(target.id, value)
                else:
                    self._lengths.unpack(target.elts, value)
                self._assign(target, self._of(value))
                self._unseen([] if self._is_plain(value) else [value])
            case ast.AugAssign(target=ast.Name(id=name), value=value) if (
                self._names.ranks.get(name, -1) > 0
            ):
                self._unseen([value])
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[item]
                )
            ):
                self._push(self._claims.get(name), item)
            case ast.Return():
                pass
            case _:
                self._unseen(_heads(statement))

    def _unseen(self, parts: list[ast.AST]) -> None:
        """Trees that bind names, and change lists, in ways that are not followed."""
        for name in stores(parts):
            self._bind(name, NEVER)
        for name in (n for part in parts for n in _given(part)):
            self._lose(self._claims.get(name))

    def _assign(self, target: ast.expr, measure: Measure) -> None:
        match target:
            case ast.Name(id=name):
                self._bind(name, measure)
            case ast.Tuple(elts=parts):
                several = isinstance(measure, list) and len(measure) == len(parts)
                left = NEVER if self._sure else None
                for part, one in zip(parts, measure if several else [left] * len(parts)):
                    self._assign(part, one)
            case _:
                self._unseen([target])

    def _bind(self, name: str, measure: Measure) -> None:
        claim = self._claims[name] = self._joint(self._claims.get(name, measure), measure)
        fits = isinstance(claim, tuple) and len(claim) == self._names.ranks.get(name)
        self._lengths.partly.pop(name, None)
        self._lengths.partly |= {name: claim} if fits else {}

    def _push(self, shelf: Measure, item: ast.expr) -> None:
        if isinstance(shelf, Shelf):
            new = self._of(item)
            self._shelves[shelf.name] = self._joint(self._shelves.get(shelf.name, new), new)
        elif self._sure:
            self._shelves = dict.fromkeys(self._shelves, NEVER)

    def _joint(self, old: Measure, new: Measure) -> Measure:
        """What holds of both."""
        if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            return [self._joint(a, b) for a, b in zip(old, new)]
        if old is None or new is None:
            return (new or NEVER) if self._sure else old or new
        if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
            return _partly(tuple(a if a == b else NEVER for a, b in zip(old, new)))
        return old if old == new else NEVER

    def _lose(self, measure: Measure) -> None:
        """Who is handed a list may put something else on it."""
        for part in measure if isinstance(measure, list) else []:
            self._lose(part)
        if isinstance(measure, Shelf):
            self._shelves[measure.name] = NEVER

    # Values ---------------------------------------------------------------------------------

    def _is_plain(self, value: ast.expr) -> bool:
        """Whether lists in a value stay what they are."""
        match value:
            case ast.Name():
                return True
            case ast.Tuple(elts=parts):
                return all(map(self._is_plain, parts))
            case ast.Call(func=ast.Attribute(value=ast.Name(), attr="pop"), args=[]):
                return True
            case ast.Call(func=func, args=[ast.Name()], keywords=[]):
                return is_one_of(self._meaning(func), (runtime.private, runtime.stack))
        return False

    def _of(self, value: ast.expr) -> Measure:
        match value:
            case ast.Name(id=name) if isinstance(self._claims.get(name), (list, Shelf)):
                return self._claims[name]
            case ast.Tuple(elts=parts):
                return [self._of(p) for p in parts]
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop"), args=[]):
                shelf = self._claims.get(name)
                return self._shelves.get(shelf.name) if isinstance(shelf, Shelf) else None
            case ast.Call(func=func, args=[one, *rest], keywords=[]):
                meant = self._meaning(func)
                if is_one_of(meant, (runtime.private, runtime.stack)):
                    return self._of(one)
                if meant is runtime.buffer:
                    return self._of(one if self._names.rank(one) else rest[0])
        return self._counts(value)

    def _counts(self, value: ast.expr) -> Shape | None:
        rank = self._names.rank(value)
        if not rank or any(isinstance(n, ast.Slice) and single(n) for n in ast.walk(value)):
            return None
        found = self._elements.outline(value) or self._lengths.made(value)
        unsure = not self._lengths.steady(*found)
        if len(found) != rank or (unsure and not self._sure):
            return None
        kept = tuple(n if self._lengths.steady(n) else NEVER for n in found)
        return kept if kept.count(NEVER) < rank else None


def _partly(claim: Shape) -> Measure:
    return NEVER if claim.count(NEVER) == len(claim) else claim


class _Asked(Lengths):
    """Slices whose ends must be searched have lengths that nothing else has."""

    def span(self, low: str, high: str, step: int, length: str) -> tuple[str, str]:
        """No names are made for them."""
        return UNKNOWN, UNKNOWN

    def start(self, text: str) -> str:
        """Where a slice begins does not matter."""
        return text


class _Strict(Elements):
    """Where nothing compares lengths, those that have unlike texts may be stretched; sums are not taken out yet."""

    def shape(self, node: ast.expr) -> Shape | None:
        """Also of what is summed up along axes."""
        match node:
            case ast.Call(
                func=ast.Name(id=over), args=[whole, axis, ast.Constant(value=bool(keeps))]
            ) if over in OVERS:
                found = self.outline(whole)
                axes = axes_of(axis, len(found or ()))
                pairs = enumerate(found or ())
                left = ("1" if k in axes else n for k, n in pairs if keeps or k not in axes)
                return None if found is None else tuple(left)
        return super().shape(node)

    def _joint(self, nodes: list[ast.expr]) -> Shape | None:
        whole = super()._joint(nodes) or ()
        shapes = [self.shape(node) or () for node in nodes]
        both = [pair for s in shapes for pair in zip(s, whole[len(whole) - len(s) :])]
        return whole if all(one in (all_, "1") for one, all_ in both) else None


def _given(node: ast.AST) -> Iterator[str]:
    """The names in a tree, but those of which only the length is asked."""
    calls = [n for n in ast.walk(node) if isinstance(n, ast.Call)]
    asked = [a for n in calls if ast.unparse(n.func) == "len" for a in n.args]
    spared = {n for a in asked if isinstance(a, ast.Name) for n in [a.id]}
    yield from (n for n in loads(node) if n not in spared)


def _heads(statement: ast.stmt) -> list[ast.AST]:
    """The parts of a statement but for the blocks inside."""
    fields = (value for name, value in ast.iter_fields(statement) if name not in ("body", "orelse"))
    parts = (p for value in fields for p in (value if isinstance(value, list) else [value]))
    return [p for p in parts if isinstance(p, ast.AST)]
