"""What each trip of a loop keeps for the other sweep is a row of one array, which is made once, or an element of it.

In: the tree of a kernel whose statements are loops.
Out: the same tree, changed in place.
Next: reused.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from tangentlite.native.facts.names import blocks, bound, loads, statements, stores
from tangentlite.native.memory.reused import is_length
from tangentlite.native.memory.shelves import Use, put_and_taken, shelves
from tangentlite.native.memory.trips import BUILTIN, trips
from tangentlite.values import immutable

Body = list[ast.stmt]


def rowwise(
    tree: ast.FunctionDef,
    ranks: Mapping[str, int],
    fresh: Callable[[str], str],
    is_float: Callable[[ast.expr], bool] = lambda part: False,
) -> None:
    """Only lists on which one place puts items, in loops that say how often, and off which one takes them.

    ``is_float`` tells numbers of double precision.

    >>> text = "s = []\\nfor i in range(n):\\n    a = np.empty((x.shape[0],))\\n"
    >>> text += "    a[0] = x[0]\\n    s.append((i, a))\\n"
    >>> text += "for i in range(n - 1, -1, -1):\\n    k, b = s.pop()\\n    x[k] = b[0]"
    >>> tree = ast.parse("def f(x, n):\\n    " + text.replace("\\n", "\\n    ")).body[0]
    >>> rowwise(tree, {}, lambda wish: "_" + wish)
    >>> print(ast.unparse(tree))
    def f(x, n):
        s = []
        _row = 0
        _rows = np.empty((max(n, 0), x.shape[0]))
        for i in range(n):
            _rows[_row, 0] = x[0]
            s.append((i,))
            _row += 1
        for i in range(n - 1, -1, -1):
            k, = s.pop()
            _row -= 1
            x[k] = _rows[_row, 0]
    """
    alone = [s for s in statements(tree.body) if _in_tuple(s)]
    for shelf in shelves(tree.body):
        puts, takes = put_and_taken(tree.body, shelf)
        if len(puts) == len(takes) == 1:
            place = _place(tree, shelf, puts[0], takes[0])
            if place is not None:
                _Rows(tree, place, ranks, fresh, is_float).change()
    for statement in alone:
        _out_of_tuple(statement)
    ast.fix_missing_locations(tree)


def _in_tuple(statement: ast.stmt) -> bool:
    """Whether an item that is no tuple became the only part of one, as long as this is looked at."""
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(), attr="append"), args=[ast.expr() as item]
            ) as call
        ) if not isinstance(item, ast.Tuple):
            call.args = [ast.Tuple([item], ast.Load())]
            return True
        case ast.Assign(
            targets=[ast.Name() as name],
            value=ast.Call(func=ast.Attribute(value=ast.Name(), attr="pop"), args=[]),
        ):
            statement.targets = [ast.Tuple([name], ast.Store())]
            return True
    return False


def _out_of_tuple(statement: ast.stmt) -> None:
    match statement:
        case ast.Expr(value=ast.Call(args=[ast.Tuple(elts=[item])]) as call):
            call.args = [item]
        case ast.Assign(targets=[ast.Tuple(elts=[name])]):
            statement.targets = [name]


@immutable
class _Place:
    """A list: where items are put on it and taken off, the loops round the former, and the block that holds these."""

    begun: ast.stmt
    put: Use
    taken: Use
    here: Body
    there: Body
    around: Body
    loops: list[ast.For]


def _place(tree: ast.FunctionDef, shelf: str, put: Use, taken: Use) -> _Place | None:
    """None unless nothing but loops lies between the list's beginning and where items are put on it."""
    here, there = _path(tree.body, put[0]), _path(tree.body, taken[0])
    begun = next(s for s in statements(tree.body) if shelf in bound(s))
    outside = _path(tree.body, begun)[-1][0]
    start = next((k for k, (block, _) in enumerate(here) if block is outside), None)
    if start is None:
        return None
    loops = [s for _, s in here[start:-1] if isinstance(s, ast.For)]
    if not loops or len(loops) != len(here) - start - 1:
        return None
    (last, _), nodes = there[-1], list(ast.walk(loops[0]))
    leaves = any(isinstance(n, (ast.Break, ast.Return)) for n in nodes)
    if leaves or taken[0] in nodes or any(s is put[0] for s in statements(last)):
        return None
    return _Place(begun, put, taken, here[-1][0], last, outside, loops)


def _path(body: Body, wanted: ast.stmt) -> list[tuple[Body, ast.stmt]]:
    """The blocks round a statement, from outside, each with the statement in it that holds the wanted one."""
    for statement in body:
        if statement is wanted:
            return [(body, statement)]
        for inner in blocks(statement):
            found = _path(inner, wanted)
            if found:
                return [(body, statement), *found]
    return []


class _Rows:
    def __init__(
        self,
        tree: ast.FunctionDef,
        place: _Place,
        ranks: Mapping[str, int],
        fresh: Callable[[str], str],
        is_float: Callable[[ast.expr], bool],
    ) -> None:
        self._tree, self._place, self._ranks, self._fresh = tree, place, ranks, fresh
        self._is_float = is_float
        self._times = Counter(stores(tree.body))
        self._read = Counter(n for s in tree.body for n in loads(s))
        params = {a.arg for a in tree.args.args}
        self._before = (params | set(_bound_before(tree.body, place.loops[0]))) - {
            *stores([place.loops[0]])
        }

    def change(self) -> None:
        """Rows and elements in place of arrays and numbers, and a number that says which is meant."""
        place = self._place
        pairs = list(zip(place.put[1], place.taken[1]))
        arrays = [(a, b, made) for a, b in pairs if (made := self._made(a, b)) is not None]
        numbers = [(a, b) for a, b in pairs if self._is_float(a) and isinstance(b, ast.Name)]
        counted = (
            trips(place.loops, self._before, self._fresh, self._ranks)
            if arrays or numbers
            else None
        )
        if counted is None:
            return
        (first, whole), row = counted, self._fresh("row")
        first += ast.parse(f"{row} = 0").body
        for one, other, made in arrays:
            first.append(self._begun(ast.unparse(one), ast.unparse(other), made, whole, row))
        put, taken = list[str](), list[str]()
        for one, other in numbers:
            name = self._fresh("rows")
            first += ast.parse(f"{name} = np.empty(({whole},))").body
            put.append(f"{name}[{row}] = {ast.unparse(one)}")
            taken.append(f"{ast.unparse(other)} = {name}[{row}]")
        self._leave_out({id(part) for pair in [*arrays, *numbers] for part in pair[:2]})
        at = place.around.index(place.loops[0])
        place.around[at:at] = first
        _counted(place.here, place.put, [*put, f"{row} += 1"])
        _counted(place.there, place.taken, [f"{row} -= 1", *taken])
        if not place.put[1]:
            place.around.remove(place.begun)

    def _leave_out(self, gone: set[int]) -> None:
        for parts in self._place.put[1], self._place.taken[1]:
            parts[:] = [p for p in parts if id(p) not in gone]

    def _is_before(self, node: ast.expr) -> bool:
        return set(loads(node)) <= self._before | BUILTIN

    def _made(self, one: ast.expr, other: ast.expr) -> ast.Assign | None:
        """The statement that makes an array, if nothing but its elements is met before it is kept and behind."""
        match one, other:
            case ast.Name(id=name), ast.Name(id=again) if (
                self._times[name] == self._times[again] == 1
            ):
                pass
            case _:
                return None
        place = self._place
        end, start = place.here.index(place.put[0]), place.there.index(place.taken[0])
        begin = next((k for k, s in enumerate(place.here[:end]) if name in bound(s)), end)
        statement = place.here[begin]
        if begin == end or not self._is_made(statement):
            return None
        assert isinstance(statement, ast.Assign)
        assert isinstance(statement.value, ast.Call)
        rank = len(_lengths(statement.value))
        met = list(self._elements(place.here[begin:end], name, rank))
        taken = list(self._elements(place.there[start:], again, rank))
        fine = len(met) == self._read[name] - 1 and len(taken) == self._read[again]
        return statement if fine else None

    def _is_made(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.Assign(
                targets=[ast.Name()],
                value=ast.Call(args=[ast.Tuple(elts=lengths), *_], keywords=[]) as call,
            ) if ast.unparse(call.func) == "np.empty":
                return all(is_length(n) and self._is_before(n) for n in lengths)
        return False

    def _elements(self, body: Body, name: str, rank: int) -> Iterator[ast.Subscript]:
        """Where elements of an array are met, or its lengths asked for."""
        for node in chain.from_iterable(map(ast.walk, body)):
            match node:
                case ast.Subscript(value=ast.Name(id=array), slice=index) if array == name:
                    parts = index.elts if isinstance(index, ast.Tuple) else [index]
                    if len(parts) == rank and all(map(self._is_number, parts)):
                        yield node
                case ast.Subscript(
                    value=ast.Attribute(value=ast.Name(id=array), attr="shape"),
                    slice=ast.Constant(value=int()),
                ) if array == name:
                    yield node

    def _is_number(self, part: ast.expr) -> bool:
        match part:
            case ast.Slice():
                return False
            case ast.Constant(value=value):
                return type(value) is int
            case ast.Name(id=name):
                return self._ranks.get(name, 0) == 0
        return True

    def _begun(self, one: str, other: str, made: ast.Assign, whole: str, row: str) -> ast.stmt:
        """The statement that makes all rows; elements of arrays become elements of rows."""
        name, place = self._fresh("rows"), self._place
        assert isinstance(made.value, ast.Call)
        lengths = _lengths(made.value)
        for body, array in (place.here, one), (place.there, other):
            for node in self._elements(body, array, len(lengths)):
                _placed(node, name, row)
        place.here.remove(made)
        lengths.insert(0, ast.parse(whole, mode="eval").body)
        made.targets = [ast.Name(name, ast.Store())]
        return made


def _placed(node: ast.Subscript, name: str, row: str) -> None:
    match node:
        case ast.Subscript(value=ast.Name() as array, slice=index):
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            node.slice = ast.Tuple([ast.Name(row, ast.Load()), *parts], ast.Load())
            array.id = name
        case ast.Subscript(
            value=ast.Attribute(value=ast.Name() as array), slice=ast.Constant(value=int(axis))
        ):
            node.slice = ast.Constant(axis + 1)
            array.id = name


def _counted(block: Body, use: Use, lines: list[str]) -> None:
    """Nothing is put on a list, or taken off, that has no parts any more."""
    at = block.index(use[0])
    block[at : at + 1] = [*(use[:1] if use[1] else []), *ast.parse("\n".join(lines)).body]


def _lengths(call: ast.Call) -> list[ast.expr]:
    shape = call.args[0]
    assert isinstance(shape, ast.Tuple)
    return shape.elts


def _bound_before(body: Body, wanted: ast.stmt) -> Iterator[str]:
    """The names that surely have a value where a statement begins."""
    for block, statement in _path(body, wanted):
        for before in block[: block.index(statement)]:
            if isinstance(before, ast.Assign):
                yield from bound(before)
        if isinstance(statement, ast.For) and statement is not wanted:
            yield from bound(statement)
