"""A check before stores whose value NumPy might refuse.

In: a normal form, and its doubtful stores.
Out: a normal form in which ``rt.fits``, ``rt.takes``, ``rt.disjoint`` or ``rt.in_step`` stands before each.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import gast

from tangentlite import runtime, syntax
from tangentlite.lowering.context import Normal
from tangentlite.lowering.rewriting import Lines, Rewriting

Check = tuple[
    str, gast.expr, list[gast.expr]
]  # its name, what reads the old elements, what else it is given
Checks = Mapping[gast.stmt, Sequence[Check]]


def checked(normal: Normal, stores: Checks) -> Normal:
    """``k[...] = t`` becomes ``rt.fits(k, t); k[...] = t``.

    ``k[1] = t`` becomes ``old = k[1]; rt.takes(old, t); k[1] = t``.
    """
    return _Checked(normal, stores).run()


class _Checked(Rewriting):
    def __init__(self, normal: Normal, stores: Checks) -> None:
        super().__init__(normal)
        self.stores, self.rt = stores, self.name(runtime, "rt")

    def block(self, body: Lines) -> Lines:
        result: Lines = []
        for statement in body:
            for check in self.stores.get(statement, ()):
                result += self.placed(self._asked(*check), statement)
            result.append(self.inside(statement))
        return result

    def _asked(self, check: str, old: gast.expr, values: list[gast.expr]) -> Lines:
        text, holes = f"rt.{check}(s)", {"s": old}
        if isinstance(old, gast.Subscript):
            text, holes = f"t = s\nrt.{check}(t)", {"s": old, "t": self.names.fresh("old")}
        lines = syntax.quote(text, rt=self.rt, **holes)
        lines[-1].value.args += [syntax.copy(value) for value in values]
        return lines
