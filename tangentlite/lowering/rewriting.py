"""Normal forms in which other statements stand for some.

In: a normal form.
Out: ``Rewriting``, for those that write statements with names of their own; ``within`` for the others.
Next: augmented, casts, folds, merging, missing, persistent, roots.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CellType

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Normal, name_of
from tangentlite.values import replace

Lines = list[gast.stmt]
Sources = dict[gast.stmt, gast.stmt]


class Rewriting:
    """``block`` of a subclass says what stands for the statements of a block."""

    def __init__(self, normal: Normal) -> None:
        self.normal = normal
        self.names, self.sources = normal.names.copy(), dict(normal.sources)
        self.cells: dict[str, CellType] = {}

    def run(self) -> Normal:
        """The normal form with all that was written."""
        function = self.normal.function
        function = function.with_body(self.block(function.body))
        function = replace(function, namespace=function.namespace.extended(self.cells))
        return replace(self.normal, function=function, sources=self.sources, names=self.names)

    def block(self, body: Lines) -> Lines:
        """What stands for a block."""
        return [self.inside(statement) for statement in body]

    def inside(self, statement: gast.stmt) -> gast.stmt:
        """A statement with its blocks rewritten."""
        return within(statement, self.block, self.sources)

    def name(self, value: object, wish: str) -> str:
        """A name that means ``value``."""
        return name_of(value, wish, self.normal, self.names, self.cells)

    def placed(self, made: Lines, statement: gast.stmt) -> Lines:
        """New statements, in the place of one and from the same statement of the user."""
        for new in syntax.statements(made):
            self.sources[new] = self.sources[statement]
        for node in (n for new in made for n in syntax.walk(new)):
            syntax.at(node, statement)
        return made


def within(statement: gast.stmt, change: Callable[[Lines], Lines], sources: Sources) -> gast.stmt:
    """The statement with its blocks changed; itself if all stay as they are."""
    for field in ("body", "orelse"):
        inner = getattr(statement, field, None)
        if isinstance(inner, list) and inner:
            new = change(inner)
            if any(a is not b for a, b in zip(new, inner)) or len(new) != len(inner):
                statement = with_block(statement, field, new, sources)
    return statement


def with_block(statement: gast.stmt, field: str, block: Lines, sources: Sources) -> gast.stmt:
    """The statement with another block."""
    new = statement.__class__.__new__(statement.__class__)
    new.__dict__.update(statement.__dict__)
    new.__dict__[field] = block
    sources[new] = sources[statement]
    return new
