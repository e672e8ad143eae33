"""What is taken from a dict or a module that is known to lack it raises, and nothing after it is reached.

In: a normal form, and the statements that ask a dict for a key that it lacks, or that cannot be done in another way.
Out: a normal form in which they raise KeyError or AttributeError; one that does not go on behind the others.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite import syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.frontend import lacking
from tangentlite.lowering.context import Normal
from tangentlite.lowering.rewriting import Lines, Rewriting

UNFORESEEN = "no derivative is written behind `{}`: report this program"


def raising(normal: Normal, keys: Mapping[gast.stmt, str]) -> Normal:
    """``y = d["k"]`` in a branch becomes ``raise KeyError("k")``."""
    return _Raising(normal, keys).run()


def of_modules(normal: Normal) -> Normal:
    """``y = np.sinn(x)`` becomes ``raise AttributeError(...)`` where that was a part of a statement."""
    function = normal.function
    said = {syntax.dotted(node): lacking.error(function, node) for node in function.lacking}
    found: dict[gast.stmt, str] = {}
    for statement in syntax.statements(function.body):
        if isinstance(statement, (gast.Assign, gast.Expr)):
            paths = map(syntax.dotted, syntax.walk(statement.value))
            absent = [said[path] for path in paths if path in said]
            found |= {statement: absent[0]} if absent else {}
    return _Raising(normal, found, AttributeError).run()


def ending(normal: Normal, ends: Mapping[gast.stmt, str]) -> Normal:
    """A form in which ``y = xs[0]``, where nothing is in xs, is followed by a ``raise``: nothing goes on from there."""
    return _Ending(normal, ends).run()


class _Raising(Rewriting):
    def __init__(
        self, normal: Normal, said: Mapping[gast.stmt, str], error: type[Exception] = KeyError
    ) -> None:
        super().__init__(normal)
        self.said = said
        self.error = self.name(error, error.__name__)

    def block(self, body: Lines) -> Lines:
        result: Lines = []
        for statement in body:
            if statement in self.said:
                return [*result, *self.raised(statement, self.said[statement])]
            result.append(self.inside(statement))
        return result

    def raised(self, statement: gast.stmt, text: str) -> Lines:
        """``raise error(text)`` in the place of a statement."""
        key = syntax.constant(text)
        made = syntax.quote("raise error(key)", error=self.error, key=key)
        return self.placed(made, statement)


class _Ending(_Raising):
    def __init__(self, normal: Normal, ends: Mapping[gast.stmt, str]) -> None:
        super().__init__(normal, ends, UnsupportedSyntaxError)

    def block(self, body: Lines) -> Lines:
        result: Lines = []
        for statement in body:
            result.append(self.inside(statement))
            if statement in self.said:
                result += self.raised(statement, UNFORESEEN.format(self.said[statement]))
        return result
