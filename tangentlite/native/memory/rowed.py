"""Arrays as the rows of one: names of arrays become names of numbers.

In: the names, the statements that make the arrays, the lengths of all of them.
Out: statements.
Next: traded.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Mapping
from itertools import takewhile
from typing import Any

from tangentlite.native.facts.names import stores
from tangentlite.native.memory.shelves import used
from tangentlite.parsing import parsed

Body = list[ast.stmt]
ROWS = "_rows_"


class Rowed:
    """``origins``: the names that get an array, and where it is made, of zeros or not; None for parameters.

    ``shelves``: the lists of tuples that hold such arrays.
    """

    def __init__(
        self,
        origins: Mapping[str, tuple[ast.stmt, bool] | None],
        members: set[str],
        shape: tuple[str, ...],
        shelves: Container[str],
    ) -> None:
        self._origins, self._members, self._shape = origins, members, shape
        self._numbers = {name: k for k, name in enumerate(origins)}
        self._name = rows_of(origins)
        self._put = _Put(members, self._name, shape, shelves)

    def body(self, tree: ast.FunctionDef, outside: set[str]) -> Body:
        """The statements of a function; those stay that bind names from ``outside``."""
        aliases = list(takewhile(lambda s: not outside.isdisjoint(stores([s])), tree.body))
        size = f"({len(self._origins)}, {', '.join(self._shape)})"
        done = [*aliases, *parsed(f"{self._name} = np.empty({size})").body]
        for name, origin in self._origins.items():
            done += self._begun(name, f"{name}[{self._place}]") if origin is None else []
        for statement in tree.body[len(aliases) :]:
            same = not outside.isdisjoint(stores([statement]))
            done += [statement] if same else self._statement(statement)
        return done

    @property
    def _place(self) -> str:
        return ", ".join(f"_{k}" for k in range(len(self._shape)))

    def _begun(self, name: str, value: str) -> Body:
        """A name has a row, which begins with what a parameter holds, with zeros, or with nothing."""
        number = self._numbers[name]
        row = self._loops(f"{self._name}[{number}, {self._place}] = {value}") if value else ""
        return list(parsed(f"{name}_at = {number}\n{row}").body)

    def _loops(self, line: str) -> str:
        for k in reversed(range(len(self._shape))):
            line = f"for _{k} in range({self._shape[k]}):\n    " + line.replace("\n", "\n    ")
        return line

    def _statement(self, statement: ast.stmt) -> Body:
        for name, origin in self._origins.items():
            if origin is not None and origin[0] is statement:
                return self._begun(name, "0.0" if origin[1] else "")
        if isinstance(statement, ast.Return):
            return [*self._given(statement), statement]
        return [self._put.visit(statement)]

    def _given(self, last: ast.Return) -> Body:
        """What is given back is an array of its own."""
        lines = []
        for name in sorted({n.id for n in ast.walk(last) if isinstance(n, ast.Name)}):
            if name in self._members:
                row = f"{name}[{self._place}] = {self._name}[{name}_at, {self._place}]"
                lines += [f"{name} = np.empty(({', '.join(self._shape)},))", self._loops(row)]
        return list(parsed("\n".join(lines)).body)


def rows_of(origins: Iterable[str]) -> str:
    """The name of the array whose rows are arrays."""
    return f"{ROWS}{min(origins)}"


class _Put(ast.NodeTransformer):
    def __init__(
        self, members: set[str], rows: str, shape: tuple[str, ...], shelves: Container[str]
    ) -> None:
        self._members, self._rows, self._shape = members, rows, shape
        self._shelves = shelves

    def _is(self, node: Any) -> bool:
        return isinstance(node, ast.Name) and node.id in self._members

    def visit_Assign(self, node: ast.Assign) -> Any:
        """What binds a name to a name, or takes it off a list, binds a number."""
        if self._is(node.value) and self._is(node.targets[0]):
            text = f"{ast.unparse(node.targets[0])}_at = {ast.unparse(node.value)}_at"
            return self._parsed(text, "exec")[0]
        self._numbered(node)
        return self._visited(node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        """So does what is put on a list."""
        self._numbered(node)
        return self._visited(node)

    def _numbered(self, statement: ast.stmt) -> None:
        for shelf, parts in used(statement):
            if shelf in self._shelves:
                for part in parts:
                    if isinstance(part, ast.Name) and self._is(part):
                        part.id = f"{part.id}_at"

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """``p.shape``."""
        if self._is(node.value) and node.attr == "shape":
            return self._parsed(f"({', '.join(self._shape)},)")
        return self._visited(node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """``rows[p_at, i]`` for ``p[i]``; lengths are known."""
        match node:
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=name), attr="shape"),
                slice=ast.Constant(value=int(axis)),
            ) if name in self._members:
                return self._parsed(self._shape[axis])
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self._members:
                parts = index.elts if isinstance(index, ast.Tuple) else [index]
                found = [ast.Name(f"{name}_at", ast.Load()), *map(self.visit, parts)]
                whole = ast.Name(self._rows, ast.Load())
                return ast.Subscript(whole, ast.Tuple(found, ast.Load()), node.ctx)
        return self._visited(node)

    def visit_Call(self, node: ast.Call) -> Any:
        """``len(p)``."""
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if (
                name in self._members
            ):
                return self._parsed(self._shape[0])
        return self._visited(node)

    def visit_Name(self, node: ast.Name) -> Any:
        """An array as a whole is a row."""
        return self._parsed(f"{self._rows}[{node.id}_at]") if self._is(node) else node

    def _visited(self, node: Any) -> Any:
        return self.generic_visit(node)

    def _parsed(self, text: str, mode: str = "eval") -> Any:
        return parsed(text, mode).body
