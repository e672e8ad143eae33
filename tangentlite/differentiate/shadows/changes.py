"""What a method does to a list or dict, done to the nest of derivatives beside it too.

In: a change, and the kinds of its arguments.
Out: the text of both changes: ``xs``, ``bxs``; arguments ``v0``, ``bv0`` …; a result ``y``, ``by``.
Next: structures, forward_writes.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from tangentlite.analysis.kinds import Dict, Kind, List, Tuple
from tangentlite.analysis.operations import Mutate

LISTS = (List, Tuple)
RESULTS = ("pop", "setdefault")


def holes(operation: Mutate, beside: Callable[[gast.expr], gast.expr]) -> dict[str, gast.expr]:
    """The arguments, and what lies ``beside`` each."""
    given = {f"v{k}": a for k, a in enumerate([*operation.args, *operation.named.values()])}
    return given | {f"b{name}": beside(a) for name, a in given.items()}


def _by_names(operation: Mutate) -> str:
    stores = (
        f"xs[{name!r}] = v{k}\nbxs[{name!r}] = bv{k}" for k, name in enumerate(operation.named)
    )
    return "\n".join(stores)


def both(operation: Mutate, kind_of: Callable[[gast.expr], Kind | None]) -> str | None:
    """The two changes as text; None where the runtime must look at the arguments.

    >>> print(both(Mutate("xs", "insert", (gast.Constant(0, None), gast.Constant(1.0, None))), lambda v: None))
    xs.insert(v0, v1)
    bxs.insert(v0, bv1)
    """
    method, count = operation.method, len(operation.args)
    kinds = [kind_of(a) for a in operation.args]
    if operation.named:
        return _by_names(operation) if (method, count) == ("update", 0) else None
    match method, count:
        case "append", 1:
            return "xs.append(v0)\nbxs.append(bv0)"
        case "insert", 2:
            return "xs.insert(v0, v1)\nbxs.insert(v0, bv1)"
        case "extend", 1 if isinstance(kinds[0], LISTS):
            return "xs.extend(v0)\nbxs.extend(bv0)"
        case "update", 1 if isinstance(kinds[0], Dict):
            return "xs.update(v0)\nbxs.update(bv0)"
        case "remove", 1:
            return "i = xs.index(v0)\ndel xs[i]\ndel bxs[i]"
        case "__delitem__", 1:
            return "del xs[v0]\ndel bxs[v0]"
        case (("reverse" | "clear"), 0):
            return f"xs.{method}()\nbxs.{method}()"
        case "pop", 0:
            return "y = xs.pop()\nby = bxs.pop()"
        case "pop", 1:
            return "y = xs.pop(v0)\nby = bxs.pop(v0)"
        case (("pop" | "setdefault"), 2):
            return f"y = xs.{method}(v0, v1)\nby = bxs.{method}(v0, bv1)"
    return None
