"""Arrays that every trip of a loop makes anew are made once, before the loop: an allocation costs as much as a row.

In: the tree of a kernel whose statements are loops.
Out: the same tree, changed in place.
Next: workshop.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from tangentlite.native.facts.names import loads, rebuild, statements, stores
from tangentlite.native.looping.access import SPAN

MADE = ("np.empty", "np.zeros")
PLACE = re.compile(r"_(\d|j|[cn]\d)")  # no name of the kernel is one of these
Body = list[ast.stmt]


def reused(tree: ast.FunctionDef, fresh: Callable[[str], str]) -> None:
    """Only arrays of which nothing but elements is read or written: what has no other name is in nobody's hands.

    One as long as a slice whose ends differ from trip to trip is as long as the sliced axis, if nobody asks how long.

    >>> text = "for i in range(n):\\n    d = np.empty((x.shape[1],))\\n    d[0] = x[i, 0]\\n    y[i] = d[0]"
    >>> tree = ast.parse("def f(x, y, n):\\n    " + text.replace("\\n", "\\n    ")).body[0]
    >>> reused(tree, lambda wish: wish)
    >>> print(ast.unparse(tree))
    def f(x, y, n):
        d = np.empty((x.shape[1],))
        for i in range(n):
            d[0] = x[i, 0]
            y[i] = d[0]
    """
    params = {a.arg for a in tree.args.args}
    alone = _alone(tree.body) - params
    if alone:
        walked = alone - set(_measured(tree))
        tree.body = _Reuser(alone, walked, _most(tree), fresh).block(tree.body, params)
        ast.fix_missing_locations(tree)


class _Reuser:
    """``alone``: the names of arrays that one statement makes; those ``walked`` are met in loops over places.

    ``most``: lengths that numbers do not exceed.
    """

    def __init__(
        self,
        alone: set[str],
        walked: set[str],
        most: Mapping[str, ast.expr],
        fresh: Callable[[str], str],
    ) -> None:
        self._alone, self._walked, self._most, self._fresh = alone, walked, most, fresh

    def block(self, body: Body, bound: set[str]) -> Body:
        """The block; ``bound`` are the names that have a value before it."""
        done: Body = []
        bound = set(bound)
        for statement in body:
            rebuild(statement, lambda inner: self.block(inner, bound))
            if isinstance(statement, (ast.For, ast.While)):
                first = self._taken_out(statement, bound)
                done += first
                bound.update(stores(first))
            elif isinstance(statement, ast.Assign):
                bound.update(stores(statement.targets))
            done.append(statement)
        return done

    def _taken_out(self, loop: ast.For | ast.While, bound: set[str]) -> Body:
        """The statements that need not stand in a loop."""
        changed, first, left = set(stores([loop])), Body(), Body()
        for statement in loop.body:
            call = self._made(statement)
            sizes = self._enough(statement, call) if call is not None else []
            read = {n for size in sizes for n in loads(size)}
            fits = all(map(is_length, sizes)) and read <= bound | {"max"}
            if call is None or not fits or not read.isdisjoint(changed):
                left.append(statement)
                continue
            left += self._emptied(statement, call)
            call.args[0] = ast.Tuple(sizes, ast.Load())
            first.append(statement)
        loop.body = left or [ast.Pass()]
        return first

    def _made(self, statement: ast.stmt) -> ast.Call | None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if (
                name in self._alone and not call.keywords
            ):
                typed = ast.unparse(call.func) == MADE[0] and len(call.args) == 2
                return call if (typed or len(call.args) == 1) and _sizes(call) else None
        return None

    def _enough(self, statement: ast.stmt, call: ast.Call) -> list[ast.expr]:
        """The lengths of an array, or what is surely enough if nobody sees where it ends."""
        sizes = _sizes(call)
        if self._walked.isdisjoint(stores([statement])):
            return sizes
        return [self._most.get(n.id, n) if isinstance(n, ast.Name) else n for n in sizes]

    def _emptied(self, statement: ast.stmt, call: ast.Call) -> Body:
        """Zeros again, in every trip."""
        if ast.unparse(call.func) == MADE[0]:
            return []
        assert isinstance(statement, ast.Assign)
        (name,), shape = stores(statement.targets), call.args[0]
        assert isinstance(shape, ast.Tuple)
        call.func = ast.parse(MADE[0], mode="eval").body
        at = [self._fresh("z") for _ in shape.elts]
        text = f"{name}[{', '.join(at)}] = 0.0"
        for variable, length in reversed([*zip(at, shape.elts)]):
            inner = text.replace("\n", "\n    ")
            text = f"for {variable} in range({ast.unparse(length)}):\n    {inner}"
        return ast.parse(text).body


def _sizes(call: ast.Call) -> list[ast.expr]:
    shape = call.args[0]
    return shape.elts if isinstance(shape, ast.Tuple) else []


def _most(tree: ast.FunctionDef) -> dict[str, ast.expr]:
    """The lengths of axes of which the numbers of elements in slices are bound once.

    >>> tree = ast.parse(f"def f(x, k):\\n    a, n = {SPAN}(k, None, 1, x.shape[0])").body[0]
    >>> {name: ast.unparse(most) for name, most in _most(tree).items()}
    {'n': 'x.shape[0]'}
    """
    times, found = Counter(stores(tree.body)), dict[str, ast.expr]()
    for statement in statements(tree.body):
        match statement:
            case ast.Assign(
                targets=[ast.Tuple(elts=[_, ast.Name(id=count)])],
                value=ast.Call(func=ast.Name(id=func), args=[_, _, _, whole]),
            ) if func == SPAN and times[count] == 1:
                found[count] = whole
    return found


def _alone(body: Body) -> set[str]:
    """The names that one statement binds, to a new array, and of which nothing but elements and lengths is read.

    >>> text = "d = np.empty((2,))\\ny[0] = d[1]\\ne = np.empty((2, 3))\\ntape.append(e[0])"
    >>> _alone(ast.parse(text).body)
    {'d'}
    """
    times, read = Counter(stores(body)), Counter(n for s in body for n in loads(s))
    ranks = {}
    for statement in statements(body):
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=func, args=[ast.Tuple(elts=sizes), *_]),
            ) if ast.unparse(func) in MADE and times[name] == 1:
                ranks[name] = len(sizes)
    fine = Counter(n for s in body for node in ast.walk(s) for n in _plain(node, ranks))
    return {name for name in ranks if fine[name] == read[name]}


def _plain(node: ast.AST, ranks: dict[str, int]) -> Iterator[str]:
    """The name of which a node is an element, or that it asks for its shape: a row is in memory of the array."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=index) if name in ranks:
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            more = any(isinstance(p, (ast.Slice, ast.Constant)) and _is_more(p) for p in parts)
            if len(parts) == ranks[name] and not more:
                yield name
        case ast.Attribute(value=ast.Name(id=name), attr="shape"):
            yield name


def _measured(tree: ast.FunctionDef) -> Iterator[str]:
    """The arrays whose ends are asked for: by their lengths, or by an index that may count from there.

    >>> tree = ast.parse("def f(a, b, c, d, k):\\n    a[_0 + 1] = b[k] + c[-1] + d.shape[0]").body[0]
    >>> sorted(_measured(tree))
    ['b', 'c', 'd']
    """
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                inner = list(ast.walk(index))
                names = (n.id for n in inner if isinstance(n, ast.Name))
                negative = any(isinstance(n, ast.USub) for n in inner)
                if negative or not all(map(PLACE.fullmatch, names)):
                    yield name
            case ast.Attribute(value=ast.Name(id=name), attr="shape"):
                yield name


def _is_more(part: ast.expr) -> bool:
    return type(getattr(part, "value", None)) is not int


def is_length(node: ast.expr) -> bool:
    """Whether a number is surely not negative."""
    match node:
        case ast.Constant(value=int(value)):
            return value >= 0
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return True
        case ast.Call(func=ast.Name(id="max"), args=[_, ast.Constant(value=0)]):
            return True
    return False
