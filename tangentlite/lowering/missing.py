"""What is taken from a dict that is known to lack the key raises, and nothing after it is reached.

In: a normal form, and the statements that ask a dict for a key that it lacks, or that cannot be done in another way.
Out: a normal form in which they raise KeyError; one that does not go on behind the others.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import CellType

import gast

from tangentlite import syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lowering.augmented import with_block
from tangentlite.lowering.context import Normal, name_of
from tangentlite.values import replace

UNFORESEEN = "no derivative is written behind `{}`: report this program"


def raising(normal: Normal, lacking: Mapping[gast.stmt, str]) -> Normal:
    """``y = d["k"]`` in a branch becomes ``raise KeyError("k")``."""
    return _Raising(normal, lacking).whole()


def ending(normal: Normal, ends: Mapping[gast.stmt, str]) -> Normal:
    """A form in which ``y = xs[0]``, where nothing is in xs, is followed by a ``raise``: nothing goes on from there."""
    return _Ending(normal, ends).whole()


class _Raising:
    def __init__(
        self, normal: Normal, lacking: Mapping[gast.stmt, str], error: type[Exception] = KeyError
    ) -> None:
        self.normal, self.lacking = normal, lacking
        self.names, self.cells = normal.names.copy(), dict[str, CellType]()
        self.sources = dict(normal.sources)
        self.error = name_of(error, error.__name__, normal, self.names, self.cells)

    def whole(self) -> Normal:
        function = self.normal.function
        body = self.block(function.body)
        function = replace(function, namespace=function.namespace.extended(self.cells))
        return replace(
            self.normal, function=function.with_body(body), sources=self.sources, names=self.names
        )

    def inside(self, statement: gast.stmt) -> gast.stmt:
        """A statement whose blocks end where they raise."""
        for name in ("body", "orelse"):
            inner = getattr(statement, name, None)
            if isinstance(inner, list) and inner:
                new = self.block(inner)
                if len(new) != len(inner) or any(a is not b for a, b in zip(new, inner)):
                    statement = with_block(statement, name, new, self.sources)
        return statement

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for statement in body:
            if statement in self.lacking:
                return [*result, self.raised(statement, self.lacking[statement])]
            result.append(self.inside(statement))
        return result

    def raised(self, statement: gast.stmt, text: str) -> gast.stmt:
        """``raise error(text)`` in the place of a statement."""
        key = syntax.constant(text)
        made = syntax.quote("raise error(key)", error=self.error, key=key)[0]
        for part in syntax.walk(made):
            syntax.at(part, statement)
        self.sources[made] = self.sources[statement]
        return made


class _Ending(_Raising):
    def __init__(self, normal: Normal, ends: Mapping[gast.stmt, str]) -> None:
        super().__init__(normal, ends, UnsupportedSyntaxError)

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for statement in body:
            result.append(self.inside(statement))
            if statement in self.lacking:
                result.append(self.raised(statement, UNFORESEEN.format(self.lacking[statement])))
        return result
