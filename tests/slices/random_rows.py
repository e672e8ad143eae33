"""Random functions that loop over rows of arrays, as text."""

from __future__ import annotations

import random

HEAD = "def f(x, y, F, v, w, c):\n    n = len(x)\n    z = np.zeros((n, 3))\n    g = np.zeros(3)\n    s = 0.0\n"
TAIL = (
    "    for i in range(n):\n        w[i] = w[i] * 0.5\n"
    "    return s + np.sum(x * F) + np.sum(y) + np.sum(z * z) + np.sum(g) + np.sum(w) + np.sum(v)\n"
)


class Writer:
    """Writes one function; the same seed gives the same text."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        self._lines: list[str] = []
        self._rows: list[str] = []
        self._count = 0

    def text(self) -> str:
        """The whole function."""
        for _ in range(self._draw.randint(1, 2)):
            self._loop([], 1)
        return HEAD + "\n".join(self._lines) + "\n" + TAIL

    def _loop(self, counters: list[str], depth: int) -> None:
        counter = "ij"[len(counters)]
        ends = ["n", "1, n", "n - 1", "1, n - 1"] + ["i", "i + 1, n"] * len(counters)
        self._say(f"for {counter} in range({self._pick(ends)}):", depth)
        counters, kept = [*counters, counter], len(self._rows)
        if len(counters) == 2 and self._draw.random() < 0.2:
            self._say("if i == j:", depth + 1)
            self._say("continue", depth + 2)
        for _ in range(self._draw.randint(1, 4)):
            if len(counters) < 2 and self._draw.random() < 0.35:
                self._loop(counters, depth + 1)
            else:
                self._statement(counters, depth + 1)
        del self._rows[kept:]

    def _statement(self, counters: list[str], depth: int) -> None:
        pick = self._draw.random()
        if pick < 0.35:
            self._count += 1
            name = f"d{self._count}"
            self._say(f"{name} = {self._row(counters, 2)}", depth)
            self._rows.append(name)
        elif pick < 0.6:
            place = f"{self._pick('xyzzz')}[{self._index(counters)}]"
            op = self._pick(["=", "+=", "-=", "*="])
            self._say(f"{place} {op} 0.3 * {self._row(counters, 2)}", depth)
        elif pick < 0.8:
            self._say(f"s += 0.1 * {self._number(counters, 2)}", depth)
        elif pick < 0.85:
            self._say(f"g += {self._row(counters, 2)}", depth)
        elif pick < 0.9 or not self._rows:
            place = f"y[{self._index(counters)}, {self._place()}]"
            self._say(f"{place} += 0.2 * {self._number(counters, 2)}", depth)
        elif pick < 0.95:
            op = self._pick(["+=", "*="])
            self._say(f"{self._pick(self._rows)} {op} {self._number(counters, 1)}", depth)
        else:
            row = f"{self._pick(self._rows)}[{self._place()}]"
            self._say(f"{row} = {self._number(counters, 1)}", depth)

    def _row(self, counters: list[str], deep: int) -> str:
        pick = self._draw.random()
        if not deep or pick < 0.35:
            if self._rows and self._draw.random() < 0.6:
                return self._pick(self._rows)
            place = f"{self._pick('xxyFz')}[{self._index(counters)}"
            return place + self._pick(["]", "]", "]", ", :]"])
        if pick < 0.5:
            return f"{self._number(counters, deep - 1)} * {self._row(counters, deep - 1)}"
        if pick < 0.6:
            return f"np.{self._pick(['sin', 'tanh', 'abs'])}({self._row(counters, deep - 1)})"
        if pick < 0.65:
            return f"(v - {self._row(counters, deep - 1)})"
        if pick < 0.7:
            return (
                f"{self._row(counters, deep - 1)} / (1.0 + {self._number(counters, deep - 1)} ** 2)"
            )
        parts = (self._row(counters, deep - 1) for _ in range(2))
        return f" {self._pick('+-*')} ".join(parts).join("()")

    def _number(self, counters: list[str], deep: int) -> str:
        pick = self._draw.random()
        if not deep or pick < 0.3:
            index = self._index(counters)
            return self._pick(["c", f"w[{index}]", "0.5", f"x[{index}, {self._place()}]"])
        if pick < 0.45:
            return f"np.sum({self._row(counters, deep - 1)})"
        if pick < 0.55:
            return f"(({self._row(counters, deep - 1)}) @ ({self._row(counters, deep - 1)}))"
        if pick < 0.62:
            return f"np.dot({self._row(counters, deep - 1)}, {self._row(counters, deep - 1)})"
        if pick < 0.68:
            return f"np.sqrt(np.sum(({self._row(counters, deep - 1)}) ** 2) + 0.1)"
        if pick < 0.8 and self._rows:
            return f"{self._pick(self._rows)}[{self._place()}]"
        parts = (self._number(counters, deep - 1) for _ in range(2))
        return f" {self._pick('+-*')} ".join(parts).join("()")

    def _index(self, counters: list[str]) -> str:
        counter = self._pick(counters)
        return self._pick([counter] * 6 + [f"{counter} - 1", "0", f"n - 1 - {counter}", "-1"])

    def _place(self) -> int:
        return self._draw.randint(0, 2)

    def _pick(self, choices: list[str] | str) -> str:
        return self._draw.choice(choices)

    def _say(self, line: str, depth: int) -> None:
        self._lines.append("    " * depth + line)
