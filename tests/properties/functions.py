"""Helpers of a random program: what they take, write and return is random, and so is who calls them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from tests.properties.statements import Statements
from tests.properties.vocabulary import Place, Shape

FORMS = "nothing number array array array pair list dict".split()
PARAMETERS = ["t=0.4, n=1", "t, n=1", "t=0.4, *, n=1", "t, n"]
ARRAYS = "array array array list dict".split()


@dataclass(frozen=True, slots=True)
class Helper:
    """``takes``: sort and shape of each argument. ``parts``: what stands for each part of the result at the start."""

    name: str
    takes: tuple[tuple[str, Shape], ...]
    rest: str
    form: str
    parts: tuple[Place, ...]

    def together(self, texts: list[str]) -> str:
        """The parts of a result as one expression."""
        match self.form:
            case "pair":
                return ", ".join(texts)
            case "list":
                return f"[{', '.join(texts)}]"
            case "dict":
                return f'{{"u": {texts[0]}, "v": {texts[-1]}}}'
        return texts[0]


class Functions(Statements, ABC):
    """Writes helpers, and statements that call them."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.helpers: list[Helper] = []
        self.written: Helper | None = None  # the helper that is being written
        self.looping = False

    @abstractmethod
    def block(self, depth: int, size: int, nesting: int) -> None:
        """Statements of random kinds."""

    # Definitions

    def define(self) -> str:
        """The text of a new helper, which may be called from now on."""
        outside = self.lines, self.scope, self.local, self.captured, self.counters, self.cells
        sorts = [self.pick(*ARRAYS) for _ in range(self.random.randint(1, 2))]
        takes = [(sort, self.random.choice([*self.shapes, (3,), (2,)])) for sort in sorts]
        names = [name for name, _ in zip("vw", takes)]
        self.lines, self.captured, self.counters, self.cells = [], set(), [], []
        self.scope = {n: stand_in(*taken) for n, taken in zip(names, takes)} | {"t": 0.4, "n": 1}
        self.local = {n for n, v in self.scope.items() if not isinstance(v, list | dict)}
        rest, form = self.pick(*PARAMETERS), self.pick(*FORMS)
        parts = [self.pick_place() for _ in range(2 if form in ("pair", "list", "dict") else 1)]
        if form in ("list", "dict"):
            parts[1] = parts[0]
        made = Helper(self.fresh("helper"), tuple(takes), rest, form, tuple(parts))
        self.line(0, f"def {made.name}({', '.join([*names, rest])}):")
        self.written = made
        self.module[made.name] = lambda *_, **__: eval(self.result(), self.module | self.scope)
        self.body(made)
        self.written = None
        text = "\n".join(self.lines)
        self.lines, self.scope, self.local, self.captured, self.counters, self.cells = outside
        exec(text, self.module)
        self.helpers.append(made)
        return text

    def pick_place(self) -> Place:
        return self.random.choice([self.array(), self.array(), self.part(1)])

    def body(self, made: Helper) -> None:
        self.block(1, self.random.randint(1, 4), 1)
        if self.chance(0.3):
            call = self.calling(made).replace("n=1", "n=n - 1")
            if "n=n - 1" in call:
                outside = dict(self.scope), set(self.local)
                self.line(1, "if n > 0:")
                self.receive(2, made, call)
                self.block(2, 1, 2)
                self.scope, self.local = outside
        if made.form != "nothing":
            self.line(1, f"return {self.result()}")
        elif len(self.lines) == 1:
            self.line(1, "pass")

    def result(self) -> str:
        """What the helper that is being written may return here."""
        made = self.written
        assert made is not None
        if made.form == "nothing":
            return ""
        if made.form == "number":
            return self.number(pure=True)
        return made.together([self.exactly(text, shape) for text, shape in made.parts])

    def exactly(self, base: str, shape: Shape) -> str:
        """An array of exactly a shape, ``base`` being one."""
        found = [text for text, other in self.places(1) if other == shape]
        found += [text for text, other in (self.part(1) for _ in range(4)) if other == shape]
        new = f"{base} * 0.5 + {self.expression(shape)}"
        return self.pick(base, new, *found)

    # Calls

    def call(self, depth: int) -> None:
        """A statement that calls a helper."""
        helper = self.random.choice(self.helpers) if self.helpers else None
        text = self.calling(helper) if helper else ""
        if helper and text:
            self.receive(depth, helper, text)

    def calling(self, helper: Helper) -> str:
        """A call; empty if nothing can be given."""
        given = [self.given(*taken) for taken in helper.takes]
        if not all(given):
            return ""
        if self.chance(0.2):
            given = [f"{name}={text}" for name, text in zip("vw", given)]
        named = any("=" in text.split("[")[0] for text in given)
        if "t=" not in helper.rest or self.chance(0.5):
            given.append(("t=" if named or self.chance(0.5) else "") + self.number(pure=True))
            named = named or given[-1].startswith("t=")
        if "n=" not in helper.rest or helper is self.written or self.chance(0.5):
            given.append("n=1" if helper is self.written else f"n={self.pick('n', '0', '1', '2')}")
        return f"{helper.name}({', '.join(given)})"

    def given(self, sort: str, shape: Shape) -> str:
        """An argument."""
        kinds = {"list": list, "dict": dict}
        if sort in kinds and self.chance(0.7):
            like = [n for n, v in self.scope.items() if type(v) is kinds[sort] and alike(v, shape)]
            if like:
                return self.pick(*like)
        found = [text for text, other in self.places(1) if other == shape]
        found += [text for text, other in (self.part(1) for _ in range(6)) if other == shape]
        if not found:
            return ""
        if sort == "list":
            return f"[{self.pick(*found)}, {self.pick(*found)}]"
        if sort == "dict":
            return f'{{"u": {self.pick(*found)}, "v": {self.pick(*found)}}}'
        return self.pick(*found) + (" * 0.9" if self.chance(0.15) else "")

    def receive(self, depth: int, helper: Helper, call: str) -> None:
        """Do something with the result of a call."""
        getattr(self, f"receive_{helper.form}")(depth, call, helper)

    def receive_nothing(self, depth: int, call: str, helper: Helper) -> None:
        self.line(depth, call)

    def receive_number(self, depth: int, call: str, helper: Helper) -> None:
        if self.numbers() and self.chance(0.5):
            self.line(depth, f"{self.pick(*self.numbers())} += 0.3 * {call}")
        else:
            name = self.fresh("r")
            self.line(depth, f"{name} = {call}")
            self.own(name, 0.5)

    def receive_array(self, depth: int, call: str, helper: Helper) -> None:
        shape = helper.parts[0][1]
        like = [text for text, other in self.places(fixed=True) if other == shape]
        sums = [f"{self.pick(*like)} + {call}", f"{call} - {self.pick(*like)}"] if like else []
        self.bind(depth, self.pick(call, call, f"{call} * {self.number()}", *sums))

    def receive_pair(self, depth: int, call: str, helper: Helper) -> None:
        if self.chance(0.3):
            return self.keep(depth, self.fresh("pair"), call)
        values, names = self.value(call), [self.fresh("t") for _ in helper.parts]
        self.line(depth, f"{', '.join(names)} = {call}")
        for name, value in zip(names, values):
            self.own(name, value)
        return None

    def receive_list(self, depth: int, call: str, helper: Helper) -> None:
        if self.chance(0.5):
            return self.keep(depth, self.fresh("items"), call)
        return self.receive_pair(depth, call, helper)

    def receive_dict(self, depth: int, call: str, helper: Helper) -> None:
        if self.chance(0.6):
            self.keep(depth, self.fresh("table"), call)
        else:
            self.bind(depth, f'{call}["{self.pick("u", "v")}"]')

    def operand(self, shape: Shape) -> str:
        """Something that can be broadcast to the shape: the result of a call, sometimes."""
        arrays = [h for h in self.helpers if h.form == "array" and h.parts[0][1] == shape]
        if arrays and self.chance(0.08):
            return self.calling(self.random.choice(arrays)) or super().operand(shape)
        return super().operand(shape)


def stand_in(sort: str, shape: Shape) -> Any:
    """What is given to a helper while it is written."""
    if sort == "list":
        return [np.ones(shape), np.ones(shape)]
    return {"u": np.ones(shape), "v": np.ones(shape)} if sort == "dict" else np.ones(shape)


def alike(container: Any, shape: Shape) -> bool:
    """Whether a container holds what a helper expects."""
    if isinstance(container, dict):
        return {"u", "v"} <= set(container) and all(v.shape == shape for v in container.values())
    return len(container) > 1 and all(v.shape == shape for v in container)
