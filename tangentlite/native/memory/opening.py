"""Records that a kernel makes and takes apart itself: names instead of tuples, and no copies where nobody looks.

In: the tree of a kernel with its helpers inside, what is known of its names.
Out: the same tree, changed in place.
Next: ranks.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from tangentlite import runtime
from tangentlite.native.facts.known import is_one_of
from tangentlite.native.facts.names import bound, loads, statements, stores
from tangentlite.native.memory.records import touched

Meaning = Callable[[ast.expr], Any]
Known = Callable[[ast.FunctionDef], Any]
SAME = (runtime.stack, runtime.sequence, runtime.outline)


def opened(tree: ast.FunctionDef, meaning: Meaning, known: Known) -> None:
    """``known`` tells what is known of the names of a tree.

    >>> text = "def f(a, n):\\n s = a, n\\n b, m = s\\n b[0] = m\\n return b"
    >>> tree = ast.parse(text).body[0]
    >>> opened(tree, lambda node: None, lambda tree: None)
    >>> print(ast.unparse(tree))
    def f(a, n):
        a[0] = n
        return a
    """
    for place, statement in enumerate(tree.body):
        record = _copied(statement, meaning)
        if record is not None and _is_no_copy_missed(tree, place, meaning, known):
            statement.value = record  # type: ignore[attr-defined]
    _simplify(tree, meaning)
    if any(_buffered(s, meaning) for s in tree.body):
        names = known(tree)
        for place, statement in enumerate(tree.body):
            name, copied = _buffered(statement, meaning) or ("", False)
            if names.ranks.get(name, -1) > 0 and not (
                copied and _is_missed(tree, place, name, names)
            ):
                statement.value = ast.Name(name, ast.Load())  # type: ignore[attr-defined]
        _rename(tree)


def _simplify(tree: ast.FunctionDef, meaning: Meaning) -> None:
    count = 0
    while len(tree.body) != count:  # records may hold records
        count = len(tree.body)
        _take_apart(tree, meaning)
        _rename(tree)


def _copied(statement: ast.stmt, meaning: Meaning) -> ast.Name | None:
    """The name of the record of which a statement takes a copy apart."""
    match statement:
        case ast.Assign(
            targets=[ast.Tuple()], value=ast.Call(func=func, args=[ast.Name() as record])
        ) if meaning(func) is runtime.private:
            return record
    return None


def _buffered(statement: ast.stmt, meaning: Meaning) -> tuple[str, bool] | None:
    """The adjoint that is to be an array, and whether it is to be a copy."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.Call(func=func, args=[adjoint, _])) if (
            meaning(func) is runtime.buffer
        ):
            match adjoint:
                case ast.Name(id=name):
                    return name, False
                case ast.Call(func=func, args=[ast.Name(id=name)]) if meaning(func) is runtime.own:
                    return name, True
    return None


def _is_missed(tree: ast.FunctionDef, place: int, name: str, names: Any) -> bool:
    """Whether something else may read an array that is copied, or may have read from it."""
    family = names.family(name)
    given = {a.arg for a in tree.args.args}
    alike = [n for n in {*given, *stores(tree.body)} if names.ranks.get(n) != 0]
    other = {n for n in alike if names.family(n) == family} - {name}
    later = {n for s in tree.body[place + 1 :] for n in loads(s)}
    return name in given or bool(other - _made(tree.body[place])) or name in later


def _made(statement: ast.stmt) -> set[str]:
    return set(stores([statement]))


def _is_no_copy_missed(tree: ast.FunctionDef, place: int, meaning: Meaning, known: Known) -> bool:
    """Whether what is written through the parts of a record is not read under another name, nor by the caller."""
    other = copy.deepcopy(tree)
    statement: Any = other.body[place]
    statement.value = statement.value.args[0]
    before, last = other.body[:place], other.body[place + 1 :]
    _simplify(other, meaning)
    if statement in other.body:
        return False
    names = known(other)
    given = {a.arg for a in tree.args.args}
    old = {n for n in {*given, *stores(tree.body[:place])} if names.ranks.get(n) != 0}
    early = {n for s in before for n in touched(s, meaning)}
    later = {names.family(n) for s in last for n in touched(s, meaning)}
    parts = {names.family(n) for s in _makers(tree, place) for n in loads(s)} & later
    held = {n for n in old if names.family(n) in parts}
    if not (given & held) <= early:
        return False
    return not any(n in held for s in tree.body[place + 1 :] for n in (*loads(s), *stores([s])))


def _makers(tree: ast.FunctionDef, place: int) -> Iterator[ast.stmt]:
    """The statements that make the record which is taken apart at a place."""
    record = next(loads(tree.body[place].value.args[0]))  # type: ignore[attr-defined]
    return (s for s in tree.body[:place] if record in bound(s))


def _take_apart(tree: ast.FunctionDef, meaning: Meaning) -> None:
    """``a, b = s`` with ``s = x, y`` becomes ``a = x`` and ``b = y``."""
    times = Counter(n for s in statements(tree.body) for n in bound(s))
    made: dict[str, tuple[ast.stmt, list[ast.expr]]] = {}
    for statement in list(tree.body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple(elts=parts)):
                bare = [_bare(part, meaning) for part in parts]
                if times[name] == 1 and all(isinstance(p, (ast.Name, ast.Constant)) for p in bare):
                    made[name] = statement, bare
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Name(id=name)):
                if name in made and len(targets) == len(made[name][1]):
                    maker, parts = made[name]
                    first, last = tree.body.index(maker), tree.body.index(statement)
                    if _may_stand(targets, parts, tree.body[first + 1 : last]):
                        tree.body[last : last + 1] = [
                            ast.Assign([t], copy.copy(p), lineno=0) for t, p in zip(targets, parts)
                        ]
    read = {n for s in tree.body for n in loads(s)}
    gone = [maker for name, (maker, _) in made.items() if name not in read]
    tree.body = [s for s in tree.body if s not in gone]


def _may_stand(targets: list[ast.expr], parts: list[ast.expr], between: list[ast.stmt]) -> bool:
    """Whether parts are what they were, and targets are names of their own."""
    read = {n for part in parts for n in loads(part)}
    named = all(isinstance(t, ast.Name) for t in targets)
    return named and read.isdisjoint(stores([*between, *targets]))


def _bare(part: ast.expr, meaning: Meaning) -> ast.expr:
    match part:
        case ast.Call(func=func, args=[one], keywords=[]) if is_one_of(meaning(func), SAME):
            return one
    return part


def _rename(tree: ast.FunctionDef) -> None:
    """A second name of what is not bound again becomes the first."""
    times = Counter(n for s in statements(tree.body) for n in bound(s))
    given = {a.arg for a in tree.args.args}
    for statement in list(tree.body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=second)], value=ast.Name(id=first)):
                place = tree.body.index(statement)
                if first == second:
                    del tree.body[place]
                    continue
                once = times[second] == 1 and second not in given
                if once and first not in stores(tree.body[place + 1 :]):
                    del tree.body[place]
                    for node in ast.walk(tree):
                        if isinstance(node, ast.Name) and node.id == second:
                            node.id = first
