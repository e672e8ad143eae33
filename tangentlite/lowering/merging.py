"""``a | b`` of dicts, and ``s |= e`` of dicts and sets, said by methods; ``s += e`` of a list adds a list.

In: a normal form, and the statements ``t = a | b`` whose operands are dicts or sets, or ``t = s + e``.
Out: a normal form in which a dict is copied and updated, and what is augmented is changed itself.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import CellType

import gast

from tangentlite import runtime, syntax
from tangentlite.lowering.augmented import augmented, within
from tangentlite.lowering.context import Normal, name_of
from tangentlite.values import replace

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


class _Merging:
    def __init__(self, normal: Normal, joins: Mapping[gast.stmt, str]) -> None:
        self.normal, self.joins, self.ends = normal, joins, augmented(normal)
        self.names, self.sources = normal.names.copy(), dict(normal.sources)
        self.cells: dict[str, CellType] = {}

    def run(self) -> Normal:
        function = self.normal.function
        function = function.with_body(self._block(function.body))
        function = replace(function, namespace=function.namespace.extended(self.cells))
        return replace(self.normal, function=function, sources=self.sources, names=self.names)

    def _block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
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
            statement = within(statement, self._block, self.sources)
            result.append(statement)
        return result

    def _ends(self, statement: gast.stmt, after: list[gast.stmt]) -> bool:
        """Whether ``s = t`` follows ``t = s | e``, which together stand for ``s |= e``."""
        left = statement.value.left
        return bool(after) and isinstance(left, gast.Name) and self.ends.get(after[0]) == left.id

    def _changed(self, statement: gast.stmt, end: gast.stmt) -> list[gast.stmt]:
        method = METHODS[type(statement.value.op)]
        holes = {"s": statement.value.left, "e": statement.value.right}
        return self._placed(syntax.quote(f"s.{method}(e)", **holes), end)

    def _listed(self, statement: gast.stmt) -> list[gast.stmt]:
        """``t = s + e`` with the list of what is in e, if s is a list."""
        wanted = {"list": list, "isinstance": isinstance, "rt": runtime}
        holes = {"s": statement.value.left, "e": statement.value.right}
        holes |= {"t": statement.targets[0].id, "u": self.names.numbered("t")}
        for wish, value in wanted.items():
            holes[wish] = name_of(value, wish, self.normal, self.names, self.cells)
        return self._placed(syntax.quote(ROW, **holes), statement)

    def _copied(self, statement: gast.stmt) -> list[gast.stmt]:
        if self.joins[statement] == "set":
            return [statement]
        make = name_of(dict, "dict", self.normal, self.names, self.cells)
        left, right = statement.value.left, statement.value.right
        own = left.id in self.normal.function.bound
        text = "t = make(a)\nt.update(b)" if own else "t = {}\nt.update(a)\nt.update(b)"
        holes = {"a": left, "b": right, "make": make}
        made = syntax.quote(text, t=statement.targets[0].id, **holes)
        return self._placed(made, statement)

    def _placed(self, made: list[gast.stmt], statement: gast.stmt) -> list[gast.stmt]:
        for new in syntax.statements(made):
            self.sources[new] = self.sources[statement]
        for node in (n for new in made for n in syntax.walk(new)):
            syntax.at(node, statement)
        return made
