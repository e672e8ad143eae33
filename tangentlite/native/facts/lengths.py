"""How long the axes of arrays are, so that equal lengths have equal texts, and what stands for what in a block.

In: a kernel, what is known of its names.
Out: ``Lengths``.
Next: loops.

What is learned of names that are bound once holds from there to the end of the block.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.axes import widened
from tangentlite.native.facts.bounds import Bounds
from tangentlite.native.facts.known import OVERS, SHAPED, SQUARE, TRIANGLES, is_one_of
from tangentlite.native.facts.names import begun_as, bindings, stores
from tangentlite.native.facts.ranks import Names
from tangentlite.native.facts.texts import added, simpler
from tangentlite.native.looping.access import SPAN, Access, access
from tangentlite.native.looping.nests import MISMATCH

NAME = re.compile(r"[^\W\d]\w*")
SIDES = (runtime.outer_left, runtime.outer_right)
MADE: tuple[Any, ...] = (*SHAPED, np.full)
LIKE = (np.empty_like, np.zeros_like, np.ones_like)
SAME = (runtime.zeros, runtime.storage, runtime.room, runtime.own, runtime.shadow, runtime.drained)
UNSURE = "?"
WORDS = {"max", "shape", "None", "np", "uintp"}


class Lengths:
    """``views``: what names are views of. ``claims``: lengths that hold wherever a name is bound; ``partly``: of
    some axes, the others are ``UNSURE``.

    ``given``: what else a parameter is called that is bound again.
    """

    def __init__(
        self,
        tree: ast.FunctionDef,
        names: Names,
        meaning: Callable[[ast.expr], Any],
        fresh: Callable[[str], str],
    ) -> None:
        times = Counter(bindings(tree.body, names.ranks))
        params = [a.arg for a in tree.args.args]
        self._names, self._meaning, self._fresh = names, meaning, fresh
        self._still = {n for n in params if not times[n]}
        first = {n: a for n, a in begun_as(tree) if times[a] and times[n] == 1}
        self._still |= set(first)
        self.given = {a: n for n, a in first.items()}
        self._once = {n for n, count in times.items() if count == 1 and n not in params}
        self.views: dict[str, Access] = {}
        self.claims: dict[str, tuple[str, ...]] = {}
        self.partly: dict[str, tuple[str, ...]] = {}
        self._known: dict[str, tuple[str, ...]] = {}
        self._equal = {
            f"{name}.shape[{axis}]": f"{like}.shape[{axis}]"
            for name, like in self._alike(names)
            if name != like and {name, like} <= self._still
            for axis in range(max(names.ranks.get(name, 0), 0))
        }
        self._equal |= {
            f"{name}.shape[{axis}]": str(length)
            for (name, axis), length in names.few.items()
            if name in self._still
        }
        self._spans: dict[tuple[str, ...], tuple[str, str]] = {}
        self._waiting: list[str] = []
        self._brief: dict[tuple[str, ...], tuple[str, str]] = {}
        self.inlined: set[str] = set()
        self.sized: set[str] = set()
        self.bounds = Bounds(self._plain)
        self._shapes: dict[str, tuple[str, ...]] = {}

    def _alike(self, names: Names) -> Iterator[tuple[str, str]]:
        for name, like in names.alike.items():
            yield self.given.get(name, name), self.given.get(like, like)

    def scope(self) -> tuple[Any, ...]:
        """What is known now."""
        found = self._still, self.views, self._known, self._equal, self._spans
        return tuple(part.copy() for part in found)

    def back(self, scope: tuple[Any, ...]) -> None:
        """Behind a block there is known what was known before it."""
        self._still, self.views, self._known, self._equal, self._spans = scope

    def waiting(self) -> list[str]:
        """Statements that work out where slices begin, for what is written next."""
        found, self._waiting, self._brief = self._waiting, [], {}
        return found

    def once(self, statement: ast.stmt) -> str | None:
        """The name that a statement binds, if it is the only one."""
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) if name in self._once:
                return name
        return None

    def add(self, name: str, counts: tuple[str, ...] = ()) -> None:
        """A new name, which is bound once: to an array of these lengths, if they are known."""
        self._once.add(name)
        if counts:
            self._still.add(name)
            if self.steady(*counts):
                self._known[name] = counts
                self.sized.add(name)

    def of(self, name: str, axis: int) -> str:
        """The text of a length."""
        if axis in self._names.ones.get(name, ()):
            return "1"
        known = self._known.get(name) or self.claims.get(name) or self.partly.get(name)
        sure = known is not None and known[axis] != UNSURE
        return self.same(known[axis] if known is not None and sure else f"{name}.shape[{axis}]")

    def same(self, text: str) -> str:
        """The text that stands for all lengths equal to this one."""
        met: list[str] = []
        while text not in met:
            met.append(text)
            text = simpler(text, self._equal)
        return min(met[met.index(text) :])

    def shorter(self, text: str, less: int) -> str:
        """The text of a length that is smaller, and not below zero."""
        return self.same(f"max({text} - {less}, 0)" if less else text)

    def steady(self, *texts: str) -> bool:
        """Whether texts mean the same up to the end of the block."""
        named = {name for text in texts for name in NAME.findall(text)}
        return named <= self._still | WORDS

    def equal(self, one: str, other: str) -> None:
        """From here on two lengths are the same: it was checked."""
        one, other = self.same(one), self.same(other)
        if one.isdigit():
            one, other = other, one
        if self.steady(one, other) and one != other and not one.isdigit():
            self._equal[one] = other

    def span(self, low: str, high: str, step: int, length: str) -> tuple[str, str]:
        """The names of where a slice begins, and of how many elements it has."""
        key = low, high, str(step), length
        found = self._spans.get(key) or self._brief.get(key)
        if found is None:
            found = start, count = self._fresh("a"), self._fresh("n")
            self._names.ranks |= {start: 0, count: 0}
            self._waiting.append(f"{start}, {count} = {SPAN}({low}, {high}, {step}, {length})")
            if self.steady(*key):
                self._spans[key] = found
                self._still |= {start, count}
            else:
                self._brief[key] = found
        return found

    def start(self, text: str) -> str:
        """A name for where a slice begins: machine code is faster where it sees that no index counts from the end."""
        if text.isdigit():
            return text
        key = "start", text
        found = self._spans.get(key)
        if found is None:
            found = self._fresh("a"), ""
            self._waiting.append(f"{found[0]} = max({text}, 0)")
            self._spans[key] = found
            self._still.add(found[0])
        return found[0]

    def one(self, place: int, length: str) -> str:
        """Where a slice of one element begins, once it was tested that there is one."""
        key = "one", str(place), length
        if length != "1" or place:
            if key not in self._spans:
                self._waiting.append(f"if {length} <= {place}:\n    raise ValueError({MISMATCH!r})")
                if self.steady(length):
                    self._spans[key] = str(place), "1"
        return str(place)

    # Learning -------------------------------------------------------------------------------

    def learn(self, statement: ast.stmt, counts: tuple[str, ...]) -> None:
        """Take in a statement; ``counts`` are the lengths of its loops, if it becomes one."""
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in self._once:
                self._bound(name, value, counts)
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value):
                self.unpack(parts, value)
        if isinstance(statement, ast.Assign):
            self._still |= self._once.intersection(stores(statement.targets))

    def begin(self, loop: ast.stmt) -> None:
        """A loop binds its target."""
        if isinstance(loop, ast.For):
            self._still |= self._once.intersection(stores([loop.target]))
            self.bounds.begin(loop)

    def _plain(self, node: ast.expr) -> str | None:
        """The text that stands for a number which is a length, or has a name that stays."""
        text = self._length(node)
        if isinstance(node, ast.Name) and self._names.ranks.get(node.id) == 0:
            counted = node.id in self.bounds.counted
            text = None if not self.steady(node.id) else node.id if counted else self.same(node.id)
        return text if text is not None and self.steady(text) else None

    def _bound(self, name: str, value: ast.expr, counts: tuple[str, ...]) -> None:
        counts = counts or self.made(value)
        if counts and self.steady(*counts):
            self._known[name] = counts
            self.sized.add(name)
        self.count(name, value)
        match value:
            case ast.Attribute(value=ast.Name(id=a), attr="shape") if (
                self._names.ranks.get(a, -1) > 0
            ):
                shape = tuple(self.of(a, k) for k in range(self._names.ranks[a]))
                self._shapes |= {name: shape} if self.steady(*shape) else {}
        if isinstance(value, (ast.Subscript, ast.Name)) and self._names.rank(value):
            view = access(value, self._names, self)
            if view is not None and self.steady(view.index(("0",) * view.rank), *view.counts):
                self.views[name] = view
                self.inlined.add(name)
                self._names.tie(name, view.name)
                self._known[name] = view.counts

    def unpack(self, parts: list[ast.expr], value: ast.expr) -> None:
        """``n, m = x.shape``."""
        match value:
            case ast.Attribute(value=ast.Name(id=a), attr="shape"):
                for axis, part in enumerate(parts):
                    if isinstance(part, ast.Name) and part.id in self._once:
                        self._equal[part.id] = self.of(a, axis)

    def count(self, name: str, value: ast.expr) -> None:
        """A name that is bound once may be that of a length."""
        length = self._length(value)
        if name in self._once and length is not None and self.steady(length):
            self._equal[name] = length

    def _length(self, value: ast.expr) -> str | None:
        match value:
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=a), attr="shape"),
                slice=ast.Constant(value=int(axis)),
            ) if axis >= 0:
                return self.of(a, axis)
            case ast.Subscript(value=ast.Name(id=a), slice=ast.Constant(value=int(axis))) if (
                a in self._shapes and 0 <= axis < len(self._shapes[a])
            ):
                return self.same(self._shapes[a][axis])
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=a)]) if self._names.ranks.get(
                a
            ):
                return self.of(a, 0)
        return None

    def made(self, value: ast.expr) -> tuple[str, ...]:
        """The lengths of an array that is made like another, or of lengths that are written down."""
        rank = self._names.rank(value) or 0
        match value:
            case ast.Call(
                func=ast.Name(id=over),
                args=[ast.Name(id=name) as whole, axis, ast.Constant(value=True)],
            ) if over in OVERS:
                axes = axes_of(axis, self._names.rank(whole) or 0)
                return tuple("1" if k in axes else self.of(name, k) for k in range(rank))
            case ast.Call(func=ast.Name(id=over), args=[ast.Name(id=name) as whole, axis, _]) if (
                over in OVERS
            ):
                every = self._names.rank(whole) or 0
                axes = axes_of(axis, every)
                return tuple(self.of(name, k) for k in range(every) if k not in axes)
            case ast.Call(args=[ast.Attribute(value=ast.Name(id=name), attr="shape")]):
                pass
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="copy" | "astype")):
                pass
            case ast.Call(func=func, args=[ast.Name(id=name)]) if self._meaning(func) in (
                *SAME,
                *LIKE,
            ):
                pass
            case ast.Call(func=func, args=[ast.Name(id=name), *_]) if (
                self._meaning(func) is runtime.centered or ast.unparse(func) in TRIANGLES.values()
            ):
                pass
            case ast.Call(func=func, args=[_, ast.Name(id=x), ast.Name(id=y)]) if is_one_of(
                meant := self._meaning(func), SIDES
            ):
                name = x if meant is SIDES[0] else y
            case _:
                return self._measured(value, rank)
        return tuple(self.of(name, k) for k in range(rank))

    def _measured(self, value: ast.expr, rank: int) -> tuple[str, ...]:
        """Lengths that are written down; those of ``np.arange(n)`` where ``n`` is a length, and not negative."""
        match value:
            case ast.Call(func=func, args=[shape, *_]) if self._meaning(func) in MADE:
                return self._written(shape, rank)
            case ast.Call(func=func, args=[count]) if self._meaning(func) is np.arange:
                (found,) = self._written(count, 1) or ("",)
                return (found,) if ".shape[" in found or found.isdigit() else ()
            case ast.Subscript(value=ast.Call() as whole, slice=index):
                return widened(self.made(whole), index)
            case ast.Call(func=func, args=[side]) if is_one_of(self._meaning(func), SQUARE):
                return self._written(ast.Tuple([side, side], ast.Load()), rank)
        return ()

    def _written(self, shape: ast.expr, rank: int) -> tuple[str, ...]:
        parts = shape.elts if isinstance(shape, ast.Tuple) else [shape]
        found = [self._side(p) for p in parts]
        return tuple(found) if all(found) and len(parts) == rank else ()

    def _side(self, part: ast.expr) -> str:
        """The length of an axis that is made: no array is made of a number below zero."""
        match part:
            case ast.BinOp(left=left, op=op, right=ast.Constant(value=int(step))) if (
                type(step) is int and step > 0
            ):
                text = self._length(left) or self.same(_name(left))
                if isinstance(op, ast.Sub) and text:
                    return self.shorter(text, step)
                if isinstance(op, ast.Add) and ".shape[" in text:
                    return self.same(added(text, step))
        return self._length(part) or (self.same(ast.unparse(part)) if _is_plain(part) else "")


def _name(part: ast.expr) -> str:
    return part.id if isinstance(part, ast.Name) else ""


def _is_plain(part: ast.expr) -> bool:
    """Whether a length is a name or a number."""
    return isinstance(part, ast.Name) or type(getattr(part, "value", None)) is int


def axes_of(axis: ast.expr, rank: int) -> set[int]:
    """The axes of a reduction, which are written down."""
    found = ast.literal_eval(axis)
    if found is None or not rank:
        return set(range(rank))
    return {k % rank for k in ([found] if isinstance(found, int) else found)}
