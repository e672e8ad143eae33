"""What an exported file is made of: definitions, each with what its free names stand for, and imports.

In: nothing.
Out: ``Piece``, ``Import``.
Next: inlined, gathering.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping
from functools import cached_property

from tangentlite.exporting import occurrences
from tangentlite.exporting.occurrences import Occurrence
from tangentlite.parsing import parsed
from tangentlite.values import field, immutable

Key = Hashable
CONSTANTS, GENERATED, OWN, RUNTIME = range(4)


@immutable(eq=False)
class Import:
    """``import module``, or a name that is imported from it."""

    module: str
    attribute: str | None = None

    def text(self, name: str) -> str:
        """The statement that binds it to a name.

        >>> Import("numpy").text("np"), Import("math", "sin").text("sin"), Import("os.path").text("path")
        ('import numpy as np', 'from math import sin', 'from os import path')
        """
        parent, _, last = self.module.rpartition(".")
        if self.attribute is None and parent and name == last:
            return f"from {parent} import {last}"
        if self.attribute is None:
            return f"import {self.module}" + (f" as {name}" if name != self.module else "")
        renamed = f" as {name}" if name != self.attribute else ""
        return f"from {self.module} import {self.attribute}{renamed}"


@immutable(eq=False)
class Piece:
    """One definition: its text, the name that this defines, and the keys of what its free names stand for."""

    section: int
    name: str
    text: str
    means: Mapping[str, Key] = field(default_factory=dict)
    order: tuple[int, int] = (0, 0)

    @cached_property
    def tree(self) -> ast.stmt:
        """The definition."""
        statement: ast.stmt = parsed(self.text).body[0]
        return statement

    @cached_property
    def free(self) -> list[Occurrence]:
        """Where names stand that it does not bind."""
        mine = {self.name} if isinstance(self.tree, ast.Assign | ast.AnnAssign) else set()
        return [o for o in occurrences.free(self.tree) if o.node.id not in mine]

    @cached_property
    def bound(self) -> set[str]:
        """All names that are bound somewhere inside it."""
        if isinstance(self.tree, ast.Assign | ast.AnnAssign):
            return occurrences.everywhere(self.tree) - {self.name}
        return occurrences.everywhere(self.tree)

    def wanted(self, early: bool = False) -> list[Key]:
        """The keys of what it needs, in the order of the text; ``early``: when the definition is run."""
        found = [o.node.id for o in self.free if not o.said and (o.early or not early)]
        return [self.means[n] for n in dict.fromkeys(found) if n in self.means]
