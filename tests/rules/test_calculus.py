"""The calculus: transposes, vanishing terms, what rules print."""

from __future__ import annotations

import math
import operator
from typing import Any

import gast
import numpy as np
import pytest

from tangentlite import rules, syntax
from tangentlite.rules.calculus import NotLinearError, transpose, vanish
from tangentlite.rules.model import slot


def tree(text: str) -> Any:
    """An expression; ``d.x`` stands for the slot ``d[x]``."""
    return _Slots().visit(syntax.expression(text))


class _Slots(gast.NodeTransformer):
    def visit_Attribute(self, node: gast.Attribute) -> gast.expr:
        match node:
            case gast.Attribute(value=gast.Name(id="d" | "b" as letter), attr=name):
                return syntax.name(slot(letter, name))
        return self.generic_visit(node)


@pytest.mark.parametrize(
    ("differential", "adjoints"),
    [
        ("d.x", "x += bz"),
        ("d.x + d.y", "x += bz; y += bz"),
        ("d.x - d.y", "x += bz; y -= bz"),
        ("-d.x", "x -= bz"),
        ("+d.x", "x += bz"),
        ("-(d.x - d.y)", "x -= bz; y += bz"),
        ("y * d.x + x * d.y", "x += bz * y; y += bz * x"),
        ("2.0 * x * d.x", "x += bz * 2.0 * x"),
        ("-sin(x) * d.x", "x -= bz * sin(x)"),
        ("d.x * c", "x += bz * c"),
        ("d.x / c", "x += bz / c"),
        ("1.0 / x * d.x", "x += bz / x"),
        ("(d.x - z * d.y) / y", "x += bz / y; y -= bz / y * z"),
        ("rt.times(d.x, 0.5 / z)", "x += rt.times(bz, 0.5 / z)"),
        ("rt.quotient(0.5 * d.x, z)", "x += rt.quotient(bz, z) * 0.5"),
        ("np.where(c, d.x, d.y)", "x += np.where(c, bz, 0.0); y += np.where(c, 0.0, bz)"),
        ("np.where(c, d.x, 0.0)", "x += np.where(c, bz, 0.0)"),
    ],
)
def test_transpose(differential: str, adjoints: str) -> None:
    found = transpose(tree(differential), syntax.name("bz"))
    text = [f"{n} {'+' if s > 0 else '-'}= {syntax.unparse(e)}" for n, s, e in found]
    assert "; ".join(text) == adjoints


@pytest.mark.parametrize("text", ["d.x * d.y", "sin(d.x)", "1.0 / d.x", "d.x + 1.0", "d.x @ c"])
def test_what_is_not_linear_is_refused(text: str) -> None:
    with pytest.raises(NotLinearError, match="not linear"):
        list(transpose(tree(text), syntax.name("bz")))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("d.x + d.y", "dy"),
        ("d.x - d.y", "-dy"),
        ("d.y - d.x", "dy"),
        ("a @ d.x + d.y @ c", "dy @ c"),
        ("np.linalg.solve(a, d.y - d.x @ z)", "np.linalg.solve(a, dy)"),
        ("np.where(c, d.x, d.y)", "np.where(c, 0.0, dy)"),
        ("rt.merge(d.x, d.y)", "rt.merge(rt.ZERO, dy)"),
        ("np.sum(d.x, axis=0)", None),
        ("d.x.T[0]", None),
        ("d.y.T[0]", "dy.T[0]"),
        ("d.x.sum(axis)", None),
        ("c * x", "c * x"),
    ],
)
def test_inactive_slots_vanish(text: str, left: str | None) -> None:
    found = vanish(tree(text), {"d[x]"})
    shown = found and syntax.unparse(found).replace("d[y]", "dy")
    assert shown == left


@pytest.mark.parametrize(
    ("primal", "names", "text"),
    [
        (np.multiply, {}, "dz = y * dx + x * dy | bx += bz * y | by += bz * x"),
        (math.sin, {"x": "a"}, "dy = math.cos(a) * da | ba += by * math.cos(a)"),
        (np.sin, {}, "dy = np.cos(x) * dx | bx += by * np.cos(x)"),
        (np.tanh, {}, "dy = (1.0 - y * y) * dx | bx += by * (1.0 - y * y)"),
        (operator.sub, {}, "dz = dx - dy | bx += bz | by -= bz"),
        (divmod, {}, "dr = dx - q * dy | bx += br | by -= br * q"),
        (
            np.maximum,
            {},
            "share = rt.wins(x, y) | dz = rt.cancel(dx, share) + rt.cancel(dy, 1.0 - share) | "
            "share = rt.wins(x, y) | bx += rt.cancel(bz, share) | by += rt.cancel(bz, 1.0 - share)",
        ),
    ],
)
def test_expand(primal: Any, names: dict[str, str], text: str) -> None:
    lines = [n for n in rules.expand(primal, **names).split("\n") if not n.startswith("#")]
    assert " | ".join(lines) == text


def test_a_slice_holds_only_what_it_needs() -> None:
    rule = rules.find(np.multiply)
    assert rule is not None
    part = rule.adjoint(frozenset({"x"}))
    assert (part.reads, part.shapes, [t.target for t in part.terms]) == ({"y"}, set(), ["x"])
    assert part.slots == {"b[z]"}
    assert rule.adjoint(frozenset({"x"})) is part
    maximum = rules.find(np.maximum)
    assert maximum is not None
    assert maximum.adjoint(frozenset({"x"})).locals == ("share",)


def test_a_missing_adjoint_of_a_result_vanishes() -> None:
    rule = rules.find(divmod)
    assert rule is not None
    assert rule.adjoint(frozenset({"x", "y"}), frozenset({"q"})).terms == ()
    assert rule.adjoint(frozenset(), frozenset({"r"})).terms == ()


@pytest.mark.parametrize(
    ("literal", "text"),
    [(1, "by"), (2, "by * 2.0 * a"), (3, "by * 3 * a ** 2"), (2.5, "by * 2.5 * a ** 1.5")],
)
def test_literal_powers(literal: Any, text: str, case: Any) -> None:
    found = case(rules.find(operator.pow), [1.7, literal], ["x"], {"y": literal})
    part = found.rule.adjoint(frozenset({"x"}))
    bound = {"x": syntax.name("a"), "y": syntax.constant(literal)}
    written = rules.instantiate(part, bound, {"b[z]": syntax.name("by")}, {}, {})
    assert [syntax.unparse(t.value) for t in written.terms] == [text]
    expected = literal * 1.7 ** (literal - 1)
    assert found.adjoint([1.0])["x"] == pytest.approx(expected)
