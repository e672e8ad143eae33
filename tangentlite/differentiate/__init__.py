"""Calculus: from a normal form and its facts to the derivative, unoptimized but right.

In: a normal form, facts, a request, and a linker that provides the pairs of callees.
Out: ``ir.Derived``.
Next: optimize.
"""

from __future__ import annotations

from tangentlite import ir
from tangentlite.analysis import Facts
from tangentlite.differentiate import forward, motion, scalars
from tangentlite.differentiate.blocks.halves import again
from tangentlite.differentiate.granted import is_granted
from tangentlite.differentiate.motion import name
from tangentlite.differentiate.pinned import PINNING, let_go
from tangentlite.differentiate.record import rereading
from tangentlite.differentiate.session import Linker
from tangentlite.lowering import Normal


def transform(normal: Normal, facts: Facts, request: ir.Request, linker: Linker) -> ir.Derived:
    """Write the derivative."""
    rereading.check(facts)
    normal = facts.normal
    write = motion.reverse if request.mode == "reverse" else forward.tangent
    functions = scalars.with_floats(normal, facts, request, linker, write)
    if normal.function.namespace.globals is PINNING:
        functions = tuple(map(let_go, functions))
    return ir.Derived(functions, normal.function, request)


__all__ = ["Linker", "again", "is_granted", "name", "transform"]
