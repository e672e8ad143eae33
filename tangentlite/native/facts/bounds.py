"""Between which numbers whole numbers lie: slices that surely are inside of an array need no search for their ends.

In: the loops around a statement, what is known of lengths.
Out: ``Bounds``.
Next: lengths.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Set

Linear = tuple[str, int]


class Bounds:
    """``plain`` gives the text that stands for a length or a name that is bound once; None for anything else."""

    def __init__(self, plain: Callable[[ast.expr], str | None]) -> None:
        self._plain = plain
        self._least: dict[str, int] = {}
        self._most: dict[str, list[Linear]] = {}

    @property
    def counted(self) -> Set[str]:
        """The targets of loops."""
        return self._most.keys()

    def begin(self, loop: ast.For) -> None:
        """What is known of the target of a loop over a range.

        >>> bounds = Bounds(lambda node: node.id if isinstance(node, ast.Name) else None)
        >>> bounds.begin(ast.parse("for k in range(1, n): pass").body[0])
        >>> bounds.inside(ast.parse("a[:k + 1]").body[0].value.slice, "n")
        ('0', 'k + 1')
        """
        match loop:
            case ast.For(
                target=ast.Name(id=name),
                iter=ast.Call(func=ast.Name(id="range"), args=[first, *rest]),
            ):
                down = len(rest) == 2 and ast.unparse(rest[1]) == "-1"
                if len(rest) == 2 and not down and ast.unparse(rest[1]) != "1":
                    return
                low: ast.expr = ast.Constant(0) if not rest else rest[0] if down else first
                high = first if down or not rest else rest[0]
                least = self.least(low)
                self._least.pop(name, None)
                if least is not None:
                    self._least[name] = least + down
                self._most[name] = [(t, o - 1 + down) for t, o in self.most(high)]

    def linear(self, node: ast.expr) -> Linear | None:
        """A name or a length, and what is added to it."""
        match node:
            case ast.Constant(value=int(value)) if type(value) is int:
                return "0", value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return "0", -value
            case ast.Constant():
                return None
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=ast.Constant(value=n)):
                inner = self.linear(left)
                if inner is None or type(n) is not int:
                    return None
                return inner[0], inner[1] + (n if isinstance(op, ast.Add) else -n)
        text = self._plain(node)
        return None if text is None else ("0", int(text)) if text.isdigit() else (text, 0)

    def least(self, node: ast.expr) -> int | None:
        """A number that an expression is not below."""
        found = self.linear(node)
        if found is None:
            return None
        text, more = found
        if text == "0" or text.endswith("]"):  # a length
            return more
        return self._least[text] + more if text in self._least else None

    def most(self, node: ast.expr) -> list[Linear]:
        """What an expression is not above."""
        found = self.linear(node)
        if found is None:
            return []
        text, more = found
        return [found, *((t, o + more) for t, o in self._most.get(text, []))]

    def inside(self, part: ast.Slice, length: str) -> tuple[str, str] | None:
        """Where a slice begins and how many elements it has, if its ends surely lie inside; else None."""
        if part.step is not None or (part.lower is None and part.upper is None):
            return None
        low, high = part.lower or ast.Constant(0), part.upper
        if not self._lies(low, length):
            return self._from_the_end(low, high, length)
        start = self._text(low)
        if high is None:
            return start, _difference(length, start)
        if not self._lies(high, length):
            return self._from_the_end(low, high, length)
        return start, self._text(high) if start == "0" else self._distance(low, high)

    def _lies(self, node: ast.expr, length: str) -> bool:
        least = self.least(node)
        if least is None or least < 0:
            return False
        return any(text in (length, "0") and more <= 0 for text, more in self.most(node))

    def _text(self, node: ast.expr) -> str:
        return _added(*(self.linear(node) or ("", 0)))

    def _distance(self, low: ast.expr, high: ast.expr) -> str:
        (one, less), (other, more) = self.linear(low) or ("", 0), self.linear(high) or ("", 0)
        if one == other:
            return str(max(more - less, 0))
        return f"max({_difference(_added(other, more), _added(one, less))}, 0)"

    def _from_the_end(
        self, low: ast.expr, high: ast.expr | None, length: str
    ) -> tuple[str, str] | None:
        """``1:n - 1`` of an axis of ``n``: also where ``n - 1`` is negative, and counts from the end."""
        one, two = self.linear(low), self.linear(high) if high is not None else (length, 0)
        if one is None or two is None or one[0] != "0" or two[0] != length:
            return None
        start, less = one[1], -two[1]
        if not 0 <= less <= start + 2 or start < 0:
            return None
        return str(start), f"max({length} - {start + less}, 0)" if start + less else length


def _added(text: str, more: int) -> str:
    if text == "0":
        return str(more)
    return f"{text} + {more}" if more > 0 else f"{text} - {-more}" if more else text


def _difference(length: str, start: str) -> str:
    if start == "0":
        return length
    return (
        f"{length} - {start}"
        if start.isidentifier() or start.isdigit()
        else f"{length} - ({start})"
    )
