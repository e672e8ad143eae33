"""Arrays that live in one loop only, as numbers.

In: a loop.
Out: a loop.
Next: loops.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping

from tangentlite.native.facts.names import loads
from tangentlite.native.looping.nests import Loop
from tangentlite.values import replace


def in_registers(loop: Loop, everywhere: Mapping[str, int], fresh: Callable[[str], str]) -> Loop:
    """What the statements of a loop make for each other needs no array: ``everywhere`` counts what the kernel reads."""
    here = Counter(n for s in loop.sources for n in loads(s))
    for line in list(loop.before):
        name = line.partition(" = np.empty(")[0]
        indices = loop.writes.get(name, set())
        if name == line or len(indices) != 1 or everywhere[name] != here[name]:
            continue
        (index,) = indices
        if loop.reads.get(name, indices) != indices or not _is_set_first(loop, index):
            continue
        text, number = re.compile(rf"\b{re.escape(index)}"), fresh("v")
        body = [text.sub(number, part) for part in loop.body]
        before = [other for other in loop.before if other is not line]
        loop = replace(loop, body=body, before=before)
    return loop


def _is_set_first(loop: Loop, index: str) -> bool:
    first = next(part for part in loop.body if index in part)
    return first.startswith(f"{index} = ")
