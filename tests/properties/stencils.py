"""Random programs of stencils: parts of arrays are written from parts that overlap them, with coefficients.

``python -m tests.properties.stencils A B [SECONDS]`` judges the programs of the seeds A to B, ``--show SEED`` prints one,
``--reduce SEED`` removes what its fault does not need.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import numpy as np

from tests.properties.faults import command

SIDE = 6
ARRAYS = "abc"
ROOM = ("1:-1", "1:-1", ":-2", "2:")
NUMBERS = ("0.5", "-0.25", "2.0", "s", "-s", "np.sin(s)", "-np.exp(s)", "0.5 * s")
HELPER = "def sweep(a, b, c, s, w, n):"
PROGRAM = "def program(x, s, w, n):"
BEGIN = ("a = x * 1.0", "b = np.cos(x)", "c = np.zeros_like(x)")
END = "return np.sum(a * x) + np.sum(b * b) - 0.5 * np.sum(c * np.sin(a))"


class Writer:
    """Writes one program."""

    def __init__(self, random: Random, without: frozenset[str] = frozenset()) -> None:
        self.random, self.made = random, list[str]()
        self.flat = random.random() < 0.6
        kinds = "store store add add add shift shift scale name change edge whole whole"
        self.kinds = [kind for kind in kinds.split() if kind not in without]

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def part(self) -> str:
        room = self.pick(*ROOM) if self.flat else f"{self.pick(*ROOM)}, {self.pick(*ROOM)}"
        return f"{self.pick(*ARRAYS)}[{room}]"

    def expression(self, depth: int) -> str:
        form = self.random.random() if depth else 0.0
        if form < 0.2:
            return self.pick(*self.made, self.part(), self.part())
        inner = self.expression(depth - 1)
        if form < 0.55:
            return f"({inner} {self.pick('+', '-')} {self.expression(depth - 1)})"
        if form < 0.75:
            return self.pick(f"{self.pick(*NUMBERS)} * {inner}", f"{inner} * {self.pick(*NUMBERS)}")
        if form < 0.8:
            return f"{self.pick('w', '-w', 'np.exp(w)')} * {inner}"
        if form < 0.9:
            return self.pick(f"-{inner}", f"{inner} * {self.expression(0)}", f"{inner} * 1.0")
        test = f"{self.part()} > 0.1"
        return self.pick(f"np.tanh({inner})", f"np.where({test}, {inner}, 0)", f"{inner} / 1.5")

    def statement(self) -> str:
        name, other, kind = self.pick(*ARRAYS), self.pick(*ARRAYS), self.random.choice(self.kinds)
        if kind == "store":
            return f"{self.part()} = {self.expression(2)}"
        if kind == "add":
            depth = self.random.randint(1, 3)
            return f"{self.part()} {self.pick('+=', '-=')} {self.expression(depth)}"
        if kind == "shift":
            first, second = self.part(), self.part()
            factor = self.pick("-w", "np.exp(w)", "w * 0.5", *NUMBERS)
            return f"{name}{first[1:]} {self.pick('+=', '-=')} {factor} * {name}{second[1:]}"
        if kind == "scale":
            return f"{self.part()} *= np.cos({self.expression(1)})"
        if kind == "edge":
            return f"{name}[0] = {self.pick('0.0', f'-{name}[-2]', f'{other}[1] * s')}"
        if kind == "whole":
            rebound = self.pick(
                f"{other} * 1.0", f"-{other}", f"np.tanh({name})", f"{other}.copy()"
            )
            return self.pick(f"{name} = {rebound}", f"{name} += -np.sin(s) * {other}")
        temporary = self.pick("u", "v")
        if kind == "change" and temporary in self.made:
            return f"{temporary} {self.pick('+=', '-=', '*=')} np.cos({self.expression(1)})"
        text = f"{temporary} = {self.expression(2)}"
        self.made += [temporary] if temporary not in self.made else []
        return text

    def text(self) -> str:
        helper = self.random.random() < 0.4
        before = [f"    {self.statement()}" for _ in range(self.random.randint(0, 2))]
        loop = [f"        {self.statement()}" for _ in range(self.random.randint(2, 5))]
        self.made.clear()
        body = [*before, "    for i in range(n):", *loop, f"    {self.statement()}"]
        start, end = [f"    {line}" for line in BEGIN], [f"    {END}", ""]
        if not helper:
            return "\n".join([PROGRAM, *start, *body, *end])
        calls = ["    sweep(a, b, c, s, w, n)", "    sweep(b, a, c, -s, w * 0.5, 1)"]
        return "\n".join([HELPER, *body, "\n", PROGRAM, *start, *calls, *end])


def written(seed: int, without: frozenset[str] = frozenset()) -> str:
    """The text of a random module with a function ``program(x, s, w, n)``."""
    return Writer(Random(seed), without).text()


def arguments(seed: int) -> tuple[Any, ...]:
    """Arguments for the program of that seed."""
    numbers = np.random.default_rng(seed)
    shape = (SIDE,) if Writer(Random(seed)).flat else (SIDE, SIDE)
    return numbers.normal(size=shape), 0.7, numbers.normal(size=SIDE - 2), seed % 4


if __name__ == "__main__":
    sys.exit(command(sys.argv[1:], written, arguments))
