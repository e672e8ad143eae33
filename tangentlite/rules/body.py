"""The lines of a rule: slots named, variadic parameters unrolled.

In: a ``Source`` and the number of arguments its ``*xs`` stands for.
Out: ``Line`` values, in order.
Next: calculus.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import gast

from tangentlite import syntax
from tangentlite.rules.model import Line, Role, Source, slot

FORMS = "d[y] = …, b[x] += …, b[x] -= …, name = …, for k in positions(xs): …"


@cache
def lines(source: Source, count: int = 0) -> tuple[Line, ...]:
    """All lines of ``source``, with ``count`` arguments for its variadic parameter."""
    variadic = next((p.name for p in source.params if p.variadic), None)
    namer = _Namer(source, variadic, count)
    found: list[Line] = []
    for statement in source.tree.body:
        for single in _unroll(source, statement, variadic, count):
            found.extend(_line(source, namer, single))
    return tuple(found)


def _unroll(
    source: Source, statement: ast.stmt, variadic: str | None, count: int
) -> Iterator[gast.stmt]:
    match statement:
        case ast.For(
            target=ast.Name(id=position),
            iter=ast.Call(func=ast.Name(id="positions"), args=[ast.Name(id=over)]),
        ):
            if over != variadic:
                raise source.error(f"`{over}` is no variadic parameter", statement.iter)
            for k in range(count):
                for inner in statement.body:
                    tree = gast.ast_to_gast(inner)
                    yield syntax.substitute(tree, {position: syntax.constant(k)})
        case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
            return
        case ast.Assign() | ast.AugAssign():
            yield gast.ast_to_gast(statement)
        case _:
            raise source.error(
                "a line has none of the forms of a rule", statement, f"Write {FORMS}"
            )


def _line(source: Source, namer: _Namer, statement: gast.stmt) -> Iterator[Line]:
    match statement:
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)) if len(
            targets
        ) == len(values):  # names of several values: a line for each
            for target, value in zip(targets, values):
                single = gast.Assign([target], value, None)
                yield from _line(source, namer, gast.copy_location(single, statement))
        case gast.Assign(targets=[gast.Name(id=name)], value=value):
            role: Role = "result" if name in source.results else "local"
            yield Line(role, (name,), namer.visit(value), statement)
        case gast.Assign(targets=[gast.Tuple(elts=elements)], value=value) if all(
            isinstance(e, gast.Name) for e in elements
        ):
            names = tuple(e.id for e in elements)
            role = "result" if set(names) & set(source.results) else "local"
            yield Line(role, names, namer.visit(value), statement)
        case gast.Assign(targets=[gast.Subscript() as target], value=value):
            yield _slot_line(source, namer, statement, target, value, None)
        case gast.AugAssign(target=gast.Subscript() as target, op=op, value=value):
            yield _slot_line(source, namer, statement, target, value, op)
        case _:
            raise source.error(
                "a line has none of the forms of a rule", statement, f"Write {FORMS}"
            )


def _slot_line(
    source: Source,
    namer: _Namer,
    statement: gast.stmt,
    target: gast.Subscript,
    value: gast.expr,
    op: gast.operator | None,
) -> Line:
    index = None
    if isinstance(target.value, gast.Subscript):
        target, index = target.value, namer.visit(target.slice)
    letter, name = namer.slot(target)
    if source.flipped:
        letter = "b"
    elif letter == "d" and op is not None and not isinstance(op, gast.Add):
        raise source.error("a tangent is defined: write `d[·] = …`", statement)
    elif letter == "d" and index is not None:
        raise source.error("a tangent is defined whole: write `d[·] = …`", statement)
    elif letter == "b" and not isinstance(op, gast.Add | gast.Sub):
        raise source.error("adjoints accumulate: write `b[·] += …` or `b[·] -= …`", statement)
    sign = -1 if isinstance(op, gast.Sub) else 1
    role: Role = "tangent" if letter == "d" else "adjoint"
    return Line(role, (name,), namer.visit(value), statement, sign, index)


class _Namer(gast.NodeTransformer):  # type: ignore[misc]
    """Turn ``d[x]`` and ``xs[0]`` into names, and ``xs`` into what it stands for."""

    def __init__(self, source: Source, variadic: str | None, count: int) -> None:
        self.source, self.variadic, self.count = source, variadic, count
        self.known = {p.name for p in source.params} | set(source.results)

    def slot(self, node: gast.Subscript) -> tuple[str, str]:
        """The letter and the variable of ``d[x]`` or ``b[x]``."""
        match node:
            case gast.Subscript(value=gast.Name(id="d" | "b" as letter), slice=inner):
                found = self.visit(syntax.copy(inner))
                if isinstance(found, gast.Name):
                    if found.id.split("[")[0] in self.known:
                        return letter, found.id
                    raise self.source.error(f"`{found.id}` is no parameter or result", inner)
        raise self.source.error("only `d[name]` and `b[name]` can be assigned", node)

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        """``d[x]`` and ``xs[0]`` become names."""
        match node:
            case gast.Subscript(value=gast.Name(id="d" | "b")):
                letter, name = self.slot(node)
                letter = "b" if self.source.flipped else letter
                return syntax.at(syntax.name(slot(letter, name)), node)
            case gast.Subscript(value=gast.Name(id=name)) if name == self.variadic:
                return self._selected(node)
        visited: gast.expr = self.generic_visit(node)
        return visited

    def visit_Name(self, node: gast.Name) -> gast.expr:
        """``xs`` becomes the tuple of its arguments."""
        if node.id != self.variadic:
            return node
        return gast.Tuple([self._item(k) for k in range(self.count)], gast.Load())

    def visit_Call(self, node: gast.Call) -> gast.expr:
        """``f(*xs[:1])`` becomes ``f(xs[0])``."""
        self.generic_visit(node)
        arguments: list[gast.expr] = []
        for argument in node.args:
            match argument:
                case gast.Starred(value=gast.Tuple(elts=elements)):
                    arguments.extend(elements)
                case _:
                    arguments.append(argument)
        node.args = arguments
        return node

    def _item(self, k: int) -> gast.Name:
        return syntax.name(f"{self.variadic}[{k}]")

    def _selected(self, node: gast.Subscript) -> gast.expr:
        try:
            code = compile(syntax.unparse(node), "<rule>", "eval")
            chosen = eval(
                code, {"__builtins__": {}}, {str(self.variadic): tuple(range(self.count))}
            )
        except (NameError, IndexError, TypeError) as problem:
            raise self.source.error(f"cannot unroll: {problem}", node) from None
        if isinstance(chosen, tuple):
            return gast.Tuple([self._item(k) for k in chosen], gast.Load())
        return syntax.at(self._item(chosen), node)
