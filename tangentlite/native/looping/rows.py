"""Nests of loops that share the outer ones: what a row needs of a row is there when the row is.

In: two nests that follow each other.
Out: one, if each element is met in the order of the statements; arrays that live in one trip as rows or numbers.
Next: loops.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tangentlite.native.facts.names import loads, reads, stores
from tangentlite.native.looping.access import SPAN
from tangentlite.native.looping.gathers import gathering
from tangentlite.native.looping.nests import WORD, Loop, indented, joined, parts_of
from tangentlite.values import replace

MADE = re.compile(
    r"(?P<name>\w+) = np\.(?P<how>empty|zeros|full)\(\((?P<counts>.*),\)(?P<rest>.*)\)"
)
PLAIN = (ast.BinOp, ast.UnaryOp, ast.Name, ast.Constant)
ROOM = "np.zeros", "np.empty"
LIKE = "np.zeros_like", "np.empty_like"
LEFT = (ast.Call, ast.Subscript, ast.Attribute, ast.NamedExpr, ast.IfExp)
KIND = re.compile(r"np\.(bool_|int64)")
BEGINNINGS = {"zeros": "0.0"}


def views_last(groups: list[list[Any]], views: set[str], names: Any) -> list[list[Any]]:
    """The same with second names, records of arrays and numbers behind the loops that do not need them."""
    result: list[list[Any]] = []
    for group in groups:
        place, met = len(result), _met(group)
        bound = _bound(group)
        while met and place and _is_view(result[place - 1], views, met, bound, names):
            place -= 1
        result.insert(place, group)
    return result


def _met(group: list[Any]) -> set[str]:
    """The names in loops, or in a statement that works out a number or makes zeros; none of others."""
    if all(isinstance(item, Loop) for item in group):
        return {word for item in group for word in WORD.findall(_text(item))}
    match group:
        case [ast.Assign(targets=[ast.Name()], value=ast.BinOp() | ast.UnaryOp() as value) as one]:
            plain = not any(isinstance(n, LEFT) for n in ast.walk(value))
            return set(WORD.findall(ast.unparse(one))) if plain else set()
        case [ast.Assign(targets=[ast.Name()], value=value) as one] if _is_room(value):
            return set(WORD.findall(ast.unparse(one)))
    return set()


def _bound(group: list[Any]) -> set[str]:
    """The names that loops bind, or a statement; what is written into an array does not bind it."""
    loops = [item for item in group if isinstance(item, Loop)]
    found = {name for loop in loops for name in loop.made}
    found |= {name for loop in loops for name, at in loop.writes.items() if name in at}
    return found | {name for item in group if isinstance(item, ast.stmt) for name in stores([item])}


def _is_view(group: list[Any], views: set[str], met: set[str], bound: set[str], names: Any) -> bool:
    """Whether a group may stand behind one in which names are ``met``, of which it has ``bound`` some."""
    match group:
        case [ast.Assign(targets=[ast.Name(id=name)], value=value)] if _is_number(value, names):
            return name not in met and bound.isdisjoint(loads(value))
        case [ast.Assign(targets=[ast.Name(id=name)], value=ast.Name() | ast.Subscript() as value)]:
            return name in views and name not in met and bound.isdisjoint(_bounds(value))
        case [ast.Assign(targets=[ast.Name()], value=ast.Call(func=func)) as one] if (
            ast.unparse(func) == "np.reshape"
        ):
            return met.isdisjoint({*loads(one), *stores([one])} - {"np"})
        case [ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[kept])) as one]:
            parts = kept.elts if isinstance(kept, ast.Tuple) else [kept]
            return all(isinstance(p, ast.Name) for p in parts) and bound.isdisjoint(loads(one))
    return False


def _is_number(value: ast.expr, names: Any) -> bool:
    """Whether a value is worked out of numbers that have names."""
    plain = isinstance(value, PLAIN) and not any(isinstance(n, LEFT) for n in ast.walk(value))
    read = set(loads(value))
    return plain and bool(read) and all(names.ranks.get(n) == 0 for n in read)


def _bounds(value: ast.expr) -> list[str]:
    """The names in the index of a view."""
    return list(loads(value.slice)) if isinstance(value, ast.Subscript) else []


def _text(loop: Loop) -> str:
    checks = (text for pair in loop.checks for text in pair)
    return "\n".join([*loop.before, *loop.body, *loop.counts, *checks])


def is_before(statement: ast.stmt, loop: Loop, names: Any) -> bool:
    """Whether a number that is worked out behind a loop might as well be worked out before it."""
    match statement:
        case ast.Assign(targets=[ast.Name() | ast.Tuple() as target], value=value):
            read, bound = set(_read(value, names)), set(stores([target]))
        case _:
            return False
    if _is_room(value):
        return loop.made.isdisjoint(loads(value)) and bound.isdisjoint(WORD.findall(_text(loop)))
    plain = isinstance(value, PLAIN) and not any(isinstance(n, LEFT) for n in ast.walk(value))
    if not (plain or _is_span(value) or names.is_of_numbers(value)) or set(loads(target)):
        return False
    if not _is_span(value) and any(names.ranks.get(n) != 0 for n in read | bound):
        return False
    if not all(_is_length(n) for n in ast.walk(value) if isinstance(n, ast.Subscript)):
        return False
    return read.isdisjoint(loop.made) and bound.isdisjoint(WORD.findall(_text(loop)))


def place_before(group: list[Any], groups: list[list[Any]], names: Any) -> int:
    """Where a number, or an array of zeros, may be made: before the last loops that do not need it."""
    place = len(groups)
    while place and all(
        isinstance(item, Loop) and is_before(group[0], item, names) for item in groups[place - 1]
    ):
        place -= 1
    return place


def with_readers(groups: list[list[Any]], fits: Callable[[Loop, Loop], bool]) -> list[list[Any]]:
    """Loops that do nothing but make arrays join the next loop that reads them, not the one before."""
    result: list[list[Any]] = []
    for group in reversed(groups):
        after = result[-1] if result else []
        if all(len(g) == 1 and isinstance(g[0], Loop) for g in (group, after)):
            one, other = group[0], after[0]
            if one.writes.keys() <= one.made & other.reads.keys() and fits(one, other):
                after[0] = joined(one, other)
                continue
        result.append(group)
    return result[::-1]


def _read(value: ast.expr, names: Any) -> Iterator[str]:
    """The names in a value, without those of a function."""
    args = value.args if isinstance(value, ast.Call) and names.is_of_numbers(value) else [value]
    return (name for arg in args for name in loads(arg))


def _is_length(node: ast.Subscript) -> bool:
    return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"


def _is_room(value: ast.expr) -> bool:
    """Whether a value is a new array of zeros, of lengths that are told by other arrays, or written down."""
    match value:
        case ast.Call(func=func, args=[ast.Name()], keywords=[]) if ast.unparse(func) in LIKE:
            return True
        case ast.Call(func=func, args=[ast.Tuple(elts=parts)], keywords=[]) if (
            ast.unparse(func) in ROOM
        ):
            found = [n for p in parts for n in ast.walk(p) if isinstance(n, ast.Subscript)]
            return all(isinstance(p, (ast.Subscript, ast.Constant)) for p in parts) and all(
                map(_is_length, found)
            )
    return False


def _is_span(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == SPAN
    )


def are_apart(one: Loop, other: Loop) -> bool:
    """Whether the innermost loop would write an array in one place, and touch it in another one after that.

    Such a loop is done element by element, while two that follow each other take several elements at once.

    >>> one, other = Loop(("n", "m"), [], []), Loop(("n", "m"), [], [])
    >>> one.writes, other.reads = {"b": {"b[_0, _1]"}}, {"b": {"b[_0 + 1, _1]"}}
    >>> are_apart(one, other)
    True
    """
    last = re.compile(rf"\b_{len(one.counts) - 1}\b")
    for second in (other.reads, other.writes):
        for name in one.writes.keys() & second:
            both = one.writes[name] | second[name]
            if len({i for i in both if last.search(i.rpartition(",")[2])}) > 1:
                return True
    return False


def shared(one: Loop, other: Loop, meets: Callable[..., bool], gathers: bool) -> int:
    """How many outer loops two nests may share; ``meets`` tells whether elements are met in order.

    ``gathers``: one of them is such a group that its last loop is its own.
    """
    both = zip(one.counts, other.counts)
    least = min(map(len, (one.counts, other.counts)))
    most = next((k for k, (a, b) in enumerate(both) if a != b), least)
    pairs = [(one.writes, other.reads), (one.writes, other.writes), (one.reads, other.writes)]
    touched = set(one.writes) & {*other.reads, *other.writes}
    alike = len(one.counts) == len(other.counts)
    for depth in range(most, 0, -1):
        last = alike and depth == least
        if last and (gathers or are_apart(one, other)):
            continue
        sums = frozenset() if last else one.sums & other.sums
        if touched and all(meets(a, b, depth, sums) for a, b in pairs):
            return depth
    return 0


def outer(loop: Loop, depth: int, fresh: Callable[[str], str]) -> Loop:
    """A nest as one of its outer loops; the inner ones are in its body.

    >>> loop = outer(Loop(("n", "m"), [], ["b[_0, _1] = 0.0"]), 1, str)
    >>> print(loop.counts, *loop.body, sep="\\n")
    ('n',)
    for _1 in range(m):
        b[_0, _1] = 0.0
    """
    if depth == len(loop.counts):
        return loop
    for k in range(depth, len(loop.counts)):
        if loop.counts[k] == "1":
            loop = _at_first(loop, k)
    text, before = "\n".join(loop.body), list(loop.before)
    for k in range(len(loop.counts) - 1, depth - 1, -1):
        count = loop.counts[k]
        if count == "1":
            continue
        if not (count.isidentifier() or count.isdigit()):
            name = fresh("k")
            before.append(f"{name} = {count}")
            count = name
        text = f"for _{k} in range({count}):\n{indented([text])}"
    return replace(loop, counts=loop.counts[:depth], before=before, body=[text])


def whole(loops: list[Loop]) -> Loop:
    """What loops that add to one array touch, as one of them."""
    one = loops[0]
    for other in loops[1:]:
        one = joined(one, other)
    return one


def rows_of(loops: list[Loop], fresh: Callable[[str], str]) -> Loop:
    """Such loops as one over the rows, each of which is gathered."""
    found = whole(loops)
    *counts, count = found.counts
    before = list(found.before)
    if not (count.isidentifier() or count.isdigit()):
        name = fresh("k")
        before.append(f"{name} = {count}")
        count = name
    body = gathering(loops, f"_{len(counts)}", count)
    return replace(found, counts=tuple(counts), before=before, body=body, added=None)


def _at_first(loop: Loop, axis: int) -> Loop:
    """An axis of length one is not walked."""
    walked = re.compile(rf"\b_{axis}\b")

    def first(table: dict[str, set[str]]) -> dict[str, set[str]]:
        return {name: {walked.sub("0", text) for text in found} for name, found in table.items()}

    body = [walked.sub("0", text) for text in loop.body]
    return replace(loop, body=body, reads=first(loop.reads), writes=first(loop.writes))


def together(one: Loop, other: Loop, depth: int, fresh: Callable[[str], str]) -> Loop:
    """One nest that does what two do."""
    return joined(outer(one, depth, fresh), outer(other, depth, fresh))


def narrowed(
    loop: Loop, everywhere: Mapping[str, int], sized: set[str], fresh: Callable[[str], str]
) -> Loop:
    """Arrays of which a trip reads what it wrote lose the axes that the loops walk."""
    here = Counter(n for s in loop.sources for n in reads(s))
    lead = [f"_{k}" for k in range(len(loop.counts))]
    for line in list(loop.before):
        made = MADE.fullmatch(line)
        if made is None or made["name"] not in sized or KIND.search(made["rest"]):
            continue
        name = made["name"]
        indices = loop.writes.get(name, set()) | loop.reads.get(name, set())
        if not all("[" in index for index in indices):
            continue
        places = [parts_of(index) for index in indices]
        fits = all(place[: len(lead)] == lead for place in places)
        if everywhere[name] != here[name] or not places or not fits:
            continue
        left = {", ".join(place[len(lead) :]) for place in places}
        if all(part.isdigit() for text in left for part in text.split(", ") if text):
            loop = _numbered(loop, line, made, indices, fresh) if len(left) == 1 else loop
        elif made["how"] == "empty":
            loop = _shortened(loop, line, made, len(lead))
    return loop


def _numbered(
    loop: Loop, line: str, made: re.Match[str], indices: set[str], fresh: Callable[[str], str]
) -> Loop:
    (index,) = indices
    number, text = fresh("v"), re.compile(rf"\b{re.escape(index)}")
    begin = BEGINNINGS.get(made["how"]) or made["rest"].removeprefix(", ")
    body = [text.sub(number, part) for part in loop.body]
    first = [f"{number} = {begin}"] if begin else []
    return replace(loop, body=first + body, before=[b for b in loop.before if b is not line])


def _shortened(loop: Loop, line: str, made: re.Match[str], depth: int) -> Loop:
    name = made["name"]
    counts = parts_of(f"[{made['counts']}]")[depth:]
    lead = ", ".join(f"_{k}" for k in range(depth))
    text = re.compile(rf"\b{name}\[{lead}, ")
    row = f"{name} = np.empty(({', '.join(counts)},))"
    return replace(
        loop,
        body=[text.sub(f"{name}[", part) for part in loop.body],
        before=[row if other is line else other for other in loop.before],
    )
