"""``a | b`` of dicts, and ``s |= e`` of dicts and sets, said by methods; ``s += e`` of a list adds a list.

In: a normal form, and the statements ``t = a | b`` whose operands are dicts or sets, or ``t = s + e``.
Out: a normal form in which a dict is copied and updated, and what is augmented is changed itself.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite import runtime, syntax
from tangentlite.lowering.arrays.augmented import augmented
from tangentlite.lowering.context import Normal
from tangentlite.lowering.rewriting import Lines, Rewriting

METHODS = {
    gast.BitOr: "update",
    gast.BitAnd: "intersection_update",
    gast.Sub: "difference_update",
    gast.BitXor: "symmetric_difference_update",
}

ROW = "if isinstance(s, list):\n    u = list(e)\n    t = s + u\nelse:\n    t = rt.joined(s, e)"


def merged(normal: Normal, joins: Mapping[gast.stmt, str]) -> Normal:
    """``joins``: statements ``t = a | b``, and whether a is a "dict", a "set" or a "row"."""
    return _Merging(normal, joins).run() if joins else normal


class _Merging(Rewriting):
    def __init__(self, normal: Normal, joins: Mapping[gast.stmt, str]) -> None:
        super().__init__(normal)
        self.joins, self.ends = joins, augmented(normal)

    def block(self, body: Lines) -> Lines:
        result: Lines = []
        rest = iter(body)
        for statement in rest:
            if self.joins.get(statement) == "row":
                result += self._listed(statement)
                continue
            if statement in self.joins:
                after = body[body.index(statement) + 1 :]
                if self._ends(statement, after):
                    end = next(rest)
                    result += self._changed(statement, end)
                else:
                    result += self._copied(statement)
                continue
            result.append(self.inside(statement))
        return result

    def _ends(self, statement: gast.stmt, after: Lines) -> bool:
        """Whether ``s = t`` follows ``t = s | e``, which together stand for ``s |= e``."""
        left = statement.value.left
        return bool(after) and isinstance(left, gast.Name) and self.ends.get(after[0]) == left.id

    def _changed(self, statement: gast.stmt, end: gast.stmt) -> Lines:
        method = METHODS[type(statement.value.op)]
        holes = {"s": statement.value.left, "e": statement.value.right}
        return self.placed(syntax.quote(f"s.{method}(e)", **holes), end)

    def _listed(self, statement: gast.stmt) -> Lines:
        """``t = s + e`` with the list of what is in e, if s is a list."""
        wanted = {"list": list, "isinstance": isinstance, "rt": runtime}
        holes = {"s": statement.value.left, "e": statement.value.right}
        holes |= {"t": statement.targets[0].id, "u": self.names.numbered("t")}
        for wish, value in wanted.items():
            holes[wish] = self.name(value, wish)
        return self.placed(syntax.quote(ROW, **holes), statement)

    def _copied(self, statement: gast.stmt) -> Lines:
        if self.joins[statement] == "set":
            return [statement]
        make = self.name(dict, "dict")
        left, right = statement.value.left, statement.value.right
        own = left.id in self.normal.function.bound
        text = "t = make(a)\nt.update(b)" if own else "t = {}\nt.update(a)\nt.update(b)"
        holes = {"a": left, "b": right, "make": make}
        made = syntax.quote(text, t=statement.targets[0].id, **holes)
        return self.placed(made, statement)
