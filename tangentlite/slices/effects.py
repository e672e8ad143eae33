"""Effects: what may be computed earlier than it was, because nobody sees it.

In: calls, functions as they were read, how to read another one.
Out: ``Effects``: ``writes(function)``, ``all_plain(statements)``; ``guarded``: what is not always computed.
Next: inlined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any

import gast

from tangentlite import rules, syntax
from tangentlite.errors import DerivativeError
from tangentlite.ir import Function
from tangentlite.optimize.facts.purity import Purity
from tangentlite.slices.leaving import SCOPES

DEEP = 4
FRESH = (gast.Constant, gast.BinOp, gast.UnaryOp)


class Effects:
    """Whether calls in a function do nothing but to give a value.

    >>> from tangentlite.optimize.samples import function
    >>> def writes(text):
    ...     return Effects(function(text), None).writes()
    >>> writes("s = 0.0\\ns += np.sin(x)"), writes("x += 1.0"), writes("x.fill(1.0)"), writes("np.exp(x, out=x)")
    (False, True, True, True)
    """

    def __init__(
        self, function: Function, read: Callable[[Any], Function] | None, depth: int = 0
    ) -> None:
        self._function, self._read, self._depth = function, read, depth
        self._purity = Purity(function.namespace, function.local, rules.is_pure)

    def writes(self) -> bool:
        """Whether the function may change what others see."""
        nodes = list(syntax.nodes(self._function.body))
        places = (n for n in nodes if isinstance(n, gast.Subscript | gast.Attribute))
        if any(not isinstance(place.ctx, gast.Load) for place in places):
            return True
        added = {syntax.dotted(n.target) for n in nodes if isinstance(n, gast.AugAssign)}
        return not added <= self._own(nodes) or not self.all_plain(self._function.body)

    def _own(self, nodes: list[Any]) -> set[str]:
        """The names that only hold what was made here."""
        made, others = set[str](), {p.name for p in self._function.params}
        for node in nodes:
            match node:
                case gast.Assign(targets=[gast.Name(id=name)], value=value) if isinstance(
                    value, FRESH
                ):
                    made.add(name)
                case gast.Assign() | gast.For():
                    others |= syntax.stores(getattr(node, "targets", None) or node.target)
        return made - others

    def all_plain(self, body: Sequence[Any]) -> bool:
        """Whether no call in some statements does anything else."""
        return all(self.is_plain(n) for n in syntax.nodes(body) if isinstance(n, gast.Call))

    def is_plain(self, call: gast.Call) -> bool:
        """Whether a call does nothing but to give a value."""
        if any(k.arg in ("out", None) for k in call.keywords):
            return False
        if self._purity.pure_call(call):
            return True
        meant = self._purity.meaning(call.func)
        if type(meant) is not FunctionType or self._read is None or self._depth >= DEEP:
            return False
        try:
            found = self._read(meant)
        except DerivativeError:
            return False
        return not Effects(found, self._read, self._depth + 1).writes()


def guarded(tree: Any, inside: bool = False) -> Iterator[gast.Call]:
    """The calls that are only made if something holds, or for several values.

    >>> def show(text):
    ...     print(*(syntax.unparse(call) for call in guarded(syntax.parse(text)[0])))
    >>> show("y = f(x) + (g(x) if h(x) else 0.0)"), show("y = f(x) and g(x) < h(x) < k(x)")
    g(x)
    g(x) h(x) k(x)
    (None, None)
    """
    if inside and isinstance(tree, gast.Call):
        yield tree
    first: Any = None
    match tree:
        case gast.IfExp(test=first):
            pass
        case gast.BoolOp(values=[first, *_]):
            pass
        case gast.Compare(left=left, comparators=[second, *others]):
            for part in (left, second, *others):
                yield from guarded(part, inside or part in others)
            return
    asks = first is not None or isinstance(tree, tuple(SCOPES))
    for child in syntax.children(tree):
        yield from guarded(child, inside or (asks and child is not first))
