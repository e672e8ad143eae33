# ruff: noqa: F821, F841
"""What the loader refuses, where it points, and what users may register."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gast
import numpy as np
import pytest

from tangentlite import rules, runtime as rt, syntax
from tangentlite.errors import RuleError
from tangentlite.rules.notation import (
    adjoint,
    b,
    d,
    elementwise,
    inactive,
    linear,
    positions,
    rule,
    tangent,
)


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    with rules.restored():
        yield


MODULE = """
from tangentlite import d
from tangentlite.rules.notation import elementwise


def plain(x):
    return x


def inner(x):
    return x


@elementwise(
    plain,
)
def plain_rule(
    x,
) -> "y":
    # the margin is left here
    d[y] = 2.0 * d[x]

# and here
if True:
    @elementwise(inner)
    def inner_rule(x) -> "y":
        d[y] = 3.0 * d[x]

Z = [
1]
"""


def test_a_rule_is_read_wherever_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ruled.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    module: Any = importlib.import_module("ruled")
    for function, head in ((module.plain, "def plain_rule("), (module.inner, "def inner_rule(x)")):
        found = rules.find(function)
        assert found is not None and found.backward is not None
        assert head in MODULE.splitlines()[found.line - 1]
        assert found.adjoint(frozenset("x")).terms


def test_the_names_of_rules_are_known_without_their_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a rule is read")

    wanted = (np.sin, np.argmax, np.floor, len, np.linalg.svd)
    with monkeypatch.context() as patched:
        patched.setattr(sys.modules["tangentlite.rules.registry"], "build", refuse)
        names = rules.named(wanted)
    assert names == {found.name for f in wanted if (found := rules.find(f))}


def f(x: Any, y: Any = 2.0, *, scale: float = 1.0) -> Any:
    return scale * x * y


def bind(primal: Any, text: str) -> dict[str, str]:
    call = syntax.expression(text)
    found = rules.find(primal)
    assert found is not None
    bound = found.bind(call.args, {k.arg: k.value for k in call.keywords})
    return {n: syntax.unparse(t) for n, t in bound.items()}


def test_a_user_rule_is_found_and_counts() -> None:
    before = rules.version()

    @elementwise(f)
    def product(x, y=2.0, *, scale=1.0) -> "z":
        d[z] = scale * (y * d[x] + x * d[y])

    assert rules.version() > before
    assert rules.expand(f) == (
        "# Tangent\ndz = scale * (y * dx + x * dy)\n"
        "# Adjoint\nbx += bz * scale * y\nby += bz * scale * x"
    )
    found = rules.find(f)
    assert found is not None
    assert found.differentiable == {"x", "y"}
    assert not rules.is_pure(f)


@pytest.mark.parametrize(
    ("message", "caret"),
    [
        ("np.sin takes 1 arguments, not 2", "def arity"),
        ("has no parameter `axis`", "def keyword"),
        ("the name `cosine` is not bound", "def unbound"),
        ("`y` has no adjoint", "def uncovered"),
        ("not linear in d[·]", "d[z] = d[x] * d[y]"),
        ("adjoints accumulate", "b[x] = y * b[z]"),
        ("a tangent is defined", "d[z] -= d[x]"),
        ("`w` is no parameter or result", "d[z] = d[w]"),
        ("`d[x] = …`: `x` is no result", "d[x] = d[y]"),
        ("`b[z] += …`: `z` is no parameter", "b[z] += b[z]"),
        ("the parameter `x` is assigned", "x = 2.0"),
        ("none of the forms of a rule", "return"),
        ("the result is written", "def nameless"),
        ("no parameter has a derivative", "def constant"),
        ("is no variadic parameter", "positions(x)"),
        ("argument 1 of", "def misplaced"),
    ],
)
def test_errors_point_at_the_line(message: str, caret: str) -> None:
    with pytest.raises(RuleError) as caught:
        WRONG[message]()
    assert message in caught.value.message
    assert caught.value.place is not None
    assert caret in caught.value.place.text
    assert str(caught.value.place).endswith("^")


def wrong_arity() -> None:
    @elementwise(np.sin)
    def arity(x, y) -> "z":
        d[z] = d[x] + d[y]


def wrong_keyword() -> None:
    @elementwise(f)
    def keyword(x, y, *, axis=None) -> "z":
        d[z] = d[x] + d[y]


def wrong_unbound() -> None:
    @elementwise(f)
    def unbound(x, y) -> "z":
        d[z] = cosine(x) * d[x] + d[y]


def wrong_uncovered() -> None:
    @rule(f)
    def uncovered(x, y) -> "z":
        d[z] = y * d[x] + x * d[y]
        b[x] += y * b[z]


def wrong_product() -> None:
    @elementwise(f)
    def nonlinear(x, y) -> "z":
        d[z] = d[x] * d[y]


def wrong_assignment() -> None:
    @rule(f)
    def assigned(x, y) -> "z":
        d[z] = y * d[x]
        b[x] = y * b[z]


def wrong_tangent() -> None:
    @rule(f)
    def subtracted(x, y) -> "z":
        d[z] -= d[x]


def wrong_slot() -> None:
    @elementwise(f)
    def stray(x, y) -> "z":
        d[z] = d[w]


def wrong_result() -> None:
    @elementwise(f)
    def result(x, y) -> "z":
        d[x] = d[y]


def wrong_target() -> None:
    @rule(f)
    def target(x, y) -> "z":
        d[z] = d[x]
        b[z] += b[z]


def wrong_parameter() -> None:
    @elementwise(f)
    def parameter(x, y) -> "z":
        x = 2.0
        d[z] = x * d[y]


def wrong_form() -> None:
    @elementwise(f)
    def form(x, y) -> "z":
        return x


def wrong_nameless() -> None:
    @elementwise(f)
    def nameless(x, y):
        d[z] = d[x] + d[y]


def wrong_constant() -> None:
    @elementwise(f)
    def constant(x, y) -> "z":
        """Nothing."""


def wrong_positions() -> None:
    @rule(f)
    def loop(x, y) -> "z":
        for k in positions(x):
            b[x] += b[z]


def wrong_order() -> None:
    @elementwise(f)
    def misplaced(x, scale=1.0) -> "z":
        d[z] = scale * d[x]


WRONG = {
    "np.sin takes 1 arguments, not 2": wrong_arity,
    "has no parameter `axis`": wrong_keyword,
    "the name `cosine` is not bound": wrong_unbound,
    "`y` has no adjoint": wrong_uncovered,
    "not linear in d[·]": wrong_product,
    "adjoints accumulate": wrong_assignment,
    "a tangent is defined": wrong_tangent,
    "`w` is no parameter or result": wrong_slot,
    "`d[x] = …`: `x` is no result": wrong_result,
    "`b[z] += …`: `z` is no parameter": wrong_target,
    "the parameter `x` is assigned": wrong_parameter,
    "none of the forms of a rule": wrong_form,
    "the result is written": wrong_nameless,
    "no parameter has a derivative": wrong_constant,
    "is no variadic parameter": wrong_positions,
    "argument 1 of": wrong_order,
}


def test_the_papers_form() -> None:
    @adjoint(f)
    def df(z, x, y):
        d[x] = y * d[z]
        d[y] = x * d[z]

    @tangent(f)
    def tf(z, a, b_):
        d[z] = b_ * d[a] + a * d[b_]

    found = rules.find(f)
    assert found is not None
    assert found.forward is not None
    assert found.backward is not None
    assert rules.expand(f) == (
        "# Tangent\ndz = b_ * da + a * db_\n# Adjoint\nba += b_ * bz\nbb_ += a * bz"
    )


def test_one_mode_alone_says_what_is_missing() -> None:
    @adjoint(f)
    def df(z, x, y):
        d[x] = y * d[z]

    found = rules.find(f)
    assert found is not None
    with pytest.raises(RuleError, match="no tangent"):
        found.tangent(frozenset({"x"}))
    with pytest.raises(RuleError, match="has no derivative in `y`"):
        found.adjoint(frozenset({"y"}))


def test_a_user_overrides_one_mode_of_a_template() -> None:
    @adjoint(np.sin)
    def clipped(y, x):
        d[x] = np.clip(np.cos(x), -0.5, 0.5) * d[y]

    assert "bx += np.clip(np.cos(x), -0.5, 0.5) * by" in rules.expand(np.sin)
    assert "dy = np.cos(x) * dx" in rules.expand(np.sin)


def test_inactive_is_a_decorator_and_a_call() -> None:
    @inactive
    def log(x: float) -> None:
        print(x)

    assert callable(log)
    found = rules.find(log)
    assert found is not None
    assert found.algebra == "inactive"
    assert found.differentiable == frozenset()
    assert not rules.is_pure(log)
    assert rules.is_pure(np.argmax)


def test_lookups() -> None:
    assert rules.find([]) is None
    assert rules.find(f) is None
    assert rules.find(np.multiply) is not None
    assert rules.is_pure(len)
    assert not rules.is_pure(print)
    assert not rules.is_pure(f)


@pytest.mark.parametrize(
    ("primal", "call", "bound"),
    [
        (np.sum, "f(a, 0)", {"x": "a", "axis": "0"}),
        (np.sum, "f(a=v, axis=1)", {"x": "v", "axis": "1"}),
        (np.prod, "f(a, None, None, None)", {"x": "a", "axis": "None"}),
        (np.prod, "f(a, dtype=None)", {"x": "a"}),
        (np.multiply, "f(a, c)", {"x": "a", "y": "c"}),
        (np.einsum, "f('ij,jk', a, c)", {"spec": "'ij,jk'", "xs[0]": "a", "xs[1]": "c"}),
    ],
)
def test_bind(primal: Any, call: str, bound: dict[str, str]) -> None:
    assert bind(primal, call) == bound


@pytest.mark.parametrize(
    ("primal", "call", "message"),
    [
        (
            np.sum,
            "f(a, out=o)",
            "np.sum: parameter `out` is not supported by the rule in templates/",
        ),
        (np.multiply, "f(a, c, where=w)", "np.multiply: parameter `where` is not supported"),
        (np.multiply, "f(a)", "the argument `y` is missing"),
        (np.multiply, "f(a, c, e)", "takes 2 arguments"),
        (np.sum, "f(a, 0, axis=1)", "given twice"),
        (np.sum, "f(*a)", "is not supported"),
    ],
)
def test_bind_refuses(primal: Any, call: str, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        bind(primal, call)
    assert message in str(caught.value)


def test_variadic_positions_unroll() -> None:
    def total(*xs: Any) -> Any:
        return sum(xs)

    @rule(total)
    def total_rule(*xs) -> "y":
        for k in positions(xs):
            d[y] += d[xs[k]]
            b[xs[k]] += rt.unbroadcast(b[y], xs[k])

    found = rules.find(total)
    assert found is not None
    found = found.select({"xs[0]": None, "xs[1]": None, "xs[2]": None})
    assert found.differentiable == {"xs", "xs[0]", "xs[1]", "xs[2]"}
    part = found.adjoint(frozenset({"xs[1]"}))
    assert [t.target for t in part.terms] == ["xs[1]"]
    assert (part.reads, part.shapes) == (set(), {"xs[1]"})
    (term,) = found.tangent(frozenset({"xs[0]", "xs[2]"})).terms
    assert syntax.unparse(term.value) == "d[xs[0]] + d[xs[2]]"


def test_absent_arguments_are_not_printed() -> None:
    found = rules.find(np.trace)
    assert found is not None
    part = found.adjoint(frozenset({"x"}))
    slots = {"b[y]": syntax.name("by")}
    written = rules.instantiate(part, {"x": syntax.name("a")}, slots, {}, {})
    assert syntax.unparse(written.terms[0].value) == "rt.untrace(by, a)"
    assert "x" in part.shapes


def test_a_linear_rule_applies_its_primal() -> None:
    @linear(f, in_=("x",))
    def scaled(x, y=2.0) -> "z":
        b[x] += y * b[z]

    found = rules.find(f)
    assert found is not None
    part = found.tangent(frozenset({"x"}))
    assert (part.apply, part.reads, part.terms) == ({"x"}, {"y"}, ())


def test_lines_that_assign_the_result_replace_the_call() -> None:
    @rule(f)
    def ordered(x, y=2.0) -> "z":
        order = np.argsort(x)
        z = x[order]
        d[z] = d[x][order]
        b[x] += rt.add_at(rt.zeros(x), order, b[z])

    found = rules.find(f)
    assert found is not None
    assert [syntax.unparse(s) for s in found.replaces] == ["order = np.argsort(x)", "z = x[order]"]
    part = found.adjoint(frozenset({"x"}))
    assert part.kept == ("order",)
    assert part.shared == ()
    assert "order" in part.reads


def test_slots_mean_nothing_outside_rules() -> None:
    with pytest.raises(TypeError, match="in rules only"):
        d["x"]
    with pytest.raises(TypeError, match="in rules only"):
        b["x"] = 1


def test_trees_are_gast() -> None:
    found = rules.find(np.sin)
    assert found is not None
    (term,) = found.adjoint(frozenset({"x"})).terms
    assert isinstance(term.value, gast.BinOp)


def test_a_variant_is_chosen_when_its_guard_is_proved(case: Any) -> None:
    @elementwise(f)
    def product(x, y=2.0) -> "z":
        d[z] = y * d[x] + x * d[y]

    @product.when(lambda y: y.literal == 1)
    def identity(x, y=2.0) -> "z":
        d[z] = d[x]

    found = rules.find(f)
    assert found is not None
    chosen = case(found, [3.0, 1], ["x"], {"y": 1}).rule
    assert chosen.name == "identity"
    assert chosen is case(found, [3.0, 1], ["x"], {"y": 1}).rule
    assert case(found, [3.0, 4.0]).rule.name == "product"
    assert found.select({"y": object()}).name == "product"
