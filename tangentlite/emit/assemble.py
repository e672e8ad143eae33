"""One text out of several: a derivative and the pairs of the helpers that it calls.

In: a unit and the units of its helpers.
Out: the text that ``.source`` shows.
Next: travel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tangentlite.emit.apart import told_apart
from tangentlite.emit.module import Unit
from tangentlite.emit.printer import function_text
from tangentlite.ir import Function
from tangentlite.values import replace


def sources(unit: Unit, helpers: Iterable[Unit] = ()) -> str:
    """The derivative first, then its helpers in the order given, each text once.

    >>> f, g = Unit("def df(): pass\\n", "f"), Unit("def dg(): pass\\n", "g")
    >>> print(sources(f, [g, f, g]), end="")
    def df(): pass
    <BLANKLINE>
    <BLANKLINE>
    def dg(): pass
    """
    units = list({id(one): one for one in (unit, *helpers)}.values())
    texts = dict.fromkeys(told_apart(units))
    for one in units:
        for part in one.parts:
            texts |= dict.fromkeys(lifted(part))
    return "\n\n".join(texts)


def lifted(function: Function) -> Iterator[str]:
    """The texts of functions that the compiler made of nested ones, which a text calls or hands on."""
    for name in sorted(function.namespace.cells):
        found = function.namespace.lookup(name) if function.namespace.binds(name) else None
        source: Function | None = getattr(found, "__lifted__", None)
        if source is not None and name in function.read:
            yield function_text(replace(source, name=name))
