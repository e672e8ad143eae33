"""What is pinned in one derivative moves in the next: the text of a derivative reads the value itself.

In: the functions of a derivative.
Out: the same without ``rt.pinned``.
Next: scalars.
"""

from __future__ import annotations

from contextlib import suppress

import gast

from tangentlite import ir, runtime, syntax
from tangentlite.standins import roots

PINNING = vars(roots)  # where stand-ins do so


def let_go(function: ir.Function) -> ir.Function:
    """``rt.pinned(x)`` becomes ``x`` in what is derived of a stand-in that pins.

    >>> from tangentlite.frontend import read
    >>> from tangentlite.standins.roots import attached
    >>> [syntax.unparse(f(read(attached)).body[0]) for f in (lambda f: f, let_go)]
    ['x = rt.pinned(rt.attached(f, x, args))', 'x = rt.attached(f, x, args)']
    """
    letting = _Letting(function.namespace)
    return function.with_body([letting.visit(syntax.copy(s)) for s in function.body])


class _Letting(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, namespace: ir.Namespace) -> None:
        self.namespace = namespace

    def visit_Call(self, node: gast.Call) -> gast.AST:
        """What is pinned, for the call that holds it."""
        self.generic_visit(node)
        path = syntax.dotted(node.func)
        with suppress(KeyError, AttributeError):
            if path is not None and self.namespace.resolve(path) is runtime.pinned:
                return node.args[0]
        return node
