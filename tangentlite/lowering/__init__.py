"""The second stage: one small vocabulary of statements, in Python's own order of evaluation.

In: ``ir.Function`` as ``frontend.read`` gives it.
Out: ``Normal``: the function in the normal form of docs/design.md (exactly one return, the last
statement; every operand a name or a literal), the user's statement behind every statement, and the
names that are taken. Places are kept: every node says where in the user's text it came from.
Next: analysis.
"""

from __future__ import annotations

from tangentlite.ir import Function
from tangentlite.lowering import blocks
from tangentlite.lowering.arrays import flat
from tangentlite.lowering.context import Context, Normal
from tangentlite.lowering.flow import (
    attempts,
    deleted,
    exits,
    managers,
    missing,
    patterns,
    payloads,
)
from tangentlite.lowering.functions import closures, handles
from tangentlite.lowering.iteration import (
    generators,
    iterators,
    postponed,
    resumed,
    suspended,
    walkers,
    yielding,
)
from tangentlite.lowering.lists import named, stacks
from tangentlite.values import replace

__all__ = ["Normal", "normalize"]


def normalize(function: Function) -> Normal:
    """The normal form of ``function``."""
    context = Context.of(function, blocks.lower_into)
    plain = closures.converted(function, context)
    if plain is not function:
        function, context = plain, Context.of(plain, blocks.lower_into)
    body = handles.ordered(deleted.told(function.body, context), context)
    body = handles.spelled(body, context)
    body = named.spelled(body, context)
    body = walkers.walked(body, context)
    body = managers.opened(body, context)
    body = payloads.bound(body, context)
    body = flat.held(postponed.postponed(body, context), context)
    body = yielding.inlined(suspended.followed(body, context), context)
    body = generators.listed(body, context)
    body = iterators.stepped(body, context)
    body = resumed.whole(body, context)
    body = exits.single(patterns.as_branches(body, context), context)
    body = attempts.whole(blocks.lower(body, context), context)
    namespace = function.namespace.extended(context.cells) if context.cells else function.namespace
    lowered = replace(function.with_body(body), namespace=namespace)
    normal = Normal(lowered, context.sources, context.names, stacks.found(lowered))
    return missing.of_modules(normal) if function.lacking else normal


def cut_again(normal: Normal) -> Normal:
    """The normal form in which attempts are whole, though calls in them were written out."""
    context = Context.of(normal.function, blocks.lower_into)
    context.names, context.sources = normal.names, dict(normal.sources)
    body = attempts.whole(normal.function.body, context)
    function = normal.function.with_body(body)
    if context.cells:
        function = replace(function, namespace=function.namespace.extended(context.cells))
    return replace(normal, function=function, sources=context.sources)
