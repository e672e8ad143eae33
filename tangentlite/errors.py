"""Every error of the compiler: one root, each with file, line, caret and the next step.

In: a message, a place in the user's source, a hint.
Out: an exception whose text points at the character.
Next: naming, syntax, ir.
"""

from __future__ import annotations

import sys

from tangentlite.values import immutable

# Python's own words for a name that is read before it has a value
UNBOUND = (
    "local variable '{}' referenced before assignment"
    if sys.version_info < (3, 11)
    else "cannot access local variable '{}' where it is not associated with a value"
)


@immutable
class Place:
    """A character in a source file: ``line`` counts from 1, ``column`` from 0."""

    file: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        caret = " " * (self.column + 4) + "^"
        return f'  File "{self.file}", line {self.line}\n    {self.text.rstrip()}\n{caret}'


class DerivativeError(Exception):
    """Root of all errors that tangentlite raises about the code it is given.

    ``of_kinds``: arguments of other kinds (lists, say, instead of numbers) might not raise it.
    """

    of_kinds = False

    def __init__(self, message: str, place: Place | None = None, hint: str = "") -> None:
        self.message, self.place, self.hint = message, place, hint
        parts = [message, str(place) if place else "", hint]
        super().__init__("\n".join(part for part in parts if part))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.place, self.hint)


class UnsupportedSyntaxError(DerivativeError):
    """A construct whose derivative the compiler does not write."""


class MissingRuleError(DerivativeError):
    """A callee with neither a rule nor a Python source."""


class RuleError(DerivativeError):
    """A rule that contradicts its primal or the notation."""


class SourceUnavailableError(DerivativeError):
    """A function whose source text cannot be found."""


class AliasError(DerivativeError):
    """A write through one name to memory that another name holds."""


class OverlapError(AliasError):
    """Arguments that share memory, of which one is written."""


class GradientMismatchError(DerivativeError):
    """A derivative that differs from finite differences; ``report`` is the whole of what was compared."""

    report: object = None

    def __reduce__(self) -> tuple[object, ...]:
        return *super().__reduce__(), {"report": self.report}

    """A derivative that differs from finite differences."""


class ExportError(DerivativeError):
    """A derivative that cannot be written into a file of its own."""
