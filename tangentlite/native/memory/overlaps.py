"""Overlaps: what a statement on arrays writes over is read before. NumPy looks for that, Numba does not.

In: the text of a kernel with its loops, what is known of its names.
Out: the same, with copies of what would be read too late.
Next: workshop.
"""

from __future__ import annotations

import ast

from tangentlite.native.facts.names import bound, loads, statements
from tangentlite.native.facts.ranks import Names

SCALARS = (ast.Name, ast.BinOp, ast.UnaryOp)


def unlapped(tree: ast.FunctionDef, names: Names) -> None:
    """Parts of memory that is written are copied, where no loop over elements has taken the statement apart.

    >>> from tangentlite.native.facts.known import Known
    >>> text = "m[:, j] += m[1]\\nm[1:] = m[:-1] * 2\\nm[0] -= v\\nfor i in range(9):\\n    m[i, 0] = m[0, i]"
    >>> tree = ast.parse(text)
    >>> given = {"m": Known(2), "v": Known(1)}
    >>> unlapped(tree, Names(tree.body, given, True, lambda node: None, lambda *use: Known()))
    >>> print(ast.unparse(tree))
    m[:, j] += m[1].copy()
    m[1:] = m[:-1] * 2
    m[0] -= v
    for i in range(9):
        m[i, 0] = m[0, i]
    """
    found = list(statements(tree.body))
    calls = {n for s in found for n in _called(s)} - {n for s in found for n in _named(s)}
    for statement in found:
        match statement:
            case (
                ast.AugAssign(target=target, value=value)
                | ast.Assign(targets=[ast.Subscript() as target], value=value)
            ) if _may_overlap(target, value, names, calls):
                statement.value = ast.fix_missing_locations(_copied(value, names))


def _called(statement: ast.stmt) -> list[str]:
    """The name of what a call gives."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call()):
            return [name]
    return []


def _named(statement: ast.stmt) -> list[str]:
    """The names that a statement binds to anything else."""
    return [] if _called(statement) else list(bound(statement))


def _may_overlap(target: ast.expr, value: ast.expr, names: Names, calls: set[str]) -> bool:
    """Whether a statement may read elements of an array after it has written them.

    Of what a call gives the axes are known if it is a part of an array.
    """
    if not _is_array(target, names) or not _is_array(value, names) or names.is_fresh(value):
        return False
    if isinstance(value, ast.Name) and value.id in calls and names.rank(value) is None:
        return False
    base = target.value if isinstance(target, ast.Subscript) else target
    return isinstance(base, ast.Name) and any(names.meet(base.id, name) for name in loads(value))


def _is_array(node: ast.expr, names: Names) -> bool:
    """Whether an expression may be an array, or a part of one."""
    if names.rank(node) == 0:
        return False
    if not isinstance(node, ast.Subscript):
        return True
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    rank = names.rank(node.value)
    elements = rank is not None and len(parts) >= rank
    return not (elements and all(map(_is_number, parts)))


def _is_number(part: ast.expr) -> bool:
    """Whether a part of an index takes one place along an axis, or places that are copied."""
    return isinstance(part, SCALARS) or (isinstance(part, ast.Constant) and type(part.value) is int)


def _copied(value: ast.expr, names: Names) -> ast.expr:
    """The value in memory of its own; what may turn out to be a number has no method."""
    if names.rank(value):
        return ast.Call(ast.Attribute(value, "copy", ast.Load()), [], [])
    return ast.UnaryOp(ast.UAdd(), value)
