"""Statements of a random program in which a call that writes is part of an expression."""

from __future__ import annotations

from tests.properties.functions import Functions
from tests.properties.vocabulary import Place


class Within(Functions):
    """Ternaries, tests and sums with calls that write."""

    def writing(self, place: Place) -> str:
        text, shape = place
        e = self.operand(shape)
        return self.pick(
            f"np.multiply({text}, np.cos({e}), out={text})",
            f"np.add({e}, 0.3, {text})",
            f"{text}.__imul__(0.9)",
            f"np.ndarray.__iadd__({text}, 0.2 * {e})",
            f"Filter(SCALE).apply({e}, out={text})",
        )

    def within(self, depth: int) -> None:
        place = self.part(1)
        call, name = self.writing(place), self.fresh("r")
        text, shape = self.part(fixed=True)
        form = self.pick("ternary", "and", "or", "test", "sum", "added", "operand")
        if form == "ternary":
            self.line(depth, f"{call} if {self.test()} else {self.writing(place)}")
        elif form in ("and", "or"):
            self.line(depth, f"{self.test()} {form} {call}")
        elif form == "test":
            self.line(depth, f"if np.sum({call}) * 0.0 == 0.0 and {self.test()}:")
            self.line(depth + 1, f"{text} = {self.expression(shape)}")
        elif form == "added":
            self.line(depth, f"{text} += 0.1 * np.mean({call})")
        else:
            other = "0.0" if form == "sum" else self.number()
            self.line(depth, f"{name} = {other} + 0.1 * np.tanh(np.sum({call}))")
            self.own(name, 0.5)
