"""Closures and tuples of a kernel: tuples of Numba hold any types, and do not change.

In: the tree of a kernel, what is known of its names.
Out: the same tree, changed in place.
Next: steps.
"""

from __future__ import annotations

import ast
from collections import Counter

from tangentlite import runtime
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.native.facts.known import WITH_SUM, is_one_of
from tangentlite.native.facts.names import bound, statements
from tangentlite.native.kernel import Meaning

CLOSURES = (runtime.closure, runtime.passing)
SUMS = (runtime.zeros, runtime.add)
GROWS = "`{}`: the tuple `{}` grows, which compile= does not do here"
LISTED = "Leave compile= out, or keep its parts in a list."


def without_closures(tree: ast.FunctionDef, meaning: Meaning) -> None:
    """A closure is a tuple of what it captured: the text names the function that it calls.

    >>> tree = ast.parse("def f(a): g = rt.closure(h, a); return h(g[1], a)").body[0]
    >>> without_closures(tree, lambda e: runtime.closure if ast.unparse(e) == "rt.closure" else None)
    >>> print(ast.unparse(tree.body))
    g = (0, a)
    return h(a, a)
    """
    tree.body = [_Captured(meaning).visit(statement) for statement in tree.body]
    _read_through(tree)
    ast.fix_missing_locations(tree)


def no_chains(tree: ast.FunctionDef) -> None:
    """Refuse tuples that hold what their name was before: each trip gives them another type.

    >>> no_chains(ast.parse("def f(x, n):\\n t = x, None\\n for i in range(n): t = x, (i, t)").body[0])
    Traceback (most recent call last):
    tangentlite.errors.UnsupportedSyntaxError: `f`: the tuple `t` grows, which compile= does not do here
    Leave compile= out, or keep its parts in a list.
    """
    for statement in statements(tree.body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple() as made) if (
                name in _inside(made)
            ):
                reason = GROWS.format(tree.name.removesuffix("_kernel"), name)
                raise UnsupportedSyntaxError(reason, None, LISTED)


def _inside(node: ast.expr) -> list[str]:
    """The names that are parts of a tuple, or of one in it."""
    if isinstance(node, ast.Tuple):
        return [name for part in node.elts for name in _inside(part)]
    return [node.id] if isinstance(node, ast.Name) else []


class _Captured(ast.NodeTransformer):
    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not is_one_of(self._meaning(node.func), CLOSURES):
            return node
        captured = [*node.args[1:], *(k.value for k in node.keywords)]
        return ast.Tuple([ast.Constant(0), *captured], ast.Load())


def _read_through(tree: ast.FunctionDef) -> None:
    """A part of a tuple that is made once is what has the name, if that is bound once for all, outside of loops."""
    times = Counter([a.arg for a in tree.args.args])
    times.update(n for s in statements(tree.body) for n in bound(s))
    first = {a.arg for a in tree.args.args}
    first |= {n for s in tree.body if isinstance(s, ast.Assign) for n in bound(s)}
    stay = {n for n in first if times[n] == 1}
    made: dict[str, list[ast.expr]] = {}
    for statement in statements(tree.body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple(elts=parts)):
                if times[name] == 1 and all(_stays(part, stay) for part in parts):
                    made[name] = parts
    tree.body = [_Read(made).visit(statement) for statement in tree.body]


def _stays(part: ast.expr, stay: set[str]) -> bool:
    return isinstance(part, ast.Constant) or (isinstance(part, ast.Name) and part.id in stay)


class _Read(ast.NodeTransformer):
    def __init__(self, made: dict[str, list[ast.expr]]) -> None:
        self._made = made

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Subscript(
                value=ast.Name(id=name), slice=ast.Constant(value=int(k)), ctx=ast.Load()
            ) if name in self._made and -len(self._made[name]) <= k < len(self._made[name]):
                return self._made[name][k]
        return node


def bound_anew(tree: ast.FunctionDef, ranks: dict[str, int], meaning: Meaning) -> bool:
    """Whether something changed: ``rt.add_at(b, 1, e)`` of what may be a tuple binds ``b`` anew.

    >>> text = "def f(t, e):\\n b = rt.zeros(t)\\n rt.add_at(b, 1, e)"
    >>> tree = ast.parse(text).body[0]
    >>> bound_anew(tree, {}, lambda e: getattr(runtime, ast.unparse(e)[3:], None))
    True
    >>> print(ast.unparse(tree.body[1]))
    b = _with_sum(b, 1, e)
    """
    found = list(statements(tree.body))
    other = {n for s in found if not _begins(s, meaning) for n in bound(s)}
    made = {n for s in found if _begins(s, meaning) for n in bound(s)} - other
    perhaps = {n for n in made if ranks.get(n, -1) < 0}
    adder = _Adder(perhaps, meaning)
    tree.body = [adder.visit(statement) for statement in tree.body]
    ast.fix_missing_locations(tree)
    return adder.changed


def _begins(statement: ast.stmt, meaning: Meaning) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.Call(func=func)):
            return is_one_of(meaning(func), SUMS)
    return False


class _Adder(ast.NodeTransformer):
    def __init__(self, names: set[str], meaning: Meaning) -> None:
        self._names, self._meaning, self.changed = names, meaning, False

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        match node.value:
            case ast.Call(func=func, args=[ast.Name(id=name), ast.Constant(value=int()), _]) if (
                name in self._names and self._meaning(func) is runtime.add_at
            ):
                self.changed = True
                call = ast.Call(ast.Name(WITH_SUM, ast.Load()), node.value.args, [])
                return ast.Assign([ast.Name(name, ast.Store())], call)
        return node
