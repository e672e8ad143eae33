"""Nests of loops over elements, and what two of them become together.

In: lengths and statements.
Out: statements.
Next: loops.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from tangentlite.values import field, mutable

BEFORE, EVERYTHING = "before", "everything"
BEGUN = re.compile(r"(?P<name>\w+) = (np\.(empty|zeros|full)\(.*\)|0\.0|-?np\.inf)")
NUMBER, WORD = re.compile(r"_s\d+ = (?P<value>.*)"), re.compile(r"[^\W\d]\w*")
MISMATCH = "shapes differ, or an axis of length one is broadcast, which compile= does not do here"
SINGLE = "an axis that has length one now would be left out, which compile= does not do here"

EMPTY = "zero-size array to reduction operation which has no identity"


@mutable
class Loop:
    """``counts``: how many trips each axis has; ``before``: what is done first.

    ``reads`` and ``writes``: the indices under which elements are read and written, by name. ``added``: the loop does
    nothing but add to an array: its name, the index with ``_j`` for the last axis, and where that axis begins.
    ``sums``: the arrays that it adds to, and does not touch besides.
    ``checks``: lengths that must be the same. ``trips``: the length that belongs to a place.
    ``sources``: the statements that it stands for.
    """

    counts: tuple[str, ...]
    before: list[str]
    body: list[str]
    checks: dict[tuple[str, str], None] = field(default_factory=dict)
    reads: dict[str, set[str]] = field(default_factory=dict)
    writes: dict[str, set[str]] = field(default_factory=dict)
    added: tuple[str, str, int] | None = None
    sums: frozenset[str] = frozenset()
    trips: dict[str, str] = field(default_factory=dict)
    sources: list[ast.stmt] = field(default_factory=list)

    def statements(self, variables: tuple[str, ...]) -> list[ast.stmt]:
        """The text of the loop as statements."""
        counts, named = worked_out(self.counts)
        tests = " or ".join(f"{one} != {other}" for one, other in self.checks)
        checks = [f"if {tests}:\n    raise ValueError({MISMATCH!r})"] if tests else []
        nest = "\n".join(self.body)
        for variable, count in reversed(list(zip(variables, counts))):
            inner = "\n".join("    " + line for line in nest.splitlines())
            nest = f"for {variable} in range({count}):\n{inner}"
        return ast.parse("\n".join([*checks, *self.before, *named, nest])).body

    def begins_with(self, one: Loop) -> bool:
        """Whether nothing is worked out before the loop but what it fills, and numbers that ``one`` leaves alone.

        What it fills must have no name that ``one`` knows: ``d = z * y; y = z.copy()``.
        """
        numbers = [m["value"] for m in map(NUMBER.fullmatch, self.before) if m is not None]
        texts = [*numbers, *(text for pair in self.checks for text in pair)]
        read = {name for text in texts for name in WORD.findall(text)}
        others = [line for line in self.before if not NUMBER.fullmatch(line)]
        named = {name for name in read if not all(map(_only_measured(name), texts))}
        apart = self.made.isdisjoint(WORD.findall("\n".join([*one.before, *one.body, *one.counts])))
        plain = apart and all(map(BEGUN.fullmatch, others))
        return plain and named.isdisjoint(one.writes) and read.isdisjoint(one.made)

    @property
    def made(self) -> set[str]:
        """The names that are bound before the loop."""
        return {line.partition(" = ")[0] for line in self.before}


def _only_measured(name: str) -> Callable[[str], bool]:
    """Tells texts that ask a name for nothing but lengths, which what is written into it leaves alone."""
    other = re.compile(rf"\b{name}\b(?!\.shape\[)")
    return lambda text: other.search(text) is None


def worked_out(counts: tuple[str, ...], letter: str = "_c") -> tuple[list[str], list[str]]:
    """Names for lengths that must be worked out: machine code is faster if that is done before a loop begins."""
    names, lines = [], []
    for k, count in enumerate(counts):
        simple = count.isidentifier() or count.isdigit()
        names.append(count if simple else f"{letter}{k}")
        lines += [] if simple else [f"{letter}{k} = {count}"]
    return names, lines


def joined(one: Loop, other: Loop) -> Loop:
    """One loop that does what two do."""
    loop = Loop(one.counts, [*one.before, *other.before], [*one.body, *other.body])
    loop.checks = {**one.checks, **other.checks}
    loop.trips = {**one.trips, **other.trips}
    loop.sources = [*one.sources, *other.sources]
    touched = {*one.reads, *one.writes} & {*other.reads, *other.writes}
    loop.sums = (one.sums & other.sums) | (one.sums ^ other.sums) - touched
    for mine, first, second in (
        (loop.reads, one.reads, other.reads),
        (loop.writes, one.writes, other.writes),
    ):
        for name, indices in (*first.items(), *second.items()):
            mine[name] = mine.get(name, set()) | indices
    return loop


def parts_of(index: str) -> list[str]:
    """What stands between the brackets and commas of an index."""
    inner, depth, parts = index[index.index("[") + 1 : -1], 0, [""]
    for letter in inner:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


STEP = re.compile(r"_(?P<axis>\d)( \+ (?P<base>((?!\b_\d\b).)+))?")
WALKED = re.compile(r"\b_\d\b")


def follows(one: str, other: str, rank: int) -> bool:
    """Whether every element is met under the first index in the trip in which it is met under the second, or before.

    ``rank``: how many loops they share. Parts of an index that only inner loops walk tell nothing.

    >>> follows("b[_0 + 1]", "b[_0]", 1), follows("b[_0]", "b[_0 + 1]", 1), follows("b[i, _0]", "b[j, _0]", 1)
    (True, False, True)
    """
    if "[" not in one or "[" not in other:
        return False
    first, second = parts_of(one), parts_of(other)
    if len(first) != len(second):
        return False
    ahead: dict[int, int] = {}
    for a, b in zip(first, second):
        if not any(int(v[1:]) < rank for v in WALKED.findall(f"{a} {b}")):
            continue
        found, met = STEP.fullmatch(a), STEP.fullmatch(b)
        if a == b and found is None:
            ahead[int(WALKED.findall(a)[0][1:])] = 0
            if len(set(WALKED.findall(a))) > 1:
                return False
            continue
        if found is None or met is None or found["axis"] != met["axis"]:
            return False
        low, high = (m["base"] or "0" for m in (found, met))
        if low != high and not (low.isdigit() and high.isdigit()):
            return False
        axis = int(found["axis"])
        distance = int(low) - int(high) if low != high else 0
        if ahead.setdefault(axis, distance) != distance:
            return False
    return len(ahead) == rank and [ahead[k] for k in sorted(ahead)] >= [0] * rank


def note(table: dict[str, set[str]], name: str, index: str) -> None:
    """Remember an index under which elements of an array are touched."""
    table.setdefault(name, set()).add(index)


def indented(lines: list[str]) -> str:
    """Lines one step further in."""
    return "\n".join("    " + line for text in lines for line in text.splitlines())


def variables(rank: int) -> tuple[str, ...]:
    """The names of the places along each axis."""
    return tuple(f"_{k}" for k in range(rank))
