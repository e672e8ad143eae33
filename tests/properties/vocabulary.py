"""What a random program that writes in place is made of: names, indices, expressions that stay small."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

GLOBALS = "W = np.cos(1.0 + np.arange(99.0))\nSCALE = 0.7"
HELPERS = """
def damp(v, s):
    v *= np.cos(s)


def mixed(u, v):
    t = u * 0.5
    t = t + np.sin(v) * 0.4
    return t


def curved(u, v):
    t = np.tanh(u * 0.5)
    return t + v * 0.1 if np.sum(v) > 3.0 else t


def shift(v, w):
    v[1:] = v[:-1] * 0.7
    v[0] = np.mean(w)


def same(v):
    return v


def behind(v):
    return v[-2:]


def bump(v, k):
    if k > 0:
        v[k % len(v)] += 0.3 * np.sin(v[0])
        bump(v, k - 1)
        v *= 0.9


def exchange(p, q):
    t = p.copy()
    p[:] = q
    q[:] = t * 0.8
    damp(p[:2], q[0] + 0.1)


def drained(v):
    s = 0.0
    for row in v:
        s = s + np.sum(row * row)
        row *= 0.5
    return np.tanh(s)


class Filter:
    def __init__(self, k):
        self.k = k

    def apply(self, v, out=None):
        if out is None:
            return v * 0.5
        out *= self.k
        out += v * 0.3
        return np.sum(out)
"""
SHAPES = [(4,), (3, 3), (2, 3, 2)]
NAMES = "abcpquvw"
Shape = tuple[int, ...]
Place = tuple[str, Shape]


class Vocabulary:
    """``scope`` holds, for every name, a stand-in of its type and shape: texts are evaluated on them."""

    def __init__(self, random: Random) -> None:
        self.random, self.made = random, 0
        self.lines: list[str] = []
        self.shapes = [random.choice(SHAPES), random.choice(SHAPES)]
        self.scope: dict[str, Any] = {
            "x": np.ones(self.shapes[0]),
            "y": np.ones(self.shapes[1]),
            "s": 0.5,
            "n": 1,
        }
        self.local = set(self.scope)  # bound in the block that is being written
        self.captured: set[str] = set()
        self.counters: list[str] = []
        self.module: dict[str, Any] = {"np": np}
        exec(f"{GLOBALS}\n{HELPERS}", self.module)

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def fresh(self, stem: str) -> str:
        self.made += 1
        return f"{stem}{self.made}"

    def pick(self, *texts: str) -> str:
        return self.random.choice(texts)

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def value(self, text: str) -> Any:
        return eval(text, self.module | self.scope)

    def shape(self, text: str) -> Shape:
        return np.shape(self.value(text))

    # Places

    def places(self, least: int = 0, fixed: bool = False) -> list[Place]:
        """The arrays of floats, in names and in slots of containers; read-only ones if ``fixed``."""
        found = list(self.scope.items())
        for name, value in self.scope.items():
            if isinstance(value, list | tuple):
                found += [(f"{name}[{k}]", v) for k, v in enumerate(value)]
            elif isinstance(value, dict):
                found += [(f'{name}["{k}"]', v) for k, v in value.items()]
        return [
            (text, value.shape)
            for text, value in found
            if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.ndim >= least
            if fixed or value.flags.writeable
        ]

    def slots(self) -> list[Place]:
        """The places that may be bound again."""
        return [(text, shape) for text, shape in self.places() if not text.startswith("pair")]

    def numbers(self) -> list[str]:
        return [name for name, value in self.scope.items() if isinstance(value, float)]

    def array(self, least: int = 1, fixed: bool = False) -> Place:
        return self.random.choice(self.places(least, fixed))

    def like(self, shape: Shape) -> str:
        return self.pick(*[text for text, found in self.places(fixed=True) if found == shape])

    def part(self, least: int = 0, fixed: bool = False) -> Place:
        """A part of an array."""
        text, shape = self.array(least, fixed)
        for _ in range(5):
            found = f"{text}[{self.index(shape)}]"
            if len(self.shape(found)) >= least:
                return found, self.shape(found)
        return text, shape

    # Indices

    def index(self, shape: Shape) -> str:
        """What stands between brackets: basic parts, one list of integers perhaps, no empty result."""
        if not shape:
            return self.pick("...", "()")
        count = self.random.randint(1, len(shape))
        lists = count == 1 or self.chance(0.3)
        parts = [self.along(size) for size in shape[:count]]
        if lists and self.chance(0.2):
            k = self.random.randrange(count)
            parts[k] = str([self.random.randrange(shape[k]) for _ in range(3)])
        elif count < len(shape) and self.chance(0.3):
            parts = ["...", *(self.along(size) for size in shape[-count:])]
        elif self.chance(0.1):
            parts.insert(self.random.randint(0, count), "None")
        return ", ".join(parts)

    def along(self, size: int) -> str:
        """An integer or a slice for one axis."""
        k = self.random.randrange(size)
        options = [str(k), str(k - size), ":", f"{k}:", f": {k + 1}", "::-1", "::2", f"{k}::-1"]
        if self.counters:
            counter = self.random.choice(self.counters)
            options += [f"({counter} + {k}) % {size}", f"-1 - {counter} % {size}"] * 3
        return self.pick(*options)

    # Expressions

    def number(self, pure: bool = False) -> str:
        text, shape = self.array(fixed=True)
        element = f"{text}[{', '.join(str(self.random.randrange(size)) for size in shape)}]"
        options = [
            element,
            element,
            f"np.mean({text})",
            f"np.tanh(np.sum({text} * {self.like(shape)}))",
            *self.numbers()[-2:],
            "0.37",
            "SCALE",
        ]
        return self.pick(*options) if pure or self.chance(0.9) else f"drained({self.array()[0]})"

    def operand(self, shape: Shape) -> str:
        """Something that can be broadcast to the shape."""
        for _ in range(8 if shape else 0):
            text = self.pick(
                self.part(fixed=True)[0],
                self.array(fixed=True)[0],
                f"{self.array(fixed=True)[0]}.T",
                f"{self.array(2)[0]}.diagonal()" if self.places(2) else "0.5",
                f"W[5:{5 + shape[-1]}]" if self.chance(0.3) else self.part(fixed=True)[0],
            )
            if fits(self.shape(text), shape):
                return text
        return self.number()

    def expression(self, shape: Shape) -> str:
        """Of a shape that can be broadcast to ``shape``; no larger than its operands."""
        u, v = self.operand(shape), self.operand(shape)
        return self.pick(
            f"np.sin({u}) * {v}",
            f"{u} * 0.6 + {v} * 0.3",
            f"np.tanh({u} * {v})",
            f"{u} / (2.0 + {v} * {v})",
            f"0.7 * {u} - 0.4 * {v}",
            f"mixed({u}, {v})",
            f"curved({u}, {v})",
            u,
            f"-{u}",
        )

    def anew(self, shape: Shape) -> str:
        """A new array of exactly the shape."""
        return f"{self.like(shape)} * 0.5 + {self.expression(shape)}"

    def test(self) -> str:
        threshold = self.pick("-0.4137", "0.0193", "0.2271")
        options = [f"{self.number(pure=True)} > {threshold}"] * 3 + ["n % 2 == 0", "n > 1"]
        options.append(f"np.sum({self.array(fixed=True)[0]}) < {threshold} or n > 2")
        return self.pick(*options, *[f"{counter} % 2 == 1" for counter in self.counters])

    # Names

    def bind(self, depth: int, text: str, name: str = "") -> str:
        """Bind a name; one from outside the block keeps its kind and shape."""
        value = self.value(text)
        free = [n for n in NAMES if n in self.local or n not in self.scope]
        free = [n for n in free if n not in self.captured]
        alike = [n for n, s in self.slots() if n.isidentifier() and s == np.shape(value)]
        alike = alike if value.flags.writeable else []
        name = name or self.pick(*free, *alike, self.fresh("t"))
        self.line(depth, f"{name} = {text}")
        self.own(name, value)
        return name

    def own(self, name: str, value: Any) -> None:
        if name not in self.scope:
            self.local.add(name)
        self.scope[name] = value


def fits(found: Shape, shape: Shape) -> bool:
    """Whether one shape can be broadcast to the other."""
    try:
        return np.broadcast_shapes(found, shape) == shape
    except ValueError:
        return False
