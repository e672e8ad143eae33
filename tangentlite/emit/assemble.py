"""One text out of several: a derivative and the pairs of the helpers that it calls.

In: a unit and the units of its helpers.
Out: the text that ``.source`` shows.
Next: travel.
"""

from __future__ import annotations

from collections.abc import Iterable

from tangentlite.emit.module import Unit


def sources(unit: Unit, helpers: Iterable[Unit] = ()) -> str:
    """The derivative first, then its helpers in the order given, each text once.

    >>> f, g = Unit("def df(): pass\\n", "f"), Unit("def dg(): pass\\n", "g")
    >>> print(sources(f, [g, f, g]), end="")
    def df(): pass
    <BLANKLINE>
    <BLANKLINE>
    def dg(): pass
    """
    return "\n\n".join(dict.fromkeys(u.source for u in (unit, *helpers)))
