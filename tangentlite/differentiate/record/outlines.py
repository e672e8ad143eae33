"""What a forward function gives where only the shape of its result is asked for.

In: the result of a function of which only a record is made.
Out: an expression that has its shape.
Next: motion.

What is a sum or a product in the end has the shape of its operands: what is stored in those is not asked for either.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import Kind, Num
from tangentlite.differentiate.session import Session

REAL = frozenset(("float", "int"))


def outline(session: Session, result: gast.expr) -> gast.expr:
    """``rt.outline(y)``, or ``rt.frame(a, b)`` for the last ``y = a + b``.

    >>> import numpy as np, tangentlite as tl
    >>> def ramps(x):
    ...     a, b = np.zeros(x.shape), np.zeros(x.shape)
    ...     for i in range(1, x.shape[0]):
    ...         a[i] = a[i - 1] + x[i]
    ...         b[i] = b[i - 1] - x[i]
    ...     return 2.0 * (a + b)
    >>> def f(x):
    ...     return np.sum(ramps(x) * 3.0)
    >>> text = tl.grad(f).source
    >>> text[text.index("def ramps_forward") : text.index("def ramps_backward")].count("for i in")
    0
    """
    made = _frame(session, result, len(session.function.body))
    return made or session.runtime("outline(y)", y=result)


def _frame(session: Session, value: gast.expr, end: int) -> gast.expr | None:
    """What has the shape of a sum or a product at ``end``, and no elements of its own; None if it is neither."""
    body, name = session.function.body, getattr(value, "id", None)
    bound = [k for k, s in enumerate(body[:end]) if name in syntax.stores(s)]
    if not bound:
        return None
    statement, later = body[bound[-1]], body[bound[-1] :]
    match statement:
        case gast.Assign(
            targets=[gast.Name()],
            value=gast.BinOp(left=left, op=gast.Add() | gast.Sub() | gast.Mult(), right=right),
        ):
            read = syntax.loads([left, right])
            kinds = [session.facts.kind_before(statement, n) for n in read]
            own = _is_real(session.facts.kind_after(statement, str(name)))
            if own and all(map(_is_real, kinds)) and read.isdisjoint(syntax.stores(later)):
                a, b = (_frame(session, part, bound[-1]) or part for part in (left, right))
                return session.runtime("frame(a, b)", a=a, b=b)
    return None


def _is_real(kind: Kind | None) -> bool:
    return isinstance(kind, Num) and kind.exact in REAL and not kind.persistent
