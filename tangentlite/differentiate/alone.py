"""An adjoint that is an array of its own: parts of it may be added to.

In: the adjoints that are bound at a point.
Out: statements.
Next: primitives.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import Kind
from tangentlite.differentiate.adjoints import Adjoints
from tangentlite.differentiate.shapes import shape_of_kind


class Alone(frozenset[Any]):
    """The shape of an adjoint that shares its memory with none; any sum of shapes is a plain one again."""


def alone(adjoints: Adjoints, name: str, kind: Kind | None) -> list[gast.stmt]:
    """Make sure that something may be added to parts of an adjoint.

    A buffer is an array of its own from the beginning, whatever reaches it is added in place. Others may be the adjoint
    of another name, too, unless they were begun here or copied.
    """
    bound = adjoints.bound
    if name in adjoints.shadowed or name not in adjoints.before or adjoints.is_buffer(name, kind):
        return []
    if isinstance(bound.get(name), Alone):
        return []
    like = adjoints.operand(syntax.name(name))
    if name not in bound:
        body = adjoints.start(name, like, kind, parts=True)
    else:
        bx = adjoints.adjoint(name)
        text, rt = "rt.buffer(rt.own(bx), x)", adjoints.session.rt
        copy = syntax.expression(text, rt=rt, bx=bx, x=like)
        body = [*adjoints.exact(name, like, kind), syntax.assign(bx, copy)]
    bound[name] = Alone(shape_of_kind(kind))
    return body
