"""Arrays that live outside of all functions: one function must not overwrite what another one's derivative reads.

In: the facts of the functions that are compiled together.
Out: AliasError at the statement that overwrites.
Next: pipeline.
"""

from __future__ import annotations

import ast
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.storage.keeping import containers, values
from tangentlite.errors import AliasError
from tangentlite.ir import Function

OVERWRITTEN = "this overwrites an array outside the function that the derivative of `{}` reads"
ASIDE = "Pass it as an argument, or write into a copy of it."


class Outside:
    """What functions read and write that live side by side."""

    def __init__(self) -> None:
        self.reads: dict[int, tuple[Any, Function]] = {}
        self.writes: dict[int, tuple[Any, Function, gast.stmt]] = {}
        self.looked_at: set[int] = set()

    def see(self, facts: Facts) -> None:
        """Take in a function; what it reads and writes itself is known to its own sweeps."""
        function = facts.normal.function
        self.looked_at |= containers(function, _looked_at(facts))
        arrays = _arrays(function, function.read)
        for statement in facts.aliases.outside:
            names = facts.writes(statement)
            found = _arrays(function, names) or arrays
            for array in found:
                self.writes.setdefault(id(array), (array, function, statement))
        for array in arrays:
            self.reads.setdefault(id(array), (array, function))
            self._compare(id(array), function)
        for key in self.writes:
            if key in self.reads:
                self._compare(key, self.reads[key][1])

    def _compare(self, key: int, reader: Function) -> None:
        _, writer, statement = self.writes.get(key, (None, reader, None))
        if statement is not None and _where(writer) != _where(reader):
            place = writer.origin.place(statement)
            raise AliasError(OVERWRITTEN.format(reader.name), place, ASIDE)


def _where(function: Function) -> tuple[str, int, str]:
    """What tells a function from any other one."""
    return function.origin.file, function.origin.line, function.name


def _arrays(function: Function, names: Any) -> list[Any]:
    """The arrays that free names mean, and those in the containers and objects that they mean."""
    return [value for value in values(function, names) if type(value) is np.ndarray]


def _looked_at(facts: Facts) -> set[str]:
    """The names that are read where nothing outside is written."""
    if not facts.aliases.outside:
        return set(facts.normal.function.read)
    found: set[str] = set()
    for statement in syntax.statements(facts.normal.function.body):
        if syntax.blocks(statement):
            heads = (getattr(statement, field, None) for field in ("test", "iter", "items"))
            found |= syntax.loads([h for h in heads if isinstance(h, ast.AST)])
        elif statement not in facts.aliases.outside:
            found |= syntax.loads(statement)
    return found
