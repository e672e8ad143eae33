"""Random functions that loop over places, as text."""

from __future__ import annotations

import random

ARRAYS = {"x": 1, "y": 1, "z": 1, "A": 2, "B": 2, "Z": 2}
HEAD = "def f(x, y, A, B, c):\n    n = len(x)\n    z = np.zeros(n)\n    Z = np.zeros((n, n))\n    s = 0.0\n"
TAIL = "    return s + np.sum(x * y) + np.sum(z) + np.sum(A * A) + np.sum(B) + np.sum(Z * Z)\n"


class Writer:
    """Writes one function; the same seed gives the same text."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        self._lines: list[str] = []
        self._names: list[str] = []
        self._odd = self._draw.choice([0.0, 0.05, 0.3])  # how often indices are not mere counters
        self._asks = self._draw.choice([0.0, 0.3, 0.7])  # how often branches ask where they are
        self._written = self._draw.sample(list(ARRAYS), self._draw.randint(1, 4))

    def text(self) -> str:
        """The whole function."""
        self._lines = []
        for _ in range(self._draw.randint(1, 3)):
            self._loop([], 1)
        return HEAD + "\n".join(self._lines) + "\n" + TAIL

    def _loop(self, counters: list[str], depth: int) -> None:
        counter = "ijkl"[len(counters)]
        self._say(f"for {counter} in range({self._ends(counters)}):", depth)
        counters, kept = [*counters, counter], len(self._names)
        for _ in range(self._draw.randint(1, 3)):
            if len(counters) < 3 and self._draw.random() < 0.5 / len(counters):
                self._loop(counters, depth + 1)
            else:
                self._statement(counters, depth + 1)
        del self._names[kept:]

    def _ends(self, counters: list[str]) -> str:
        known = [
            "n",
            "1, n - 1",
            "1, n - 1",
            "1, n",
            "1, n - 1",
            "n - 1",
            "n - 1, -1, -1",
            "n - 2, 0, -1",
            "0, n, 2",
            "2, n - 1",
        ]
        near = [e.format(c) for c in counters for e in ("{}", "{} + 1, n", "{} + 1")]
        return self._draw.choice(known + near)

    def _statement(self, counters: list[str], depth: int) -> None:
        pick = self._draw.random()
        if pick < 0.2:
            name = self._draw.choice("tuv")
            self._say(f"{name} = {self._value(counters, 2)}", depth)
            self._names.append(name)
        elif pick < 0.35:
            self._say(
                f"s {self._draw.choice(['+=', '-='])} 0.01 * {self._value(counters, 2)}", depth
            )
        elif pick < 0.5:
            self._branch(counters, depth)
        else:
            self._store(counters, depth)

    def _branch(self, counters: list[str], depth: int) -> None:
        order = self._draw.choice([">", "<", "<="])
        asked = self._draw.choice([self._place(counters), counters[-1]])
        test = f"{asked} {order} {self._draw.choice(['0.1', 'c', '3'])}"
        asks = self._draw.random() < self._asks
        self._say(f"if {self._question(counters) if asks else test}:", depth)
        if asks and self._draw.random() < 0.2:
            self._say("continue", depth + 1)
            return
        self._store(counters, depth + 1)
        if asks and self._draw.random() < 0.3:
            self._say(f"elif {self._question(counters)}:", depth)
            self._store(counters, depth + 1)
        if self._draw.random() < 0.5:
            self._say("else:", depth)
            self._store(counters, depth + 1)

    def _question(self, counters: list[str]) -> str:
        """Where a counter is."""
        one = self._draw.choice(counters)
        ends = ["0", "0", "1", "n - 1", "n - 1", "n - 2", "n // 2", *counters]
        asked = f"{one} {self._draw.choice(['==', '!=', '>', '<', '>=', '<='])} {self._draw.choice(ends)}"
        if self._draw.random() < 0.25:
            return f"{asked} {self._draw.choice(['and', 'or'])} {self._question(counters)}"
        return asked if self._draw.random() < 0.9 else f"0 < {one} < n - 1"

    def _store(self, counters: list[str], depth: int) -> None:
        op = self._draw.choice(["=", "=", "+=", "-=", "*="])
        factor = "0.5 * " if op != "*=" else ""
        array = self._draw.choice(self._written)
        place = f"{array}[{self._indices(array, counters)}]"
        self._say(f"{place} {op} {factor}np.sin({self._value(counters, 2)})", depth)

    def _place(self, counters: list[str]) -> str:
        array = self._draw.choice(list(ARRAYS))
        return f"{array}[{self._indices(array, counters)}]"

    def _indices(self, array: str, counters: list[str]) -> str:
        axes = ARRAYS[array]
        usual = self._draw.sample(counters, axes) if len(counters) >= axes else counters * axes
        return ", ".join(map(self._index, usual))

    def _index(self, counter: str) -> str:
        if self._draw.random() < 0.3 * self._asks:
            forms = ["({} - 1) % n", "({} + 1) % n", "max({} - 1, 0)", "min({} + 1, n - 1)"]
            return self._draw.choice(forms).format(counter)
        if self._draw.random() >= self._odd:
            return counter
        forms = ["{} - 1", "{} - 1", "{} + 1", "n - 1 - {}", "0", "{} - 2"]
        return self._draw.choice(forms).format(counter)

    def _value(self, counters: list[str], deep: int) -> str:
        pick = self._draw.random()
        if not deep or pick < 0.3:
            return self._place(counters)
        if pick < 0.4:
            return self._draw.choice([*self._names, "c", "0.7", counters[-1]])
        if pick < 0.5:
            return f"{self._draw.choice(['np.sin', 'np.tanh', 'abs'])}({self._value(counters, deep - 1)})"
        if pick < 0.6 and self._draw.random() < self._asks:
            parts = (self._value(counters, deep - 1) for _ in range(2))
            return f" if {self._question(counters)} else ".join(parts).join("()")
        if pick < 0.55:
            return f"max({self._value(counters, deep - 1)}, 0.2)"
        op = self._draw.choice(["+", "-", "*", "*"])
        return f"({self._value(counters, deep - 1)} {op} {self._value(counters, deep - 1)})"

    def _say(self, line: str, depth: int) -> None:
        self._lines.append("    " * depth + line)
