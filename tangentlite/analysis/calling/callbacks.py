"""Functions of the user that builtins call where nobody follows them: what those write would be lost.

In: a call, and the kinds of its arguments.
Out: whether it hands a function that may write to somebody who calls it.
Next: atoms.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType

import gast

from tangentlite.analysis.kinds import Kind, Tuple, Value
from tangentlite.lowering import effects
from tangentlite.runtime.containers.closures import Label

CALLING = frozenset(
    """map filter sorted min max reduce in_order starmap filterfalse takewhile dropwhile accumulate
    groupby searched area between beyond everywhere""".split()
)
WITHIN = "`{0}` is given a function that writes, which is not followed there"
AS_LOOP = "Write the loop: `for x in xs: y = f(x)`."


def unfollowed(node: gast.Call, kind: Callable[[gast.expr], Kind]) -> bool:
    """Whether a call that is left as it is calls functions of the user that may write.

    Where a builtin could be said with a loop, that has taken its place.
    """
    func = node.func
    name = func.attr if isinstance(func, gast.Attribute) else getattr(func, "id", "")
    if name not in CALLING:
        return False
    given = [*node.args, *(k.value for k in node.keywords)]
    return any(_may_write(kind(e)) for e in given if isinstance(e, gast.Name))


def _may_write(kind: Kind) -> bool:
    match kind:
        case Value(value=FunctionType() as function):
            return effects.writes(function)
        case Tuple(type="closure", items=[Value(value=Label(function=function)), *_]):
            return not isinstance(function, FunctionType) or effects.writes(function)
    return False
