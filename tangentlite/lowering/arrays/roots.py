"""Squares of roots, said to be what they are: sums of squares.

In: a normal form, and the roots of which a square is active.
Out: a normal form in which the radicand follows the root, and the square has its value from the root and its
derivative from the radicand.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.lowering.context import Normal
from tangentlite.lowering.rewriting import Lines, Rewriting
from tangentlite.values import field, mutable

# Functions of the runtime that give a value ``v`` with the derivative of another one of its shape.
VALUED = {runtime.smooth, runtime.rooted, runtime.rooted_product, runtime.even_root}
VALUED |= {runtime.rising, runtime.falling, runtime.surplus}
VALUED |= {runtime.log_of_exp, runtime.log1p_of_exp, runtime.log_of_total}


@mutable
class Scaled:
    """``t = c * r`` of a root r: ``radicand`` are lines that bind ``q``, so scaled, made of ``s`` and ``holes``.

    ``squares``: statements that square t; ``products``: those that multiply it by r.
    """

    radicand: str
    holes: Mapping[str, gast.expr]
    squares: list[gast.stmt] = field(default_factory=list)
    products: list[gast.stmt] = field(default_factory=list)


@mutable
class Root:
    """``radicand``: lines that bind ``q``, made of ``holes``. ``squares``: statements that square the root.

    ``powers``: statements that raise it to an exponent, and the exponent of the radicand which that is.
    ``rooted``: for the root of a sum of squares, the function of the runtime that says so. ``order``: 3 for cubic ones.
    ``evens``: statements that take an even function of it: what of the radicand, and from where in ``rt.spherical``.
    ``place``: the statement after which ``q`` is what the root is itself. ``says``: what the runtime says of squares.
    ``lines``: instead of all that, lines that bind ``y``, made of ``holes`` and of the value ``v``.
    """

    radicand: str
    holes: Mapping[str, gast.expr]
    order: int = 2
    squares: list[gast.stmt] = field(default_factory=list)
    powers: dict[gast.stmt, float] = field(default_factory=dict)
    scaled: dict[gast.stmt, Scaled] = field(default_factory=dict)
    rooted: str = ""
    evens: dict[gast.stmt, tuple[str, int]] = field(default_factory=dict)
    place: gast.stmt | None = None
    says: str = "smooth"
    lines: str = ""

    @property
    def matters(self) -> bool:
        """Whether anything is to be said of it."""
        used = any(s.squares or s.products for s in self.scaled.values())
        said = self.rooted or self.lines or self.place
        return bool(said or self.squares or self.powers or self.evens or used)


def seen_through(normal: Normal, roots: Mapping[gast.stmt, Root]) -> Normal:
    """``n = np.hypot(a, b); y = n * n`` gets the lines ``t = a * a; u = b * b; q = t + u`` after the first statement,
    and ``v = n * n; y = rt.smooth(v, q)`` for the second one.

    After ``t = c * n`` stands ``p = c * q``: the derivative of ``t * n``; ``c * p`` is that of ``t * t``.
    ``r = np.sqrt(s)`` of a sum of squares becomes ``v = np.sqrt(s); r = rt.rooted(v, s)``.
    """
    return _Splicing(normal, roots).run()


class _Splicing(Rewriting):
    """``instead``: the function and the radicand for a statement; ``after``: lines that follow one."""

    def __init__(self, normal: Normal, roots: Mapping[gast.stmt, Root]) -> None:
        super().__init__(normal)
        self.instead: dict[gast.stmt, tuple[str, str | gast.expr]] = {}
        self.after: dict[gast.stmt, Lines] = {}
        self.exponents: dict[gast.stmt, float] = {}
        self.evens: dict[gast.stmt, tuple[str, int]] = {}
        self.lined = {statement: root for statement, root in roots.items() if root.lines}
        for statement, root in roots.items():
            self._root(statement, root)

    def _root(self, statement: gast.stmt, root: Root) -> None:
        if root.place is not None:
            self.instead[statement] = "smooth", self._follow(root.place, root.radicand, root.holes)
            return
        if root.rooted:
            self.instead[statement] = root.rooted, root.holes["x"]
        used = {t: s for t, s in root.scaled.items() if s.squares or s.products}
        if not (root.squares or root.powers or root.evens or used):
            return
        whole = self._follow(statement, root.radicand, root.holes)
        self.instead |= dict.fromkeys(root.squares, (root.says, whole))
        for even, (text, first) in root.evens.items():
            self.instead[even] = "even_root", whole
            self.evens[even] = text, first
        for power, exponent in root.powers.items():
            self.instead[power] = "smooth", whole
            self.exponents[power] = exponent
        for place, scaled in used.items():
            once = self._follow(place, scaled.radicand, {**scaled.holes, "s": whole})
            self.instead |= dict.fromkeys(scaled.products, ("smooth", once))
            if scaled.squares:
                twice = self._follow(place, scaled.radicand, {**scaled.holes, "s": once})
                self.instead |= dict.fromkeys(scaled.squares, ("smooth", twice))

    def _follow(self, place: gast.stmt, text: str, holes: Mapping[str, str | gast.expr]) -> str:
        """Lines after a statement; the name that they bind at last."""
        bound = {
            name: self.names.numbered("t") for name in sorted(syntax.stores(syntax.parse(text)))
        }
        self.after.setdefault(place, []).extend(self._quoted(text, {**holes, **bound}, place))
        return bound["q"]

    def block(self, body: Lines) -> Lines:
        result: Lines = []
        for statement in body:
            result += self._lines(self.inside(statement))
        return result

    def _lines(self, statement: gast.stmt) -> Lines:
        """The value as it was, perhaps with a derivative of its own, and what follows."""
        lines = [statement]
        if statement in self.lined:
            lines = self._said(statement, self.lined[statement])
        if statement in self.instead:
            function, s = self.instead[statement]
            v, p = self.names.numbered("t"), self.names.numbered("t")
            holes = {"v": v, "e": statement.value, "y": statement.targets[0].id, "s": s, "p": p}
            text = f"v = e\ny = rt.{function}(v, s)"
            if statement in self.exponents:
                holes["k"] = syntax.constant(self.exponents[statement])
                text = f"v = e\np = s ** k\ny = rt.{function}(v, p)"
            if statement in self.evens:
                made, first = self.evens[statement]
                holes["k"] = syntax.constant(first)
                text = f"v = e\n{made}\ny = rt.even_root(v, p, k)"
            lines = self._quoted(text, holes, statement)
        return lines + self.after.get(statement, [])

    def _said(self, statement: gast.stmt, root: Root) -> Lines:
        text = f"v = e\n{root.lines}"
        bound = syntax.stores(syntax.parse(text)) - {"y"}
        holes = {name: self.names.numbered("t") for name in sorted(bound)}
        given = {**root.holes, "e": statement.value, "y": statement.targets[0].id}
        return self._quoted(text, {**holes, **given}, statement)

    def _quoted(
        self, text: str, holes: Mapping[str, str | gast.expr], statement: gast.stmt
    ) -> Lines:
        wanted = [(w, v) for w, v in (("rt", runtime), ("np", np)) if f"{w}." in text]
        modules = {wish: self.name(value, wish) for wish, value in wanted}
        return self.placed(syntax.quote(text, **{**modules, **holes}), statement)
