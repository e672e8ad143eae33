"""Random programs that write in place: stores, views, aliases, helpers, containers, in loops and branches.

``python -m tests.properties.inplace A B [SECONDS]`` judges the programs of the seeds A to B, ``--show SEED`` prints one,
``--reduce SEED`` removes what its fault does not need; ``--without sort,out`` leaves kinds of statements out,
``--second`` asks for the second order too.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import numpy as np

from tests.properties.faults import command
from tests.properties.vocabulary import GLOBALS, HELPERS, Vocabulary
from tests.properties.within import Within

STORES = "store store store augment augment augment whole whole rebind scalar swap procedure"
BINDINGS = "view view view alias alias copied temporary listing pairing mapping cell single rows_of"
WRITES = "integers mask out out copyto fill sort diagonal adding along_axis places_of within within"
CALLS = "call call call call call call"
BLOCKS = "branch branch loop loop rows rows items turning leave pingpong either"
KINDS = f"{STORES} {BINDINGS} {WRITES} {CALLS} {BLOCKS}".split()
NARROW = ["narrow"] * 4  # float32, in few programs: their derivatives are rough


class Writer(Within):
    """Writes one program, a statement of a random kind at a time."""

    def __init__(self, random: Random, without: frozenset[str] = frozenset()) -> None:
        super().__init__(random)
        kinds = [*KINDS, *(NARROW if self.chance(0.06) else [])]
        self.kinds = [kind for kind in kinds if kind not in without]

    def text(self) -> str:
        helpers = [self.define() for _ in range(self.random.randint(0, 3))]
        for name in "ab":
            if self.chance(0.7):
                self.bind(1, f"{self.pick('x', 'y')} * 1.0", name)
        self.block(1, self.random.randint(4, 11), 0)
        self.line(1, f"return {self.result()}")
        parts = [GLOBALS, HELPERS, *(f"\n\n{helper}" for helper in helpers), "\n"]
        return "\n".join([*parts, "def program(x, y, s, n):", *self.lines, ""])

    def result(self) -> str:
        if self.written:
            return super().result()
        places = self.places(fixed=True)
        chosen = [p for p in places if self.chance(0.6)] or places
        terms = [f"np.sum(W[:{int(np.prod(s))}].reshape({s}) * {text})" for text, s in chosen]
        return " + ".join([*terms, *self.numbers()])

    def block(self, depth: int, size: int, nesting: int) -> None:
        for _ in range(size):
            kind = self.random.choice(self.kinds)
            if kind not in BLOCKS.split():
                getattr(self, kind)(depth)
            elif nesting < 3:
                getattr(self, kind)(depth, nesting)

    def inside(self, depth: int, nesting: int, **names: Any) -> None:
        """A block whose own names end with it."""
        outside = self.scope, self.local, self.counters, self.looping
        self.looping |= bool(names)
        self.scope, self.local = {**self.scope, **names}, set(names)
        self.counters = [*self.counters, *(n for n, v in names.items() if type(v) is int)]
        self.block(depth + 1, self.random.randint(1, 3), nesting + 1)
        self.store(depth + 1)
        self.scope, self.local, self.counters, self.looping = outside

    # Blocks

    def branch(self, depth: int, nesting: int) -> None:
        self.line(depth, f"if {self.test()}:")
        self.inside(depth, nesting)
        if self.chance(0.5):
            self.line(depth, "else:")
            self.inside(depth, nesting)

    def loop(self, depth: int, nesting: int) -> None:
        counter = self.fresh("i")
        ranges = ["n", "n", "2", "3", "1, 4", "2, -1, -1", "0"]
        self.line(depth, f"for {counter} in range({self.pick(*ranges)}):")
        self.inside(depth, nesting, **{counter: 0})

    def rows(self, depth: int, nesting: int) -> None:
        text = self.pick(self.array()[0], self.array()[0], f"{self.array()[0]}.T", self.part(1)[0])
        value, row = self.value(text)[0], self.fresh("row")
        value = value if isinstance(value, np.ndarray) else 0.5
        number, other = self.fresh("i"), self.fresh("row")
        second = self.array()[0]
        another = self.value(second)[0]
        another = another if isinstance(another, np.ndarray) else 0.5
        form = self.pick("plain", "reversed", "enumerate", "zip")
        if form == "enumerate":
            self.line(depth, f"for {number}, {row} in enumerate({text}):")
            self.inside(depth, nesting, **{number: 0, row: value})
        elif form == "zip":
            self.line(depth, f"for {row}, {other} in zip({text}, {second}):")
            self.inside(depth, nesting, **{row: value, other: another})
        else:
            walked = f"reversed({text})" if form == "reversed" else text
            self.line(depth, f"for {row} in {walked}:")
            self.inside(depth, nesting, **{row: value})

    def items(self, depth: int, nesting: int) -> None:
        lists = [n for n, v in self.scope.items() if isinstance(v, list)]
        if lists:
            name, item = self.pick(*lists), self.fresh("item")
            self.line(depth, f"for {item} in {name}:")
            self.inside(depth, nesting, **{item: self.scope[name][0]})

    def turning(self, depth: int, nesting: int) -> None:
        counter = self.fresh("j")
        self.line(depth, f"{counter} = 0")
        limit = self.pick("n", "2", f"n and {self.number(pure=True)} < 0.8")
        self.line(depth, f"while {counter} < {limit}:")
        self.line(depth + 1, f"{counter} += 1")
        self.inside(depth, nesting, **{counter: 0})

    def leave(self, depth: int, nesting: int) -> None:
        if not self.looping:
            self.line(depth, f"if {self.test()}:")
            self.inside(depth, nesting)
            self.line(depth + 1, f"return {self.result()}")

    def pingpong(self, depth: int, nesting: int) -> None:
        """Two buffers that change their names every trip."""
        text, shape = self.array()
        names = [self.fresh("old"), self.fresh("new")]
        self.keep(depth, names[0], self.pick(f"{text} * 0.9", f"{text}.copy()", text))
        self.keep(depth, names[1], f"np.zeros_like({text})")
        counter = self.fresh("i")
        self.line(depth, f"for {counter} in range({self.pick('n', '2', '3')}):")
        self.line(depth + 1, f"{names[1]}[...] = {names[0]} * 0.8 + {self.expression(shape)}")
        self.inside(depth, nesting, **{counter: 0})
        self.line(depth + 1, f"{names[0]}, {names[1]} = {names[1]}, {names[0]}")

    def either(self, depth: int, nesting: int) -> None:
        """A name for one array or another."""
        shape = self.array()[1]
        like = [text for text, other in self.places() if other == shape]
        name, test = self.fresh("t"), self.test()
        for head in (f"if {test}:", "else:"):
            self.line(depth, head)
            self.line(depth + 1, f"{name} = {self.pick(*like, self.anew(shape))}")
        self.own(name, np.ones(shape))


def written(seed: int, without: frozenset[str] = frozenset()) -> str:
    """The text of a random module with a function ``program(x, y, s, n)``."""
    for attempt in range(9):
        writer = Writer(Random(seed), without)
        writer.random.seed(seed + attempt * 10**9)
        writer.scope["s"] = np.array(0.5) if seed % 10 == 3 else 0.5
        try:
            return writer.text()
        except (ValueError, IndexError):  # a helper that does not suit its arguments
            continue
    raise AssertionError(f"no program for seed {seed}")


def arguments(seed: int) -> tuple[Any, ...]:
    """Arguments for the program of that seed."""
    shapes = Vocabulary(Random(seed)).shapes
    numbers = np.random.default_rng(seed)
    x, y = (numbers.uniform(0.2, 0.9, s) * numbers.choice([-1.0, 1.0], s) for s in shapes)
    s = float(numbers.uniform(0.3, 0.8))
    return x, y, np.array(s) if seed % 10 == 3 else s, seed % 4


if __name__ == "__main__":
    sys.exit(command(sys.argv[1:], written, arguments))
