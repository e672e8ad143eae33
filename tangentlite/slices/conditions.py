"""Conditions: what must hold of the arguments, so that slices take what loops take, and are worth it.

In: the places that slices reach, the work they do.
Out: the text of a test of the arguments.
Next: slices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tangentlite.slices.affine import Affine, Range, highest, is_natural, lowest
from tangentlite.slices.nests import NotSliced
from tangentlite.slices.sizes import Sizes
from tangentlite.slices.spelling import Reach
from tangentlite.slices.writing import Work

# What a statement about arrays, and one about numbers, costs in places of loops; places of what is made on the way.
ARRAYS, NUMBERS, ROOM = 24, 5, 2**22


def tests(reached: Iterable[Reach], sizes: Sizes) -> list[str]:
    """What must hold so that no place is outside its array, or counted from its end.

    >>> from tangentlite.slices.samples import sizes
    >>> i, n = Affine.of("i"), Affine.of("x.shape[0]")
    >>> outer = (Range("i", Affine((), 1), n - 1),)
    >>> tests([Reach("x", 0, i - 1, i, outer)], sizes("")), tests([Reach("x", 1, i, i + 1, outer)], sizes(""))
    ([], ['x.shape[1] - x.shape[0] >= 0'])
    """
    found = dict.fromkeys(str(value) for reach in reached for value in _needed(reach, sizes))
    return [f"{text} >= 0" for text in found]


def _needed(reach: Reach, sizes: Sizes) -> Iterator[Affine]:
    """What must not be negative."""
    found = [lowest(reach.first, reach.ranges), lowest(reach.stop, reach.ranges)]
    top = highest(reach.stop, reach.ranges)
    sides = [shape[reach.axis] for shape in sizes.shapes(reach.array)]
    found += [side - top if top is not None else None for side in sides]
    for value in found:
        if value is None or (value.constant or 0) < 0:
            raise NotSliced
        if not is_natural(value):
            yield value


def alike(reached: Iterable[Reach], sizes: Sizes) -> dict[str, str]:
    """Sides of arguments that are as long as others, by all appearances: loops reach as far in both.

    >>> from tangentlite.slices.samples import sizes
    >>> i, n = Affine.of("i"), Affine.of("x.shape[0]")
    >>> outer = (Range("i", Affine((), 0), n - 1),)
    >>> alike([Reach("x", 0, i, i + 1, outer), Reach("w", 0, i, i + 1, outer)], sizes(""))
    {'w.shape[0]': 'x.shape[0]'}
    """
    found, ends = dict[str, str](), list[tuple[str, str | None, Affine]]()
    for reach in reached:
        top = highest(reach.stop, reach.ranges)
        sides = {shape[reach.axis] for shape in sizes.shapes(reach.array)}
        if top is not None and len(sides) == 1:
            side = str(sides.pop())
            known = [name for name, factor in top.terms if factor == 1 and len(top.terms) == 1]
            ends.append((side, known[0] if known else None, top))
    far = {(side, top) for side, _, top in ends}
    for side, name, top in ends:
        full = name is not None and ((name, top) in far or not top.rest)
        if full and side.endswith("]") and "//" not in f"{side}{name}":
            one, other = _last(side, found), _last(str(name), found)
            if one != other and one.endswith("]"):
                found[one] = other
    return {side: _last(side, found) for side in found}


def _last(side: str, found: Mapping[str, str]) -> str:
    while side in found:
        side = found[side]
    return side


def worth(work: Sequence[Work]) -> str:
    """Whether statements are about enough places; outer counters are taken to be half way.

    >>> i, n = Affine.of("i"), Affine.of("n")
    >>> outer, inner = Range("i", Affine((), 0), n - 1), Range("j", Affine((), 0), i)
    >>> worth([Work((outer,), (inner,)), Work((outer,), ())])
    'max(n, 0) * max((0 + n - 1) / 2 + 1, 0) >= 24 * (max(n, 0)) + 5 * (max(n, 0))'
    >>> worth([Work((outer,), (inner, inner), loose=True)]).partition(" and ")[2]
    'max(n, 0) * max((0 + n - 1) / 2 + 1, 0) * max((0 + n - 1) / 2 + 1, 0) <= 4194304 * max(n, 0)'
    """
    places = Counter(_trips((*w.trips, *w.places)) for w in work if w.places)
    arrays = Counter(_trips(w.trips) for w in work if w.places for _ in range(1 + 2 * w.choices))
    numbers = Counter(_trips(w.trips) for w in work if not w.places)
    costs = [(ARRAYS, arrays), (NUMBERS, numbers)]
    loose = [(_trips((*w.trips, *w.places)), _trips(w.trips)) for w in work if w.loose and w.places]
    large = dict.fromkeys(f"{whole} <= {ROOM} * {each}" for whole, each in loose)
    cost = " + ".join(f"{cost} * ({_sum(counted)})" for cost, counted in costs if counted)
    return " and ".join([f"{_sum(places)} >= {cost}", *large])


def _sum(found: Counter[str]) -> str:
    return " + ".join(text if count == 1 else f"{count} * {text}" for text, count in found.items())


def _trips(ranges: Sequence[Range]) -> str:
    """How often the innermost of some loops is gone through, if outer counters are half way."""
    sides, middle = list[str](), dict[str, str]()
    for found in ranges:
        assert found.high is not None
        side = (found.high - found.low + 1).shown(middle)
        sides.append(f"max({side}, 0)" if found.step == 1 else f"max({side}, 0) // {found.step}")
        middle[found.counter] = f"({found.low.shown(middle)} + {found.high.shown(middle)}) / 2"
    return " * ".join(sides) or "1"
