"""Where the shadow of a stack is born: at the end of the block that makes and uses the stack.

In: a body and the names of its stacks.
Out: for a stack that lives inside one block of the body, the last statement of that block.
Next: activity.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from tangentlite import syntax
from tangentlite.analysis.uses import Uses, said


def homes(body: list[gast.stmt], stacks: Iterable[str]) -> dict[str, gast.stmt]:
    """Stacks that live in an inner block, with its last statement; the others live to the end of the function.

    >>> from tangentlite.syntax import parse, unparse
    >>> found = homes(parse("for i in x:\\n    row = []\\n    row.append(i)\\n    rows.append(row)"), ["row", "rows"])
    >>> {name: unparse(last) for name, last in found.items()}
    {'row': 'rows.append(row)'}
    """
    found, names = {}, frozenset(stacks)
    uses = Uses(lambda statement: said(statement) & names)
    for name in sorted(names):
        block = _innermost(body, name, uses)
        if block is not body:
            found[name] = block[-1]
    return found


def _innermost(block: list[gast.stmt], name: str, uses: Uses) -> list[gast.stmt]:
    """The smallest block that holds every mention of a name, and in a loop begins with making it."""
    while True:
        places = uses.places(block, name)
        if len(places) != 1:
            return block
        inner = [b for b in syntax.blocks(block[places[0]]) if uses.places(b, name)]
        if len(inner) != 1 or not _made_first(inner[0], name, uses):
            return block
        block = inner[0]


def _made_first(block: list[gast.stmt], name: str, uses: Uses) -> bool:
    first = block[uses.places(block, name)[0]]
    match first:
        case gast.Assign(targets=[gast.Name(id=target)], value=value):
            return bool(target == name) and name not in syntax.loads(value)
        case gast.If() | gast.For() | gast.While():
            inner = (b for b in syntax.blocks(first) if name in syntax.stores(b))
            return any(_made_first(b, name, uses) for b in inner)
    return False
