"""What arrays of indices choose, element by element, and what is added there.

In: ``_chosen(x, (i, j))``, what is known of names.
Out: the array, and for each of its axes an index; the text of a place.
Next: elements, loops.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tangentlite.native.facts.known import AT
from tangentlite.native.facts.lengths import Lengths
from tangentlite.native.facts.ranks import Names
from tangentlite.values import immutable

Shape = tuple[str, ...]


@immutable
class Choice:
    """Elements of ``array``: ``parts`` are indices, None for an axis of which all is taken."""

    array: str
    parts: tuple[ast.expr | None, ...]
    counts: Shape

    @property
    def indices(self) -> list[ast.expr]:
        """The arrays and numbers, which stand side by side."""
        return [part for part in self.parts if part is not None]

    @property
    def lead(self) -> int:
        """How many axes stand before them."""
        return next(k for k, part in enumerate(self.parts) if part is not None)

    def shape(self, joint: Shape) -> Shape:
        """The lengths of what is chosen; ``joint`` are those of the indices."""
        behind = self.lead + len(self.indices)
        return (*self.counts[: self.lead], *joint, *self.counts[behind:])

    def place(self, at: Shape, rank: int, say: Callable[[ast.expr, Shape], str]) -> str:
        """The element at a place of what is chosen, where indices have ``rank`` axes."""
        inner, texts = at[self.lead : self.lead + rank], []
        outer = [*at[: self.lead], *at[self.lead + rank :]]
        for part, count in zip(self.parts, self.counts):
            texts.append(outer.pop(0) if part is None else f"{AT}({say(part, inner)}, {count})")
        return f"{self.array}[{', '.join(texts)}]"


def choice(array: ast.expr, index: ast.expr, names: Names, lengths: Lengths) -> Choice | None:
    """What an index with arrays names; None where they are masks, or stand apart."""
    rank = names.rank(array)
    if not isinstance(array, ast.Name) or array.id in lengths.views or not rank:
        return None
    given = index.elts if isinstance(index, ast.Tuple) else [index]
    parts = [None if is_all(part) else part for part in given]
    parts += [None] * (rank - len(parts))
    taken = [k for k, part in enumerate(parts) if part is not None]
    if len(parts) > rank or not taken or taken[-1] - taken[0] >= len(taken):
        return None
    found = [(names.rank(part), names.whole(part)) for part in parts if part is not None]
    if not all(whole and axes is not None for axes, whole in found) or not any(a for a, _ in found):
        return None
    counts = tuple(lengths.of(array.id, k) for k in range(rank))
    return Choice(array.id, tuple(parts), counts)


def is_all(part: ast.expr) -> bool:
    """Whether a part of an index is ``:``, however it is written."""
    match part:
        case ast.Slice(lower=low, upper=high, step=step):
            bounds: list[Any] = [low, high, step]
        case ast.Call(func=ast.Name(id="slice"), args=bounds):
            pass
        case _:
            return False
    return all(b is None or (isinstance(b, ast.Constant) and b.value is None) for b in bounds)
