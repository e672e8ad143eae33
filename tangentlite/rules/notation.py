"""The words that rules are written in: ``d``, ``b``, and one decorator per kind of algebra.

In: primals (``@linear(np.sum, in_=("x",))``) and a function that is read, never called.
Out: declarations, handed to whoever listens: the loader for templates, the registry for user rules.
Next: model.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

from tangentlite.values import field, mutable

Algebra = Literal["elementwise", "linear", "rule", "inactive"]
Form = Literal["both", "adjoint", "tangent"]
Primal = TypeVar("Primal")
RuleFunction = Callable[..., Any]


class Slot:
    """``d[x]`` is the tangent of x and ``b[x]`` its adjoint; both have a meaning in rules only."""

    __slots__ = ("letter",)

    def __init__(self, letter: str) -> None:
        self.letter = letter

    def __getitem__(self, key: object) -> Any:
        raise TypeError(f"{self.letter}[…] has a meaning in rules only")

    def __setitem__(self, key: object, value: object) -> None:
        raise TypeError(f"{self.letter}[…] has a meaning in rules only")

    def __repr__(self) -> str:
        return self.letter


d = Slot("d")
b = Slot("b")


def positions(xs: Sequence[object]) -> range:
    """The positions of a variadic parameter: ``for k in positions(xs)`` is unrolled."""
    return range(len(xs))


@mutable
class Declaration:
    """A rule as it was written: the function that holds its lines, and what the decorator said."""

    function: RuleFunction
    primals: tuple[object, ...]
    algebra: Algebra
    in_: tuple[str, ...] | None = None
    constant: tuple[str, ...] = ()
    domain: Any = None
    samples: Any = None
    pure: bool | None = None
    literal: tuple[str, ...] = ()
    form: Form = "both"
    base: Declaration | None = None
    guard: Callable[..., Any] | None = None
    place: tuple[str, int] | None = None
    variants: list[Declaration] = field(default_factory=list)

    def when(self, guard: Callable[..., Any]) -> Callable[[RuleFunction], Declaration]:
        """Declare a tidier special case, chosen when facts prove ``guard``."""

        def decorate(function: RuleFunction) -> Declaration:
            variant = Declaration(function, self.primals, self.algebra, self.in_, self.domain)
            variant.base, variant.guard, variant.pure = self, guard, self.pure
            variant.constant, variant.literal = self.constant, self.literal
            self.variants.append(variant)
            announce(variant)
            return variant

        return decorate


_listeners: list[Callable[[Declaration], None]] = []


def listen(listener: Callable[[Declaration], None]) -> None:
    """From now on declarations go to ``listener``, until ``unlisten``."""
    _listeners.append(listener)


def unlisten() -> None:
    """Give declarations to the previous listener again."""
    _listeners.pop()


def announce(declaration: Declaration) -> None:
    """Hand a declaration to the innermost listener: the registry, when no template file is being read."""
    _listeners[-1](declaration)


Decorator = Callable[[RuleFunction], Declaration]


def _declare(primals: tuple[object, ...], algebra: Algebra, **options: Any) -> Decorator:
    def decorate(function: RuleFunction) -> Declaration:
        declaration = Declaration(function, primals, algebra, **options)
        announce(declaration)
        return declaration

    return decorate


def elementwise(
    *primals: object,
    constant: tuple[str, ...] = (),
    domain: Any = None,
    samples: Any = None,
    pure: bool | None = None,
) -> Decorator:
    """Give the total differential only: the adjoint is its transpose.

    Options of all three: ``constant`` names the parameters in which the derivative is zero, known
    and intended; ``domain`` and ``samples`` say where tests try the rule; ``pure`` whether a call
    nobody reads may go.
    """
    options = {"constant": constant, "domain": domain, "samples": samples, "pure": pure}
    return _declare(primals, "elementwise", **options)


def linear(
    *primals: object,
    in_: tuple[str, ...] | None = None,
    constant: tuple[str, ...] = (),
    domain: Any = None,
    samples: Any = None,
    pure: bool | None = None,
) -> Decorator:
    """Give the adjoint only: the tangent is the primal applied to ``d[x]``."""
    options = {"constant": constant, "domain": domain, "samples": samples, "pure": pure}
    return _declare(primals, "linear", in_=in_, **options)


def rule(
    *primals: object,
    constant: tuple[str, ...] = (),
    domain: Any = None,
    samples: Any = None,
    pure: bool | None = None,
    literal: tuple[str, ...] = (),
) -> Decorator:
    """Give both modes, side by side.

    ``literal`` names the parameters that decide which variant is meant: they are written out in calls.
    """
    options = {"constant": constant, "domain": domain, "samples": samples, "pure": pure}
    options["literal"] = literal
    return _declare(primals, "rule", **options)


def inactive(first: Primal, *others: object, pure: bool | None = None) -> Primal:
    """Declare functions whose derivative is zero, known and intended; returns the first."""

    def nothing() -> None: ...

    declaration = Declaration(nothing, (first, *others), "inactive", pure=pure)
    caller = sys._getframe(1)
    declaration.place = (caller.f_code.co_filename, caller.f_lineno)
    announce(declaration)
    return first


def adjoint(primal: object) -> Decorator:
    """The paper's form, result first: ``def df(z, x, y): d[x] = y * d[z]``."""
    return _declare((primal,), "rule", form="adjoint")


def tangent(primal: object) -> Decorator:
    """The paper's form, result first: ``def tf(z, x, y): d[z] = y * d[x]``."""
    return _declare((primal,), "rule", form="tangent")
