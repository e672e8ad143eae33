"""What a helper is given and gives back, by the names of its caller: what is known of these is known inside.

In: the tree of a helper, a statement that calls it.
Out: the names that parameters and results have in the caller.
Next: inlining.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tangentlite import runtime
from tangentlite.native.facts.names import bound, loads, statements

Meaning = Callable[[ast.expr], Any]


def unpacked(tree: ast.FunctionDef) -> dict[int, int]:
    """The parameters that a function begins with taking apart, and does not read besides; how many parts they have."""
    params = [a.arg for a in tree.args.args]
    loaded = Counter(loads(tree))
    found, taken = dict[int, int](), set(params)
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Name(id=name)) if (
                name in params and loaded[name] == 1
            ):
                named = {n.id for n in parts if isinstance(n, ast.Name)}
                if len(named) == len(parts) and named.isdisjoint(taken):
                    found[params.index(name)] = len(parts)
                taken |= named
            case _:
                break
    return found


def in_parts(tree: ast.FunctionDef, places: Sequence[int]) -> ast.FunctionDef:
    """A function that is given the parts of tuples.

    >>> tree = ast.parse("def g(s, b):\\n a, n = s\\n b[0] = a * n").body[0]
    >>> print(ast.unparse(in_parts(tree, [0])))
    def g(a, n, b):
        b[0] = a * n
    """
    params = tree.args.args
    names = {params[k].arg for k in places}
    parts: dict[str, list[ast.arg]] = {}
    for statement in list(tree.body):
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=elements)], value=ast.Name(id=name)) if (
                name in names - parts.keys()
            ):
                parts[name] = [ast.arg(e.id, None) for e in elements if isinstance(e, ast.Name)]
                tree.body.remove(statement)
    tree.args.args = [a for p in params for a in parts.get(p.arg, [p])]
    tree.body = tree.body or [ast.Pass()]
    return tree


def parts_apart(tree: ast.FunctionDef, args: list[ast.expr], meaning: Meaning) -> list[ast.expr]:
    """The arguments, with the parts of tuples that the helper, which is changed, takes apart; shapes as arrays.

    >>> tree = ast.parse("def g(s, b):\\n a, n = s\\n b[0] = a * n").body[0]
    >>> call = ast.parse("g((x, rt.outline(y)), bx)", mode="eval").body
    >>> meaning = lambda node: runtime.outline
    >>> print([ast.unparse(a) for a in parts_apart(tree, call.args, meaning)], ast.unparse(tree.args))
    ['x', 'y', 'bx'] a, n, b
    """
    known = unpacked(tree)
    places = [
        k for k, a in enumerate(args) if isinstance(a, ast.Tuple) and known.get(k) == len(a.elts)
    ]
    in_parts(tree, places)
    apart = [p for k, a in enumerate(args) for p in (a.elts if k in places else [a])]  # type: ignore[attr-defined]
    return [_outlined(arg, meaning) for arg in apart]


def _outlined(arg: ast.expr, meaning: Meaning) -> ast.expr:
    match arg:
        case ast.Call(func=func, args=[ast.Name() as array], keywords=[]) if (
            meaning(func) is runtime.outline
        ):
            return array
    return arg


def passed(
    tree: ast.FunctionDef, args: list[ast.expr], statement: ast.stmt, meaning: Meaning
) -> dict[str, str]:
    """Parameters that are adjoints written in place, and given back under no other name than they were given.

    >>> tree = ast.parse("def g(x, b):\\n b = rt.buffer(b, x)\\n b[0] = 0.0\\n return b").body[0]
    >>> statement = ast.parse("bx = g(x, bx)").body[0]
    >>> passed(tree, statement.value.args, statement, lambda node: runtime.buffer)
    {'b': 'bx'}
    """
    times = Counter(n for s in statements(tree.body) for n in stores_of(s))
    back = dict(_back(tree, statement))
    read = Counter(n for a in args for n in loads(a))
    found = {}
    for param, arg in zip([a.arg for a in tree.args.args], args):
        kept = [s for s in tree.body if _is_buffer(s, param, meaning)]
        if isinstance(arg, ast.Name) and len(kept) == times[param] == read[arg.id] == 1:
            if back.get(param, arg.id) == arg.id:
                found[param] = arg.id
    return found


def given_back(
    tree: ast.FunctionDef, args: list[ast.expr], statement: ast.stmt, once: set[str]
) -> dict[str, str]:
    """Names of a helper that become names which its caller binds ``once``, by this statement.

    >>> tree = ast.parse("def g(x):\\n b = np.zeros(2)\\n b += x\\n return b").body[0]
    >>> statement = ast.parse("bx = g(x)").body[0]
    >>> given_back(tree, statement.value.args, statement, {"bx"})
    {'b': 'bx'}
    """
    plain = (s for s in statements(tree.body) if not isinstance(s, ast.AugAssign))
    times = Counter(n for s in plain for n in bound(s))
    params = {a.arg for a in tree.args.args}
    read = {n for a in args for n in loads(a)}
    pairs = list(_back(tree, statement))
    given = Counter(name for name, _ in pairs)
    return {
        name: target
        for name, target in pairs
        if times[name] == given[name] == 1 and name not in params and target in once - read
    }


def stores_of(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds; arrays that it adds to in place are not among them."""
    if not isinstance(statement, ast.AugAssign):
        yield from bound(statement)


def _back(tree: ast.FunctionDef, statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """The names that a helper returns, each with the one that its caller gives it."""
    match statement, tree.body[-1]:
        case ast.Assign(targets=[target]), ast.Return(value=ast.expr() as value):
            targets = target.elts if isinstance(target, ast.Tuple) else [target]
            values = value.elts if isinstance(value, ast.Tuple) else [value]
            if len(targets) == len(values) and isinstance(target, ast.Tuple) == isinstance(
                value, ast.Tuple
            ):
                for one, two in zip(targets, values):
                    if isinstance(one, ast.Name) and isinstance(two, ast.Name):
                        yield two.id, one.id


def _is_buffer(statement: ast.stmt, name: str, meaning: Meaning) -> bool:
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=target)], value=ast.Call(func=func, args=[ast.Name(id=first), _])
        ):
            return target == first == name and meaning(func) is runtime.buffer
    return False


def without_buffers(lines: list[ast.stmt], arrays: set[str], meaning: Meaning) -> list[ast.stmt]:
    """Adjoints that are arrays need not be made arrays."""
    return [s for s in lines if not any(_is_buffer(s, name, meaning) for name in arrays)]
