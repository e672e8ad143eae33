"""Arrays that a branch alone binds: they begin as nothing, which loops over elements cannot be told of.

In: the tree of a kernel, what is known of its names.
Out: the same tree, changed in place.
Next: ranks.
"""

from __future__ import annotations

import ast
from typing import Any

from tangentlite.native.facts.names import blocks, bound, statements


def marked(tree: ast.FunctionDef, names: Any) -> frozenset[str]:
    """``a = None`` is an empty array, and another name says that it is none yet; the names of which that holds.

    >>> from types import SimpleNamespace
    >>> text = "def f(x):\\n a = None\\n if x[0] > 1:\\n  a = 2 * x\\n if a is None:\\n  raise E\\n return a"
    >>> tree = ast.parse(text).body[0]
    >>> marked(tree, SimpleNamespace(rank=lambda value: 1, floating=lambda value: True))
    frozenset({'a'})
    >>> print(ast.unparse(tree))
    def f(x):
        a = np.empty((0,))
        _no_a = True
        if x[0] > 1:
            a = 2 * x
            _no_a = False
        if _no_a:
            raise E
        return a
    """
    taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    found = set()
    for statement in list(tree.body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=None)) if (
                f"_no_{name}" not in taken
            ):
                rank = _rank(tree, statement, name, names)
                if rank:
                    _mark(tree, statement, name, rank)
                    found.add(name)
    ast.fix_missing_locations(tree)
    return frozenset(found)


def sized(tree: ast.FunctionDef, marks: frozenset[str], claims: dict[str, tuple[str, ...]]) -> None:
    """Arrays that are none yet are as long as they will be, where that is known: no loop reads beyond their ends.

    >>> tree = ast.parse("def f(x):\\n a = np.empty((0,))\\n _no_a = True\\n a = 2 * x").body[0]
    >>> sized(tree, frozenset("a"), {"a": ("x.shape[0]",)})
    >>> print(ast.unparse(tree.body[0]))
    a = np.empty((x.shape[0],))
    """
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) if is_mark(statement, marks):
                if name in claims:
                    text = f"np.empty(({', '.join(claims[name])},))"
                    statement.value = ast.parse(text, mode="eval").body


def is_mark(statement: ast.stmt, marks: frozenset[str]) -> bool:
    """Whether a statement binds one of such names to an array that is none yet."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(args=[ast.Tuple(elts=lengths)])
        ) if name in marks:
            return all(isinstance(n, ast.Constant) and n.value == 0 for n in lengths)
    return False


def _rank(tree: ast.FunctionDef, first: ast.stmt, name: str, names: Any) -> int | None:
    """The axes of all arrays that have the name; None if it may be bound to something else."""
    ranks: set[int | None] = set()
    tests, later = [-1], len(tree.body)
    for place, whole in enumerate(tree.body):
        if any(_test(n, name) for n in ast.walk(whole)):
            tests.append(place)
        for statement in statements([whole]):
            if name not in bound(statement) or statement is first:
                continue
            match statement:
                case ast.Assign(targets=[ast.Name()], value=value) if names.floating(value):
                    ranks.add(names.rank(value))
                case ast.Assign(targets=[ast.Tuple()], value=ast.Call()):
                    later = min(later, place)  # from a record, which is read once it was made
                case _:
                    return None
    return ranks.pop() if len(ranks) == 1 and max(tests) < later else None


def _test(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Compare(
            left=ast.Name(id=left), ops=[ast.Is()], comparators=[ast.Constant(value=None)]
        ):
            return left == name
    return False


def _mark(tree: ast.FunctionDef, first: ast.Assign, name: str, rank: int) -> None:
    tested = any(_test(n, name) for n in ast.walk(tree))
    first.value = ast.parse(f"np.empty(({'0,' * rank}))", mode="eval").body
    if not tested:
        return
    _tell(tree.body, first, name)
    _Asking(name).visit(tree)


def _tell(body: list[ast.stmt], first: ast.stmt, name: str) -> None:
    for place, statement in reversed(list(enumerate(body))):
        for block in blocks(statement):
            _tell(block, first, name)
        match statement:
            case ast.Assign(targets=[ast.Name(id=target)]) if target == name:
                value = ast.Constant(statement is first)
                body.insert(place + 1, ast.Assign([ast.Name(f"_no_{name}", ast.Store())], value))


class _Asking(ast.NodeTransformer):
    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """``a is None``."""
        self.generic_visit(node)
        return ast.Name(f"_no_{self._name}", ast.Load()) if _test(node, self._name) else node
