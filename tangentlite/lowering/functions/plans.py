"""What is known of the functions inside a function.

In: nothing.
Out: ``Nested``, ``Plan`` and ``Scope``.
Next: handed, captures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tangentlite.values import field, immutable, mutable

HOLE = ""  # in the place of what only another function captures


@mutable
class Nested:
    """A function inside the function at hand.

    ``fixed``: its name means nothing else, so that calls can be of it directly. ``captured``: the variables that it
    needs from around it, in order; ``mentioned``: the fixed functions that it names; ``makes``: functions may be made
    in it that live longer than its call.
    """

    node: Any
    name: str
    fixed: bool
    captured: tuple[str, ...] = ()
    mentioned: set[str] = field(default_factory=set)
    makes: bool = False


@mutable
class Plan:
    """``nested`` by node; ``fixed`` by name; ``cells``: the captured variables that are bound again while a closure
    lives; ``loose``: per node of a use, variables that must not be bound again while the closure lives; ``given``: what
    calls of fixed functions hand back."""

    nested: dict[Any, Nested]
    fixed: dict[str, Nested]
    cells: set[str]
    loose: dict[Any, set[str]]
    given: dict[str, tuple[str, ...]] = field(default_factory=dict)


@immutable(eq=False)
class Scope:
    """What names mean at one place: ``fixed`` functions, variables in ``cells``, captured ones by their parameters
    (``names``; ``passed``: as calls hand them on). ``inner``: the place is inside a nested function."""

    fixed: Mapping[str, Nested]
    cells: Mapping[str, str]
    names: Mapping[str, str]
    passed: Mapping[str, str]
    inner: bool = False

    def without(self, names: set[str]) -> Scope:
        """The scope of a function or a comprehension that binds some names itself."""
        fixed = {k: v for k, v in self.fixed.items() if k not in names}
        cells = {k: v for k, v in self.cells.items() if k not in names}
        named = {k: v for k, v in self.names.items() if k not in names}
        return Scope(fixed, cells, named, self.passed, self.inner)
