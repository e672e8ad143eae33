"""Sunk: a number is bound anew after the last use of what it was, so that what it was needs no other name.

In: the statements of a function in plain numbers.
Out: the same without copies.
Next: walked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.optimize.replace import inside, replaced

Body = list[gast.stmt]
LOOPS = (gast.For, gast.While)
CALM = (gast.BinOp, gast.UnaryOp, gast.Name, gast.Constant)


def sunk(body: Body, is_number: Callable[[str], bool]) -> Body:
    """Leave out copies of names in loops that hold numbers.

    >>> text = '''
    ... for i in reversed(range(n)):
    ...     bt1 = bs
    ...     bs = bs * x
    ...     bx = bx + bt1 * c
    ...     bc[i] = bt1
    ... '''
    >>> print("\\n".join(map(syntax.unparse, sunk(syntax.parse(text), lambda name: True))))
    for i in reversed(range(n)):
        bx = bx + bs * c
        bc[i] = bs
        bs = bs * x
    """
    found = _Sunk(body, is_number)
    return [found.loop(s) if isinstance(s, LOOPS) else s for s in body] if found.copies else body


class _Sunk:
    def __init__(self, body: Body, is_number: Callable[[str], bool]) -> None:
        self._stored, self._loaded = syntax.times_stored(body), syntax.times_loaded(body)
        self._is_number = is_number
        self.copies = any(self._copy(s) for s in syntax.statements(body))

    def loop(self, loop: Any) -> Any:
        """A loop without copies that are not needed."""
        return inside(loop, self._block)

    def _block(self, body: Body) -> Body:
        made = [inside(s, self._block) if syntax.blocks(s) else s for s in body]
        place = 0
        while place < len(made):
            shorter = self._without(made, place)
            if shorter is None:
                place += 1
            else:
                made = shorter
        return made

    def _copy(self, statement: Any) -> tuple[str, str] | None:
        """A name that is bound once, to what another one holds: a number."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Name(id=source)):
                numbers = self._is_number(name) and self._is_number(source)
                if numbers and name != source and self._stored[name] == 1:
                    return name, source
        return None

    def _without(self, body: Body, place: int) -> Body | None:
        """A block without the copy at a place, if it is read in this block only."""
        name, source = self._copy(body[place]) or ("", "")
        rest = body[place + 1 :]
        if not name or syntax.times_loaded(rest)[name] != self._loaded[name] or not rest:
            return None
        last = max((k for k, s in enumerate(rest) if name in syntax.loads(s)), default=-1)
        bound = [k for k, s in enumerate(rest[: last + 1]) if source in syntax.stores(s)]
        if any(syntax.blocks(rest[k]) for k in bound):
            return None
        if bound and bound[0] < last:
            moved = rest[bound[0]]
            if len(bound) > 1 or not self._moves(
                moved, rest[bound[0] + 1 : last + 1], name, source
            ):
                return None
            rest = [*rest[: bound[0]], *rest[bound[0] + 1 : last + 1], moved, *rest[last + 1 :]]
        hole = {name: syntax.name(source)}
        self._loaded[source] += self._loaded[name] - 1
        return [*body[:place], *(replaced(s, hole) for s in rest)]

    def _moves(self, statement: Any, passed: Body, name: str, source: str) -> bool:
        """Whether a statement may come later: it is arithmetic, and what it passes has nothing to do with it."""
        match statement:
            case gast.Assign(targets=[gast.Name()], value=value):
                parts = (n for n in syntax.walk(value) if isinstance(n, gast.expr))
                read, touched = syntax.loads(value), set[str]()
                for other in passed:
                    if syntax.blocks(other) or source in syntax.loads(other):
                        return False
                    touched |= syntax.stores(other)
                calm = all(isinstance(n, CALM) for n in parts) and all(map(self._is_number, read))
                return calm and read.isdisjoint(touched) and name not in read | touched
        return False
