"""Values of which only the shape is asked for: another one of the same shape, which is read anyway, tells it.

In: a finished backward sweep over placeholders.
Out: the same sweep; the forward sweep need not make what only had a shape.
Next: recording.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import SCALAR, Num, Shape
from tangentlite.analysis.versions import Version
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.reverse import Sweep

ASKING = {
    "unbroadcast": 1,
    "unreduce": 1,
    "kept": 1,
    "weighted": 2,
}  # where the shape is asked for, not the dtype


def told_by_others(sweep: Sweep, extra: Body) -> None:
    """Ask what is read anyway for shapes (both sweeps are rewritten in place)."""
    if sweep.adjoints.shapes.lazy:
        return
    body, table = sweep.backward[sweep.facts.versions.root], sweep.adjoints.shapes.table
    trees = [*body, *extra]
    read = Counter(n for n in _names(trees) if n in table)
    asked = Counter(n for n in _asked(trees, sweep.session.rt) if n in table)
    shapes = {n: shape for n in read if (shape := _shape(sweep, table[n])) is not None}
    tellers: dict[Shape, str] = {}
    for name in sorted(shapes, key=lambda n: table[n].number):
        if read[name] > asked[name]:
            tellers.setdefault(shapes[name], name)
    holes: dict[str, syntax.Hole] = {
        n: tellers[s] for n, s in shapes.items() if read[n] == asked[n] and s in tellers
    }
    for block in (body, extra) if holes else ():
        block[:] = [syntax.substitute(s, holes) if _mentions(s, holes) else s for s in block]


def _mentions(statement: gast.stmt, names: Iterable[str]) -> bool:
    return not syntax.loads(statement).isdisjoint(names)


def _shape(sweep: Sweep, version: Version) -> Shape | None:
    """The shape of what is bound outside of loops and branches, if it is one that others may have."""
    facts, statement = sweep.facts, version.statement
    if version.scope is not facts.versions.root or not version.certain or version.header:
        return None
    if statement is None:
        kind = facts.kinds.before[0].get(version.name) if version.position < 0 else None
    else:
        kind = facts.kind_after(statement, version.name)
    return kind.shape if isinstance(kind, Num) and kind.shape != SCALAR else None


def _names(trees: Iterable[gast.AST]) -> Iterator[str]:
    for tree in trees:
        for node in syntax.walk(tree):
            if isinstance(node, gast.Name):
                yield node.id


def _asked(trees: Body, rt: str) -> Iterator[str]:
    """The names that statements outside of loops and branches ask for a shape."""
    for statement in trees:
        if syntax.blocks(statement):
            continue
        for node in syntax.walk(statement):
            match node:
                case gast.Call(func=gast.Attribute(value=gast.Name(id=module), attr=attr)) if (
                    module == rt and attr in ASKING and len(node.args) > ASKING[attr]
                ):
                    asked = node.args[ASKING[attr]]
                    if isinstance(asked, gast.Name):
                        yield asked.id
