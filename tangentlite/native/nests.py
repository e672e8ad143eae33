"""Nests of loops over elements, and what two of them become together.

In: lengths and statements.
Out: statements.
Next: loops.
"""

from __future__ import annotations

import ast
import re

from tangentlite.values import field, mutable

SUM, ADDED = "_sum", re.compile(r"^.*?\](?= [-+*]= )")
MISMATCH = "shapes differ, or an axis of length one is broadcast, which compile= does not do here"


@mutable
class Loop:
    """``counts``: how many trips each axis has; ``before``: what is done first.

    ``reads`` and ``writes``: the indices under which elements are read and written, by name. ``added``: the loop does
    nothing but add to an array: its name, the index with ``_j`` for the last axis, and where that axis begins.
    """

    counts: tuple[str, ...]
    before: list[str]
    body: list[str]
    checks: dict[str, None] = field(default_factory=dict)
    reads: dict[str, set[str]] = field(default_factory=dict)
    writes: dict[str, set[str]] = field(default_factory=dict)
    added: tuple[str, str, int] | None = None

    def statements(self, variables: tuple[str, ...]) -> list[ast.stmt]:
        """The text of the loop as statements."""
        counts, named = _named(self.counts)
        lines = [*self.before, *named]
        lines += [f"if {check}:\n    raise ValueError({MISMATCH!r})" for check in self.checks]
        nest = "\n".join(self.body)
        for variable, count in reversed(list(zip(variables, counts))):
            inner = "\n".join("    " + line for line in nest.splitlines())
            nest = f"for {variable} in range({count}):\n{inner}"
        return ast.parse("\n".join([*lines, nest])).body


def _named(counts: tuple[str, ...], letter: str = "_c") -> tuple[list[str], list[str]]:
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
    for mine, first, second in (
        (loop.reads, one.reads, other.reads),
        (loop.writes, one.writes, other.writes),
    ):
        for name, indices in (*first.items(), *second.items()):
            mine[name] = mine.get(name, set()) | indices
    return loop


def note(table: dict[str, set[str]], name: str, index: str) -> None:
    """Remember an index under which elements of an array are touched."""
    table.setdefault(name, set()).add(index)


def gathered(loops: list[Loop], variables: tuple[str, ...]) -> list[ast.stmt]:
    """One loop over the elements of an array to which several loops add: each gets all that is added to it at once.

    >>> first = Loop(("n",), [], ["b[_0 + 1] += t[_0]"], added=("b", "b[_j]", 1))
    >>> second = Loop(("n",), [], ["b[_0] += t[_0]"], added=("b", "b[_j]", 0))
    >>> print(ast.unparse(gathered([first, second], ("_0",))[1]))  # before and behind it are the edges
    for _j in range(1, 0 + n):
        _sum = b[_j]
        _0 = _j - 1
        _sum += t[_0]
        _0 = _j - 0
        _sum += t[_0]
        b[_j] = _sum
    """
    *lead, last = variables
    *outer, count = loops[0].counts
    (count,), before = _named((count,), "_n")
    offsets = [loop.added[2] for loop in loops if loop.added is not None]
    low, high = min(offsets), max(offsets)
    _, whole_index, _ = loops[0].added or ("", "", 0)
    plain, guarded = [f"{SUM} = {whole_index}"], []
    for loop, offset in zip(loops, offsets):
        inside = _indented(loop.body)
        guarded.append(f"{last} = _j - {offset}\nif 0 <= {last} < {count}:\n{inside}")
        plain += [f"{last} = _j - {offset}", *(ADDED.sub(SUM, line) for line in loop.body)]
    plain.append(f"{whole_index} = {SUM}")
    ranges = (
        (f"{low}, {high}", guarded),
        (f"{high}, {low} + {count}", plain),
        (f"max({low} + {count}, {high}), {high} + {count}", guarded),
    )
    body = [f"for _j in range({span}):\n{_indented(lines)}" for span, lines in ranges]
    whole = Loop(tuple(outer), [*loops[0].before, *before], body, loops[0].checks)
    return whole.statements(tuple(lead))


def _indented(lines: list[str]) -> str:
    return "\n".join("    " + line for text in lines for line in text.splitlines())
