"""The kinds of all names at one point, cheap to change: a changed copy shares most of the original.

In: names and kinds.
Out: ``Environment``, and ``merged`` where paths meet.
Next: inference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import is_
from typing import Any, TypeVar, overload

from tangentlite.analysis.kinds import Kind

T = TypeVar("T")

PAGE = 32
Page = tuple[Kind | None, ...]
Change = Callable[[str, Kind], Kind]
Join = Callable[[str, Kind, Kind], Kind]


class Environment(Mapping[str, Kind]):
    """An immutable mapping. Kinds stand on pages of 32; binding a name makes one page anew.

    ``slots`` numbers the names of a function; all its environments share it.

    >>> from tangentlite.analysis.kinds import Nothing
    >>> before = Environment().bind("x", Nothing())
    >>> after = before.bind("y", Nothing())
    >>> dict(before), sorted(after)
    ({'x': Nothing()}, ['x', 'y'])
    """

    __slots__ = ("_pages", "_slots")

    def __init__(self, slots: dict[str, int] | None = None, pages: Sequence[Page] = ()) -> None:
        self._slots = {} if slots is None else slots
        self._pages = tuple(pages)

    def bind(self, name: str, kind: Kind) -> Environment:
        """The same environment with another kind for ``name``."""
        number, place = divmod(self._slots.setdefault(name, len(self._slots)), PAGE)
        pages = list(self._pages)
        while len(pages) <= number:
            pages.append((None,) * PAGE)
        page = list(pages[number])
        page[place] = kind
        pages[number] = tuple(page)
        return Environment(self._slots, pages)

    def binding(self, kinds: Mapping[str, Kind]) -> Environment:
        """The same environment with other kinds for some names."""
        result = self
        for name, kind in kinds.items():
            result = result.bind(name, kind)
        return result

    def mapped(self, change: Change, since: Environment) -> Environment:
        """The kinds replaced by what ``change(name, kind)`` makes of them, but for pages as in ``since``."""
        pages = list(self._pages)
        fresh = [n for n, page in enumerate(pages) if since._pages[n : n + 1] != (page,)]
        names = list(self._slots) if fresh else []
        for number in fresh:
            start, page = number * PAGE, pages[number]
            new = tuple(k and change(names[start + i], k) for i, k in enumerate(page))
            pages[number] = page if all(map(is_, page, new)) else new
        return Environment(self._slots, pages)

    def __getitem__(self, name: str) -> Kind:
        kind = self._at(self._slots[name])
        if kind is None:
            raise KeyError(name)
        return kind

    @overload
    def get(self, name: str, default: None = None, /) -> Kind | None: ...

    @overload
    def get(self, name: str, default: Kind | T, /) -> Kind | T: ...

    def get(self, name: str, default: Any = None, /) -> Any:
        slot = self._slots.get(name)
        if slot is None:
            return default
        try:
            kind = self._pages[slot // PAGE][slot % PAGE]
        except IndexError:
            return default
        return default if kind is None else kind

    def _at(self, slot: int) -> Kind | None:
        number = slot // PAGE
        return self._pages[number][slot % PAGE] if number < len(self._pages) else None

    def __iter__(self) -> Iterator[str]:
        return (name for name, slot in self._slots.items() if self._at(slot) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Environment) and self._pages == other._pages

    __hash__ = None  # type: ignore[assignment]

    def merge(self, other: Environment, join: Join) -> Environment:
        """What holds in both; a name that one lacks keeps the kind it has in the other."""
        most = max(self._pages, other._pages, key=len)
        both = enumerate(zip(self._pages, other._pages))
        unlike = [number for number, (a, b) in both if a is not b]
        if not unlike and len(most) == len(self._pages):
            return self
        pages, names = list(self._pages), list(self._slots) if unlike else []
        for number in unlike:
            some = names[number * PAGE : (number + 1) * PAGE]
            pages[number] = _joined(some, pages[number], other._pages[number], join)
        return Environment(self._slots, [*pages, *most[len(pages) :]])


def merged(environments: Iterable[Environment], join: Join) -> Environment:
    """What holds in all ``environments`` of one function."""
    first, *rest = environments
    for other in rest:
        first = first.merge(other, join)
    return first


def _joined(names: list[str], a: Page, b: Page, join: Join) -> Page:
    return tuple(
        y if x is None else x if y is None else join(names[i], x, y)
        for i, (x, y) in enumerate(zip(a, b))
    )
