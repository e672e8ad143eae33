"""Random programs: straight line, branches, loops, calls and containers, as text and as functions."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

HELPERS = """
def helper0(a, b=0.5):
    return np.tanh(a * b) + a


def helper1(a, k):
    s = a
    for i in range(k):
        if i % 2 == 0:
            s = np.sin(s) * a
        else:
            s = s * 0.5 + np.cos(a)
    return s, s * a


def helper2(p):
    if np.sum(p["u"]) > 0.1097:
        return p["u"] * p["v"]
    w = p["v"] - p["u"]
    return w * w * 0.3
"""


class Writer:
    """Writes one program; names in ``names`` are bound on every path."""

    def __init__(self, random: Random, lists: bool = True) -> None:
        self.random, self.lists = random, lists
        self.lines: list[str] = []
        self.names = ["x", "y"]
        self.loops = 0

    def text(self) -> str:
        self.block(1, self.random.randint(2, 6), 0)
        if self.random.random() < 0.3:
            self.line(1, f"if np.sum({self.name()}) > 0.3119:")
            self.line(2, f"return np.sum({self.expression()})")
            self.block(1, 2, 1)
        self.line(1, f"return np.sum({self.expression()} * {self.name()}) + np.mean({self.name()})")
        return "\n".join([HELPERS, "", "def program(x, y, n):", *self.lines, ""])

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def name(self) -> str:
        return self.random.choice(self.names)

    def target(self) -> str:
        return self.random.choice(["x", "y", "a", "b", "c", "bx", "t1", "tape", "s"])

    def expression(self) -> str:
        u, v = self.name(), self.name()
        return self.random.choice(
            [
                f"np.sin({u}) * {v}",
                f"{u} * {v} - 0.5",
                f"{u} / (2.0 + {v} * {v})",
                f"np.tanh({u} + {v})",
                f"{u} * 0.5 + {v}",
                f"-{u}",
                f"np.exp(-{u} * {u})",
                f"np.sum({u}) * {v} * 0.3",
                f"np.mean({u} * {v})",
                f"helper0({u})",
                f"helper0({u}, b={v})",
                f"helper1({u}, 2)[1]",
                f"helper2({{'u': {u}, 'v': {v}}})",
                f"({u} if np.sum({v}) > 0.2071 else {v} * 0.7)",
                f"np.where({u} > 0.1513, np.sin({u} - 0.1513), 0.5 * ({u} - 0.1513))",
                f"np.sum(np.stack([{u} * 1.0, {u} * {u}]))",
                "1.5",
            ]
        )

    def block(self, depth: int, size: int, nesting: int) -> None:
        for _ in range(size):
            kind = self.random.randrange(12 if nesting < 3 else 7)
            if kind < 4:
                self.assign(depth)
            else:
                self.statement(kind)(depth, nesting)

    def statement(self, kind: int) -> Callable[[int, int], None]:
        plain = (
            self.swap,
            self.augment,
            self.swap,
            self.branch,
            self.loop,
            self.loop,
            self.turning,
            self.branch,
        )
        lists = (
            self.swap,
            self.augment,
            self.pack,
            self.branch,
            self.loop,
            self.listing,
            self.turning,
            self.comprehension,
        )
        return (lists if self.lists else plain)[kind - 4]

    def bind(self, name: str) -> None:
        if name not in self.names:
            self.names.append(name)

    def assign(self, depth: int) -> None:
        value, target = self.expression(), self.target()
        self.line(depth, f"{target} = {value}")
        self.bind(target)

    def swap(self, depth: int, nesting: int) -> None:
        u, v = self.name(), self.name()
        self.line(depth, f"{u}, {v} = {v}, {self.expression()}" if u != v else f"{u} = {u} * 0.9")

    def augment(self, depth: int, nesting: int) -> None:
        u = self.name()
        self.line(depth, f"{u} = {u} * 1.0")
        operator = self.random.choice(["+=", "-=", "*="])
        self.line(depth, f"{u} {operator} np.mean({self.name()})")

    def pack(self, depth: int, nesting: int) -> None:
        u, v = self.target(), self.target()
        self.line(depth, f"p = ({self.expression()}, [{self.name()}, {self.expression()}])")
        self.line(depth, f"{u}, ({v}, q) = p")
        self.line(depth, f"{v} = {v} * q + p[0] * p[1][-1]")
        self.bind(u)
        self.bind(v)

    def branch(self, depth: int, nesting: int) -> None:
        before = list(self.names)
        self.line(
            depth, f"if np.sum({self.name()}) > {self.random.choice([-0.4137, 0.1193, 0.6271])}:"
        )
        self.block(depth + 1, self.random.randint(1, 3), nesting + 1)
        first, self.names = self.names, list(before)
        if self.random.random() < 0.6:
            self.line(depth, "else:")
            self.block(depth + 1, self.random.randint(1, 2), nesting + 1)
            self.names = [n for n in self.names if n in first]
        else:
            self.names = before

    def loop(self, depth: int, nesting: int) -> None:
        before = list(self.names)
        self.line(depth, f"for i{depth} in range({self.random.choice(['n', '0', '1', '2', '3'])}):")
        self.block(depth + 1, self.random.randint(1, 3), nesting + 1)
        u = self.random.choice(before)
        self.line(depth + 1, f"{u} = np.tanh({u} * (i{depth} + 1)) + {self.name()} * 0.1")
        self.names = before

    def listing(self, depth: int, nesting: int) -> None:
        self.loops += 1
        k = self.loops
        self.line(depth, f"items{k} = [{self.name()}]")
        self.line(depth, f"for j{k} in range({self.random.choice(['n', '2'])}):")
        self.line(depth + 1, f"items{k}.append({self.expression()} + items{k}[-1] * 0.5)")
        self.line(depth, f"for item{k} in items{k}:")
        u = self.name()
        self.line(depth + 1, f"{u} = np.tanh({u} * 0.5 + item{k} * {self.name()})")

    def turning(self, depth: int, nesting: int) -> None:
        self.loops += 1
        k = self.loops
        before = list(self.names)
        self.line(depth, f"k{k} = 0")
        self.line(depth, f"while k{k} < n and np.sum({self.name()}) < 5.0:")
        self.line(depth + 1, f"k{k} += 1")
        self.block(depth + 1, self.random.randint(1, 2), nesting + 1)
        u = self.random.choice(before)
        self.line(depth + 1, f"{u} = np.tanh({u}) + 0.1 * k{k}")
        self.names = before

    def comprehension(self, depth: int, nesting: int) -> None:
        u = self.target()
        self.line(
            depth,
            f"{u} = np.sum(np.array([np.sum(v * {self.name()}) for v in ({self.name()}, {self.name()})]))",
        )
        self.bind(u)


def written(random: Random, lists: bool = True) -> str:
    """The text of a random module with a function ``program(x, y, n)``."""
    return Writer(random, lists).text()


def function(text: str) -> Callable[..., Any]:
    """The function ``program`` of a text that ``inspect`` can find."""
    file = f"<program {hash(text) & 0xFFFFFFFF:x}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"np": np, "__name__": "programs"}
    exec(compile(text, file, "exec"), scope)
    made: Callable[..., Any] = scope["program"]
    return made
