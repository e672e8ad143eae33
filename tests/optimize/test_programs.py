"""Generated programs compute the same and do the same before and after improvement."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tangentlite.optimize import PASSES, improve_block
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.samples import USER, function, sample_is_pure, text_of
from tangentlite.optimize.sums.accumulate import accumulate
from tangentlite.optimize.sums.gather import gather

NAMES = ("x", "y", "z", "t1", "t2", "t3", "bx", "by", "bt1", "x_1", "y_1")
names = st.sampled_from(NAMES)
Lines = list[str]


@st.composite
def expressions(draw: st.DrawFn) -> str:
    a, b, c = draw(names), draw(names), draw(names)
    form = draw(
        st.sampled_from(
            ("{a}", "{a}", "{a} + {b}", "{a} - {b}", "{a} * {b}", "-{a}", "np.tanh({a})")
            + ("{a} + -{b}", "{a} * 1.0", "{a} + {a}", "1.0 * {a}", "-{a} + {b}", "{a}[::-1]")
            + ("{a} - {b} * -{c}", "np.tanh({a} * {b}) + {c}", "{a}.copy()", "rt.ZERO + {a}")
            + ("turn @ {a}", "-(turn @ {a})", "turn @ {a} * {b}")
            + ("np.where({a} > 0.0, {b}, {c})", "rt.ZERO * {a} + {b}", "{a} * {b} + {a} * {b}")
        )
    )
    return form.format(a=a, b=b, c=c)


@st.composite
def simples(draw: st.DrawFn) -> Lines:
    a, b, e = draw(names), draw(names), draw(expressions())
    return [
        draw(
            st.sampled_from(
                (f"{a} = {e}", f"{a} = {e}", f"{a} = {e}", f"{a} = {b}", f"{a} = {b}")
                + (f"{a} = {a} + turn @ {b}", f"{a} = {a} - turn @ {b}", f"{a} = turn @ {b}")
                + (f"{a} = {a} + {e}", f"{a}[0] = {b}[1]", f"{a}[1:] += {b}[1:]", f"log({a})")
                + (f"{a} = bump({b})", f"# Grad of: {a}", f"{a}, {b} = {b}, {a}", f"log({e})")
                + (f"{a} = np.zeros_like({b})", f"{a} = np.ones({b}.shape)", f"stash({a})")
                + (f"{a} = np.zeros({b}.shape)", f"{a}[1:] -= {b}[1:]", f"{a}[1:] += ({e})[:2]")
                + (f"fill({a}, {b})", f"fill(b={e}, a={a})", f"{a}[1:] = {b}[:-1]")
            )
        )
    ]


def indented(lines: Lines) -> Lines:
    remarks = all(line.lstrip().startswith("#") for line in lines)
    return ["    " + line for line in [*lines, *(["pass"] if remarks else [])]]


class Counter:
    """Fresh numbers for loop counters and tapes."""

    def __init__(self) -> None:
        self.last = 0

    def __call__(self) -> int:
        self.last += 1
        return self.last


@st.composite
def programs(draw: st.DrawFn, count: Counter, depth: int = 2) -> Lines:
    lines: Lines = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(
            st.sampled_from(("simple",) * 4 + (("if", "for", "while", "tape") * (depth > 0)))
        )
        if kind == "simple":
            lines += draw(simples())
            continue
        body = draw(programs(count, depth - 1))
        k = count()
        if kind == "if":
            lines += [f"if {draw(names)}[0] > {draw(names)}[1]:", *indented(body)]
            if draw(st.booleans()):
                lines += ["else:", *indented(draw(programs(count, depth - 1)))]
        elif kind == "for":
            lines += [f"for i_{k} in range({draw(st.integers(0, 3))}):", *indented(body)]
        elif kind == "while":
            lines += [f"k_{k} = 0", f"while k_{k} < 2:", *indented(body)]
            lines += [f"    k_{k} = k_{k} + 1"]
        else:
            lines += draw(taped(count, body, k, depth))
    return lines


@st.composite
def taped(draw: st.DrawFn, count: Counter, body: Lines, k: int, depth: int) -> Lines:
    width = draw(st.integers(1, 3))
    pushed = [draw(names) for _ in range(width)]
    popped = draw(st.lists(names, min_size=width, max_size=width, unique=True))
    record, target = ", ".join(pushed), ", ".join(popped)
    record, target = (f"({record})", f"({target})") if width > 1 else (record, target)
    back = draw(programs(count, depth - 1))
    return [
        f"tape_{k} = []",
        f"for i_{k} in range(3):",
        *indented([f"tape_{k}.append({record})", *body]),
        *draw(simples()),
        f"for i_{k} in reversed(range(3)):",
        *indented([f"{target} = tape_{k}.pop()", *back]),
    ]


@st.composite
def functions(draw: st.DrawFn) -> str:
    start = [f"{name} = np.tanh(x + {k}.0)" for k, name in enumerate(NAMES[1:]) if name != "by"]
    result = draw(st.lists(names, min_size=1, max_size=3))
    return "\n".join([*start, *draw(programs(Counter())), f"return ({', '.join(result)},)"])


TURN = np.array([[0.5, 0.25, -0.25], [0.0, 0.75, 0.5], [-0.5, 0.25, 0.5]])
CALLEES: dict[str, Any] = {"bump": object(), "log": object(), "stash": object(), "turn": TURN}


class Zero:
    """A lazy zero for the generated programs."""

    __array_ufunc__ = None

    def __add__(self, other: Any) -> Any:
        return other

    def __mul__(self, other: Any) -> Zero:
        return self

    __radd__ = __add__
    __rmul__ = __mul__


class Runtime:
    """Stands in for the runtime module."""

    ZERO = Zero()


def fill(a: Any, b: Any) -> None:
    """A user's procedure that does nothing but to write into its first argument."""
    a[:2] = 0.5 * b[:2] + a[:2]


def effects(callee: Any) -> frozenset[str] | None:
    return frozenset({"a"}) if callee is fill else None


CALLEES["fill"] = fill


def run(text: str, shared: bool) -> tuple[list[Any], list[Any]]:
    """What a program returns and what it logs; its two arrays share memory if ``shared``."""
    log: list[Any] = []

    def bump(a: Any) -> Any:
        log.append(np.array(a))
        a[0] = 0.25
        return a * 0.5

    names = {
        "np": np,
        "rt": Runtime,
        "log": lambda a: log.append(np.array(a)),
        "bump": bump,
        "stash": log.append,
        "fill": fill,
        "turn": TURN,
    }
    body = "\n".join("    " + line for line in text.splitlines())
    exec(f"def f(x, n, by):\n{body}", names)
    memory = np.array([0.5, -0.25, 0.125, 0.75])
    x, by = (memory[:3], memory[1:]) if shared else (memory[:3].copy(), memory[1:].copy())
    result = names["f"](x, 3, by)  # type: ignore[operator]
    return [*result, x, by], log


def agree(a: list[Any], b: list[Any]) -> bool:
    return len(a) == len(b) and all(
        np.allclose(x, y, rtol=1e-12, atol=0.0, equal_nan=True) for x, y in zip(a, b, strict=True)
    )


def optimized(text: str, steps: Any) -> str:
    sample = function(text, names=CALLEES)
    scope = Scope(sample, USER - {"by"}, sample_is_pure, effects)
    return text_of(steps(sample.body, scope))


def check(text: str, steps: Any) -> None:
    after = optimized(text, steps)
    for shared in (False, True):
        with np.errstate(all="ignore"):
            before_values, before_log = run(text, shared)
            values, log = run(after, shared)
        assert agree(before_values, values), f"{text}\n=====\n{after}"
        assert agree(before_log, log), f"{text}\n=====\n{after}"


SETTINGS = settings(
    max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def in_place(body: Any, scope: Scope) -> Any:
    return accumulate(body, scope, scope.local)


@settings(SETTINGS, max_examples=150)
@given(functions())
def test_sums_in_place_do_the_same(text: str) -> None:
    check(text, in_place)


@settings(SETTINGS, max_examples=150)
@given(functions())
def test_sums_that_are_gathered_are_the_same(text: str) -> None:
    check(text, gather)


def test_a_sum_is_gathered_where_nothing_comes_between() -> None:
    text = """\
bx = np.zeros(x.shape)
bx[1:] -= by[1:]
by[0] = 2.0
bx[1:] -= y[1:]
bx[:2] += y[1:]
bt1 = bx
bx[:2] += bt1[1:]
bx[:2] += y[1:]
return (bx,)
"""
    after = optimized(text, gather)
    assert after.count("bx[1:] -=") == 2  # what is written in between is read by the first
    assert "bx[:2] = " not in after
    assert "bx[:2] += bt1[1:]" in after


def test_sums_are_in_place_where_nobody_sees_it() -> None:
    text = """\
bx = turn @ y
bt1 = bx
bx = bx + turn @ x
by = turn @ bx
for i in range(n):
    by = by - turn @ y
    y = by * 2.0
return (by,)
"""
    after = optimized(text, in_place)
    assert "bx = bx + turn @ x" in after
    assert "by -= turn @ y" in after


@SETTINGS
@given(functions())
def test_improved_programs_do_the_same(text: str) -> None:
    check(text, improve_block)


@pytest.mark.parametrize("step", PASSES, ids=lambda step: str(step.__name__))
@settings(SETTINGS, max_examples=40)
@given(text=functions())
def test_each_pass_alone_does_the_same(step: Any, text: str) -> None:
    check(text, step)


@settings(SETTINGS, max_examples=30)
@given(functions())
def test_improvement_is_stable_and_leaves_its_input_alone(text: str) -> None:
    sample = function(text, names=CALLEES)
    before = text_of(sample.body)
    improve_block(sample.body, Scope(sample, USER - {"by"}, sample_is_pure, effects))
    assert text_of(sample.body) == before
