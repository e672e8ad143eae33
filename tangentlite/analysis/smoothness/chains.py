"""Products of two matrices that are only multiplied by a vector: it is cheaper to begin with the vector.

In: a normal form, its kinds and aliases.
Out: for such products, the statements that multiply them.
Next: lowering.arrays.chains.
"""

from __future__ import annotations

from collections import Counter

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.operations import Primitive
from tangentlite.analysis.storage.aliases import Aliases
from tangentlite.lowering import Normal
from tangentlite.lowering.arrays.chains import operands


def seen(
    normal: Normal, graph: Graph, inferred: Inference, aliases: Aliases
) -> dict[gast.stmt, gast.stmt]:
    """``y = t @ v`` by ``t = A @ B``, of the same expression, where A and B are matrices and v is a vector."""
    products = {
        s.targets[0].id: s
        for s, o in inferred.operations.items()
        if isinstance(o, Primitive) and o.rule.name in ("matmul", "dot") and operands(s)
    }
    if len(products) < 2:
        return {}
    body = normal.function.body
    names = Counter(
        n.id for s in body for n in syntax.walk(s) if isinstance(n, gast.Name)
    )  # bound and read once
    found: dict[gast.stmt, gast.stmt] = {}
    for outer in products.values():
        left, right = operands(outer) or ("", "")
        ranks = [_rank(graph, inferred, outer, name) for name in (left, right)]
        name = left if ranks == [2, 1] else right if ranks == [1, 2] else ""
        made = products.get(name)
        if made is None or names[name] != 2 or normal.sources[made] is not normal.sources[outer]:
            continue
        matrices = operands(made) or ("", "")
        plain = not any(map(aliases.is_written, (*matrices, left, right)))
        if plain and all(_rank(graph, inferred, made, m) == 2 for m in matrices):
            found[made] = outer
    return found


def _rank(graph: Graph, inferred: Inference, statement: gast.stmt, name: str) -> int | None:
    kind = inferred.before[graph.first[statement]].get(name)
    return kind.ndim if isinstance(kind, Num) and kind.array else None
