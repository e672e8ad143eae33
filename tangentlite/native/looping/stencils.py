"""What is added to an array at neighboring rows is added to each element at once.

In: loops and statements in their order.
Out: the same; one nest over the elements of the array in place of the loops that add to it.
Next: neighbors.

Rows and elements at the edges, to which not every loop adds, have lines of their own. Each element gets what it gets in
the order of the statements.
"""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from tangentlite.native.facts.names import loads
from tangentlite.native.looping.gathers import ADDED, SUM, placed, plus
from tangentlite.native.looping.nests import Loop, indented, parts_of, worked_out

LEAST, CHEAP, MOST, AXES = 3, 2, 2, 2  # more axes have more edges than insides
PART = re.compile(r"_(?P<axis>\d)( \+ (?P<more>\d+))?")
WIDTH, EDGE = "_n8", "_n9"


class Stencils:
    """``meet`` tells which names may share memory; ``reads`` how often each is read in the kernel."""

    def __init__(self, meet: Callable[[str, str], bool], reads: Callable[[], Counter[str]]) -> None:
        self._meet, self._reads = meet, reads

    def gathered(self, done: list[Any]) -> list[Any]:
        """The loops and statements."""
        end = len(done)
        while end:
            end -= 1
            group = self._group(done, end)
            one = self._one(done, group) if group else None
            if one is not None:
                done, end = one, min(end, len(one))
        return done

    def _group(self, done: list[Any], end: int) -> list[int]:
        """The places of the loops that add to the array to which the loop at the end adds, as far as they may wait."""
        last = done[end]
        if not _adds(last):
            return []
        name, found, written = last.added[0], list[int](), set[str]()
        for place in range(end, -1, -1):
            item = done[place]
            if not isinstance(item, Loop):
                if _is_alias(item):
                    continue
                break
            if item.counts != last.counts:
                break
            if _adds(item) and item.added is not None and item.added[0] == name:
                if self._meets(item.reads.keys() - {name}, written):
                    break
                found.insert(0, place)
            elif self._meets({*item.reads, *item.writes}, {name}):
                break
            else:
                written |= item.writes.keys()
        offsets = [_offsets(done[k]) for k in found]
        rows = {offset[:-1] for offset in offsets if offset is not None}
        return found if len(found) >= LEAST and len(rows) > 1 else []

    def _meets(self, one: Any, other: Any) -> bool:
        return any(self._meet(a, b) for a in one for b in other)

    def _one(self, done: list[Any], group: list[int]) -> list[Any] | None:
        """One nest at the place of the last loop; what is made for them alone, and cheap, is worked out there.

        None if too much would be read at many places.
        """
        loops = [done[k] for k in group]
        lines = [loop.body[0] for loop in loops]
        gone = set(group)
        uses = Counter(n for loop in loops for s in loop.sources for n in loads(s))
        for place in range(group[-1] - 1, -1, -1):
            if not (isinstance(done[place], Loop) or _is_alias(done[place])):
                break
            name, value = _made(done[place], loops[0].counts)
            between = [s for s in done[place + 1 : group[-1]] if isinstance(s, Loop)]
            still = not any(self._meets(done[place].reads, s.writes) for s in between if name)
            if name and still and uses[name] == self._reads()[name] > 0:
                put = [_Put(name, value).line(line) for line in lines]
                if all(line is not None for line in put):
                    lines = [line for line in put if line is not None]
                    gone.add(place)
                    uses.update(loads(ast.parse(value)))
        if len({n for line in lines for n in _arrays(line)}) > 1 + MOST:
            return None
        made = nest(loops, lines)
        kept = [[s] if k not in gone else [] for k, s in enumerate(done)]
        kept[group[-1]] = list(made)
        return [s for part in kept for s in part]


def _arrays(line: str) -> Iterator[str]:
    """The arrays of which a line touches elements."""
    for node in ast.walk(ast.parse(line)):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            yield node.value.id


def _adds(item: Any) -> bool:
    """Whether a loop over rows does nothing but add to an array, at its own place or one that is so far away."""
    plain = isinstance(item, Loop) and item.added is not None and not (item.before or item.checks)
    return plain and len(item.counts) == AXES and len(item.body) == 1 and _offsets(item) is not None


def _offsets(loop: Loop) -> tuple[int, ...] | None:
    """How far the element to which a loop adds is from its trip, along each axis."""
    (name, _, _) = loop.added or ("", "", 0)
    indices = loop.writes.get(name, set())
    if len(indices) != 1 or loop.sums != {name}:
        return None
    parts = [PART.fullmatch(part) for part in parts_of(next(iter(indices)))]
    if len(parts) != len(loop.counts):
        return None
    axes = [int(p["axis"]) if p is not None else -1 for p in parts]
    if axes != list(range(len(parts))):
        return None
    return tuple(int(p["more"] or 0) for p in parts if p is not None)


def _is_alias(item: Any) -> bool:
    match item:
        case ast.Assign(targets=[ast.Name()], value=ast.Name()):
            return True
    return False


def _made(item: Any, counts: tuple[str, ...]) -> tuple[str, str]:
    """The array that a loop makes by a few sums and products, and how an element is made."""
    if isinstance(item, Loop) and item.counts == counts and len(item.body) == len(item.before) == 1:
        at = ", ".join(f"_{k}" for k in range(len(counts)))
        name = item.before[0].partition(" = np.empty(")[0]
        begin = f"{name}[{at}] = "
        if name.isidentifier() and item.body[0].startswith(begin) and not item.checks:
            value = item.body[0].removeprefix(begin)
            if _cost(ast.parse(value, mode="eval").body) <= CHEAP:
                return name, value
    return "", ""


def _cost(node: ast.expr) -> int:
    """How many operations an element takes."""
    match node:
        case ast.Constant() | ast.Name() | ast.Subscript():
            return 0
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return 1 + _cost(operand)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return 1 + _cost(left) + _cost(right)
    return CHEAP + 1


class _Put(ast.NodeTransformer):
    def __init__(self, name: str, value: str) -> None:
        self._name, self._value = name, ast.parse(value, mode="eval").body

    def line(self, line: str) -> str | None:
        """The line with a value in place of an element that is made of it; None if it reads other elements."""
        found = ast.unparse(self.visit(ast.parse(line)))
        return None if re.search(rf"\b{self._name}\b", found) else found

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """``t[_0, _1]``."""
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if isinstance(node.value, ast.Name) and node.value.id == self._name:
            if [ast.unparse(p) for p in parts] == [f"_{k}" for k in range(len(parts))]:
                return copy.deepcopy(self._value)
        return node


def nest(loops: list[Loop], lines: list[str]) -> list[ast.stmt]:
    """One nest over the elements of an array.

    >>> def loop(a, b):
    ...     index = f"b[_0{a}, _1{b}]"
    ...     return Loop(("n", "m"), [], [], added=("b", "", 0), writes={"b": {index}}, sums=frozenset("b"))
    >>> lines = ["b[_0, _1] += t[_0, _1]", "b[_0 + 1, _1] -= t[_0, _1]"]
    >>> print(*map(ast.unparse, nest([loop("", ""), loop(" + 1", "")], lines)), sep="\\n")
    for _0 in range(n + 1):
        if 1 <= _0 < n:
            for _1 in range(m):
                _sum = b[_0, _1]
                _sum += t[_0, _1]
                _sum -= t[_0 - 1, _1]
                b[_0, _1] = _sum
        else:
            if 0 <= _0 < n:
                for _1 in range(m):
                    b[_0, _1] += t[_0, _1]
            if 0 <= _0 - 1 < n:
                for _1 in range(m):
                    b[_0, _1] -= t[_0 - 1, _1]
    """
    offsets = [found for loop in loops if (found := _offsets(loop)) is not None]
    counts, before = worked_out(loops[0].counts)
    low = [min(axis) for axis in zip(*offsets)]
    high = [max(axis) for axis in zip(*offsets)]
    *rows, last = range(len(counts))
    turned = [
        _along(line, rows, [plus(f"_{k}", low[k] - o[k]) for k in rows])
        for line, o in zip(lines, offsets)
    ]
    tests = [f"{high[k] - low[k]} <= _{k} < {counts[k]}" for k in rows if high[k] > low[k]]
    ends = [o[last] for o in offsets]
    inner = [_middle(turned, ends, last, counts[last]), *_edges(turned, ends, last, counts[last])]
    within = [" and ".join(_reached(o, low, rows, counts)) for o in offsets]
    alone = [indented([_walked(last, counts[last], [line])]) for line in turned]
    outer = [f"if {test}:\n{row}" for test, row in zip(within, alone)]
    text = f"if {' and '.join(tests)}:\n{indented(inner)}\nelse:\n{indented(outer)}"
    for k in reversed(rows):
        text = _walked(k, plus(counts[k], high[k] - low[k]), [text])
    return ast.parse("\n".join([*before, text])).body


def _walked(axis: int, count: str, lines: list[str]) -> str:
    return f"for _{axis} in range({count}):\n{indented(lines)}"


def _along(line: str, axes: list[int], places: list[str]) -> str:
    for axis, at in zip(axes, places):
        line = placed(line, f"_{axis}", at)
    return line


def _reached(
    offset: tuple[int, ...], low: list[int], rows: list[int], counts: list[str]
) -> Iterator[str]:
    """Tests whether a loop adds to a row."""
    for k in rows:
        yield f"0 <= {plus(f'_{k}', low[k] - offset[k])} < {counts[k]}"


def _middle(lines: list[str], ends: list[int], last: int, count: str) -> str:
    """The elements of a row to which every loop adds."""
    low, high = min(ends), max(ends)
    here = [placed(line, f"_{last}", plus(f"_{last}", high - e)) for line, e in zip(lines, ends)]
    found = ADDED.match(here[0])
    assert found is not None
    place = found[0]
    body = [f"{SUM} = {place}", *(ADDED.sub(SUM, line) for line in here), f"{place} = {SUM}"]
    return _walked(last, plus(count, low - high), body)


def _edges(lines: list[str], ends: list[int], last: int, count: str) -> Iterator[str]:
    """Those at its ends: ``WIDTH`` elements are done."""
    low, wide = min(ends), max(ends) - min(ends)
    if not wide:
        return
    yield f"{WIDTH} = max({count} - {wide}, 0)"
    body = [f"{EDGE} = {plus('_j', low)} if _j < {wide} else {plus('_j', low)} + {WIDTH}"]
    for line, e in zip(lines, ends):
        there = placed(line, f"_{last}", plus(EDGE, -e))
        body.append(f"if 0 <= {plus(EDGE, -e)} < {count}:\n{indented([there])}")
    yield f"for _j in range({plus(count, wide)} - {WIDTH}):\n{indented(body)}"
