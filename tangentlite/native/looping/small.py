"""Arrays of a few elements, as so many numbers: a vector of three components needs no memory.

In: the tree of a kernel whose statements are loops.
Out: the same tree, changed in place.
Next: workshop.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from tangentlite.native.facts.names import rebuild, statements, stores
from tangentlite.native.looping.unrolling import FEW, number, unrolled
from tangentlite.native.memory.shelves import shelves, used

Body = list[ast.stmt]
Shape = tuple[int, ...]
MADE = {"np.empty": None, "np.zeros": 0.0, "np.ones": 1.0}


def spread_out(
    tree: ast.FunctionDef, fresh: Callable[[str], str], floating: Callable[[ast.expr], bool]
) -> None:
    """Arrays of which nothing is read or written but elements that are told by numbers, or in short loops.

    >>> text = "d = np.empty((2,))\\nfor k in range(2):\\n    d[k] = x[i, k]\\nx[i, 0] = d[0] * d[1]"
    >>> tree = ast.parse("def f(x, i):\\n    " + text.replace("\\n", "\\n    ")).body[0]
    >>> spread_out(tree, lambda wish: wish, lambda value: True)
    >>> print(ast.unparse(tree))
    def f(x, i):
        d_0_ = x[i, 0]
        d_1_ = x[i, 1]
        k = 1
        x[i, 0] = d_0_ * d_1_
    """
    params = {a.arg for a in tree.args.args}
    few = {n: s for n, s in _few(tree.body).items() if n not in params}
    while few:
        body = unrolled(copy.deepcopy(tree.body), few)
        bad = _unfit(body, few)
        if not bad:
            tree.body = _Spreader(few, fresh, floating).block(body)
            ast.fix_missing_locations(tree)
            return
        few = {n: s for n, s in few.items() if n not in bad}


def _few(body: Body) -> dict[str, Shape]:
    """The shapes of arrays that are made once, or taken off a list onto which such are put."""
    found = {}
    for statement in statements(body):
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=func, args=[shape], keywords=[]),
            ) if ast.unparse(func) in MADE:
                sizes = shape.elts if isinstance(shape, ast.Tuple) else [shape]
                lengths = [n for n in map(number, sizes) if n is not None and 0 < n <= FEW]
                if 0 < len(lengths) == len(sizes) < 3:
                    found[name] = tuple(lengths)
    groups, count = list(_alike(body)) if found else [], -1
    while count != len(found):
        count = len(found)
        for names in groups:
            shapes = {found[n] for n in names if n in found}
            found |= {n: s for n in names for s in shapes if n}
    times = Counter(stores(body))
    return {n: s for n, s in found.items() if times[n] == 1}


def _alike(body: Body) -> Iterator[list[str]]:
    """Names that hold what has one place in the items of a list; "" for what has no name."""
    places: dict[tuple[str, int], list[str]] = {}
    known = shelves(body)
    for statement in statements(body):
        for shelf, parts in used(statement):
            if shelf in known:
                for k, part in enumerate(parts):
                    name = part.id if isinstance(part, ast.Name) else ""
                    places.setdefault((shelf, k), []).append(name)
    yield from places.values()


# What does not fit -----------------------------------------------------------------------------


def _unfit(body: Body, few: dict[str, Shape]) -> set[str]:
    """The arrays of which more is done than a number can do."""
    everywhere = Counter(n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name))
    fine = Counter(n for s in body for node in ast.walk(s) for n in _plain(node, few))
    put = Counter(n for names in _alike(body) for n in names)
    bad = {n for n in few if fine[n] + put[n] + _times_made(n, body) != everywhere[n]}
    bad |= {n for n in few if put[n] and not _is_done(n, body)}
    for names in _alike(body):
        if bad & {*names} or len({few.get(n) for n in names}) > 1:
            bad |= few.keys() & {*names}
    return bad


def _times_made(name: str, body: Body) -> int:
    return sum(_is_made(s, name) for s in statements(body))


def _is_made(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=made)]):
            return made == name
    return False


def _plain(node: ast.AST, few: dict[str, Shape]) -> Iterator[str]:
    """The name of the array of which a node is one element, or a length."""
    match node:
        case ast.Subscript(value=ast.Name(id=name)) if name in few:
            if _place(node, few[name]) is not None:
                yield name
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="shape")):
            if name in few and _place(node, (len(few[name]),)) is not None:
                yield name


def _place(node: ast.Subscript, shape: Shape) -> Shape | None:
    """Which element a subscript names, if it names one."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    found = [number(p) for p in parts]
    if len(found) != len(shape):
        return None
    at = tuple(k + n if k is not None and k < 0 else k for k, n in zip(found, shape))
    inside = (k is not None and 0 <= k < n for k, n in zip(at, shape))
    return tuple(k for k in at if k is not None) if all(inside) else None


def _is_done(name: str, body: Body) -> bool:
    """Whether nothing is written into an array that was put on a list, or was taken off one."""
    total = _writes(name, body)
    if not total or not _times_made(name, body):
        return not total
    for block in _blocks(body):
        first = next((k for k, s in enumerate(block) if _is_made(s, name)), None)
        if first is not None:
            rest = block[first:]
            ends = [k for k, s in enumerate(rest) if any(_puts(s, name))]
            return bool(ends) and _writes(name, rest[: ends[0]]) == total
    return False


def _puts(statement: ast.stmt, name: str) -> Iterator[bool]:
    for _, parts in used(statement):
        yield from (isinstance(p, ast.Name) and p.id == name for p in parts)


def _blocks(body: Body) -> Iterator[Body]:
    yield body
    for statement in statements(body):
        yield from (b for f in ("body", "orelse") if (b := getattr(statement, f, None)))


def _writes(name: str, body: Body) -> int:
    nodes = (n for s in body for n in ast.walk(s) if isinstance(n, ast.Subscript))
    written = (n.value for n in nodes if isinstance(n.ctx, ast.Store))
    return sum(isinstance(v, ast.Name) and v.id == name for v in written)


# Numbers ---------------------------------------------------------------------------------------


class _Spreader(ast.NodeTransformer):
    """``floating`` tells whether a value is a float for sure: whole numbers become floats, as in an array."""

    def __init__(self, few: dict[str, Shape], fresh: Any, floating: Any) -> None:
        self._few, self._floating = few, floating
        self._names = {
            name: {
                at: fresh("_".join([name, *map(str, at), ""])) for at in product(*map(range, shape))
            }
            for name, shape in few.items()
        }

    def block(self, body: Body) -> Body:
        """The statements on numbers."""
        done: Body = []
        for statement in body:
            rebuild(statement, self.block)
            done += self._begun(statement) or [self._changed(statement)]
        return [s for s in done if not isinstance(s, ast.Pass)] or [ast.Pass()]

    def _begun(self, statement: ast.stmt) -> Body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func)) if (
                name in self._few
            ):
                value = MADE[ast.unparse(func)]
                lines = [f"{part} = {value}" for part in self._names[name].values()]
                return ast.parse("pass" if value is None else "\n".join(lines)).body
        return []

    def _changed(self, statement: ast.stmt) -> ast.stmt:
        match statement:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))], value=value) if (
                name in self._few and not self._floating(value)
            ):
                statement.value = ast.Call(ast.Name("float", ast.Load()), [value], [])
        for _, parts in used(statement):
            parts[:] = [new for part in parts for new in self._several(part)]
        if isinstance(statement, (ast.For, ast.While, ast.If)):
            for field in ("test", "iter"):
                if (part := getattr(statement, field, None)) is not None:
                    setattr(statement, field, self.visit(part))
            return statement
        changed: ast.stmt = self.visit(statement)
        return changed

    def _several(self, part: ast.expr) -> list[ast.expr]:
        """The numbers in place of an array in a tuple."""
        if isinstance(part, ast.Name) and part.id in self._few:
            return [ast.Name(name, part.ctx) for name in self._names[part.id].values()]
        return [part]

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """``d[0]`` and ``d.shape[0]``."""
        match node.value:
            case ast.Name(id=name) if name in self._few:
                at = _place(node, self._few[name])
                assert at is not None
                return ast.Name(self._names[name][at], node.ctx)
            case ast.Attribute(value=ast.Name(id=name), attr="shape") if name in self._few:
                at = _place(node, (len(self._few[name]),))
                assert at is not None
                return ast.Constant(self._few[name][at[0]])
        self.generic_visit(node)
        return node
