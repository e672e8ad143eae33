"""Views whose elements share memory are made anew where they are read.

In: a normal form, and the names of such views, each with the statement that makes it.
Out: a normal form in which none of them is alive while its base is written.
Next: analysis.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Normal
from tangentlite.lowering.rewriting import Lines, Rewriting


def anew(normal: Normal, views: Mapping[str, gast.stmt]) -> Normal:
    """A view shows what its base holds, so it may be made later than the user makes it.

    ``b = np.broadcast_to(a, s); a[0] = v; y = np.sum(b)`` becomes
    ``b = np.broadcast_to(a, s); a[0] = v; b_1 = np.broadcast_to(a, s); y = np.sum(b_1)``.
    """
    return _Anew(normal, views).run()


class _Anew(Rewriting):
    """``before``: what stands before the user's own statement; ``later``: the view as it can be made later."""

    def __init__(self, normal: Normal, views: Mapping[str, gast.stmt]) -> None:
        super().__init__(normal)
        self.views = views
        self.passing = _passing(normal) - views.keys()
        self.before: dict[gast.stmt, Lines] = {}
        self.later = {name: self._kept(statement) for name, statement in views.items()}

    def _kept(self, statement: gast.stmt) -> gast.expr:
        """What makes the view, with names that hold later what its own hold now."""
        held = {n: self.names.numbered("t") for n in sorted(syntax.loads(statement) & self.passing)}
        lines = [syntax.assign(kept, syntax.name(name)) for name, kept in held.items()]
        self.before[statement] = self.placed(lines, statement)
        return syntax.substitute(statement.value, held)

    def block(self, body: Lines) -> Lines:
        result: Lines = []
        for statement in body:
            read = sorted(_read(statement) & self.views.keys())
            made = {name: self._make(name, statement, result) for name in read}
            result += self.before.get(statement, [])
            result.append(self.inside(self._reading(statement, made)))
        return result

    def _make(self, name: str, place: gast.stmt, lines: Lines) -> str:
        """Lines that make a view, after those that it is a view of; its name."""
        value = self.later[name]
        bases = sorted(syntax.loads(value) & self.views.keys())
        made = {base: self._make(base, place, lines) for base in bases}
        target = self.names.fresh(name)
        lines += self.placed([syntax.assign(target, syntax.substitute(value, made))], place)
        return target

    def _reading(self, statement: gast.stmt, made: Mapping[str, str]) -> gast.stmt:
        """The statement with other names in what it reads itself."""
        if not made:
            return statement
        if not syntax.blocks(statement):
            new = syntax.substitute(statement, made)
        else:
            part = "iter" if isinstance(statement, gast.For) else "test"
            new = statement.__class__.__new__(statement.__class__)
            new.__dict__.update(statement.__dict__)
            new.__dict__[part] = syntax.substitute(getattr(statement, part), made)
        self.sources[new] = self.sources[statement]
        return new


def _read(statement: gast.stmt) -> set[str]:
    """What a statement reads, without the blocks inside."""
    match statement:
        case gast.If(test=part) | gast.For(iter=part):
            return syntax.loads(part)
    return set() if syntax.blocks(statement) else syntax.loads(statement)


def _passing(normal: Normal) -> set[str]:
    """Names of the function that hold several things as it runs: bound more than once, or in a block."""
    times = Counter(p.name for p in normal.function.params)
    for statement in normal.function.body:
        inside = 2 if syntax.blocks(statement) else 1
        times.update(dict.fromkeys(syntax.stores(statement), inside))
    return {name for name, count in times.items() if count > 1}
