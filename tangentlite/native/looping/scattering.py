"""What is added at places that arrays of indices name, which may come again.

In: ``np.add.at(a, (i, j), v)``.
Out: a loop, which may share its trips with others.
Next: loops.
"""

from __future__ import annotations

import ast

from tangentlite.native.facts.ranks import Names
from tangentlite.native.looping.choices import Choice
from tangentlite.native.looping.elements import Elements
from tangentlite.native.looping.nests import EVERYTHING, Loop, note


def scattered(found: Choice, value: ast.expr, names: Names, elements: Elements) -> Loop | None:
    """A loop over what is added; None if it reads the array, or has other lengths."""
    whole, shape = elements.chosen(found), elements.shape(value)
    if not whole or shape is None or len(shape) > len(whole) or found.array not in names.floats:
        return None
    lead = len(whole) - len(shape)
    if any(a == "1" != b for a, b in zip(whole[lead:], shape)):
        return None
    at = tuple(f"_{k}" for k in range(len(whole)))
    loop = Loop(whole, [], [], trips=dict(zip(at, whole)))
    text, place = elements.say(value, loop, at[lead:]), elements.place(found, loop, at)
    if any(names.meet(found.array, name) for name in loop.reads):
        return None
    loop.body, loop.sums = [f"{place} += {text}"], frozenset([found.array])
    for table in (loop.reads, loop.writes):
        note(table, found.array, EVERYTHING)
    return loop
