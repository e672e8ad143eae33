"""Arrays that trade places in a loop have names of their own for as long as they keep them, and are known to be apart.

In: the tree of a kernel, what is known of its names.
Out: the same tree, changed in place; the names, each with the number of its group.
Next: loops.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from tangentlite.native.facts.names import blocks, bound, loads, rebuild, statements, stores
from tangentlite.native.memory.shelves import put_and_taken, shelves

Body = list[ast.stmt]
Group = frozenset[str]
LATER = (ast.Lambda, ast.FunctionDef)  # they read names when they are called


def held(tree: ast.FunctionDef, names: Any) -> dict[str, int]:
    """Names that hold arrays up to the next trade; two of one number are two arrays.

    >>> text = "def f(p, w, n):\\n q = w * p\\n for i in range(n):\\n  q[1:] = w[1:] * p[:-1]"
    >>> tree = ast.parse(text + "\\n  t = p\\n  p = q\\n  q = t\\n return p").body[0]
    >>> fresh = lambda self, value: isinstance(value, ast.BinOp)
    >>> known = {"ranks": dict.fromkeys("pqtw", 1), "roots": {"w"}, "separate": {"p", "w"}}
    >>> known |= {"is_fresh": fresh, "marks": set()}
    >>> held(tree, type("Names", (), known)())
    {'p_held': 1, 'q_held': 1}
    >>> print(ast.unparse(tree))
    def f(p, w, n):
        q = w * p
        for i in range(n):
            p_held = p
            q_held = q
            q_held[1:] = w[1:] * p_held[:-1]
            t = p_held
            p = q
            q = t
        return p
    """
    groups = [g for g in traded(_blocks(tree.body)) if _are_apart(tree, g, names)]
    viewed = _viewed(tree, names)
    if not (groups or viewed) or any(isinstance(n, LATER) for s in tree.body for n in ast.walk(s)):
        return {}
    holder = _Holder(tree, groups, viewed.difference(*groups))
    tree.body = holder.block(tree.body)
    ast.fix_missing_locations(tree)
    return holder.found


def _viewed(tree: ast.FunctionDef, names: Any) -> set[str]:
    """Names that are bound to several arrays, and of which parts have names."""
    plain = (s for s in statements(tree.body) if not isinstance(s, ast.AugAssign))
    times = Counter(n for s in plain for n in bound(s))
    times.update(a.arg for a in tree.args.args)
    found = {n for s in statements(tree.body) for n in _view(s) if times[n] > 1}
    return {n for n in found if names.ranks.get(n, -1) > 0 and n not in names.marks}


def _view(statement: ast.stmt) -> list[str]:
    """The array of which a statement gives a part a name."""
    match statement:
        case ast.Assign(
            targets=[ast.Name()], value=ast.Subscript(value=ast.Name(id=name), slice=index)
        ):
            return [name] if any(isinstance(n, ast.Slice) for n in ast.walk(index)) else []
    return []


class _Holder:
    def __init__(self, tree: ast.FunctionDef, groups: list[Group], viewed: set[str]) -> None:
        self._groups, self._viewed, self.found = groups, viewed, _kept(tree, groups)
        self._names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        self._numbers = count(1 + max(self.found.values(), default=0))

    def block(self, body: Body) -> Body:
        """A block, and those inside, with other names between the statements that bind the arrays."""
        for group in self._groups:
            if any(not group.isdisjoint(cycle) for run in _runs(body) for cycle in _cycles(run)):
                body = self._between(body, group)
        for name in sorted(self._viewed.intersection(n for s in body for n in _binds(s))):
            body = self._between(body, frozenset([name]))
        for statement in body:
            rebuild(statement, self.block)
        return body

    def _between(self, body: Body, group: Group) -> Body:
        done, part = list[ast.stmt](), list[ast.stmt]()
        for statement in body:
            if group.isdisjoint(_binds(statement)):
                part.append(statement)
            else:
                done += [*self._held(part, group), statement]
                part = []
        return done + self._held(part, group)

    def _held(self, part: Body, group: Group) -> Body:
        """Statements between two that bind these arrays, if they have to do with elements or parts of them."""
        nodes = [n for s in part for n in ast.walk(s)]
        met = [n for n in nodes if isinstance(n, ast.Name) and n.id in group]
        arrays = (n.value for n in nodes if isinstance(n, ast.Subscript))
        if len(group) > 1:
            fits = any(isinstance(a, ast.Name) and a.id in group for a in arrays)
        else:
            fits = any(n in group for s in statements(part) for n in _view(s))
        if not fits:
            return part
        at = next(k for k, s in enumerate(part) if any(n in met for n in ast.walk(s)))
        others = {name: self._fresh(name) for name in sorted({n.id for n in met})}
        for node in met:
            node.id = others[node.id]
        self.found |= dict.fromkeys(others.values(), next(self._numbers))
        first = "\n".join(f"{other} = {name}" for name, other in others.items())
        return [*part[:at], *ast.parse(first).body, *part[at:]]

    def _fresh(self, name: str) -> str:
        wishes = (f"{name}_held{k if k > 1 else ''}" for k in count(1))
        found = next(wish for wish in wishes if wish not in self._names)
        self._names.add(found)
        return found


def _binds(statement: ast.stmt) -> set[str]:
    """The names that are bound to something else; sums are added in place."""
    plain = (s for s in statements([statement]) if not isinstance(s, ast.AugAssign))
    return {n for s in plain for n in bound(s)}


def released(tree: ast.FunctionDef, names: dict[str, int]) -> None:
    """Names that are needed no more once loops are written: each costs the count of who holds an array.

    >>> tree = ast.parse("for i in x:\\n p_held = p\\n p_held[0] = 1\\n t = p_held\\n p = q").body[0]
    >>> released(tree, {"p_held": 1})
    >>> print(ast.unparse(tree))
    for i in x:
        p[0] = 1
        t = p
        p = q
    """
    times = Counter(n.id for n in ast.walk(tree) if isinstance(n, ast.Name))
    for block in list(_blocks(tree.body)):
        for statement in list(block):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=other)) if (
                    name in names
                ):
                    place = block.index(statement)
                    until = _same(block[place + 1 :], other)
                    met = [n for s in until for n in ast.walk(s) if _is(n, name)]
                    if len(met) == times[name] - 1:
                        for node in met:
                            node.id = other  # type: ignore[attr-defined]
                        block.remove(statement)


def _same(body: Body, name: str) -> Body:
    """The statements up to the first that binds a name."""
    end = next((k for k, s in enumerate(body) if name in _binds(s)), len(body))
    return body[:end]


# Trades -------------------------------------------------------------------------------------


def _runs(body: Body) -> Iterator[Body]:
    """Bindings of names to names that follow each other in a block."""
    run: Body = []
    for statement in [*body, ast.Pass()]:
        match statement:
            case ast.Assign(targets=[ast.Name()], value=ast.Name()):
                run.append(statement)
            case _:
                if len(run) > 1:
                    yield run
                run = []


def _cycles(run: Body) -> list[Group]:
    """The names that have each other's values once all is bound.

    >>> [sorted(names) for names in _cycles(ast.parse("t = a; c = d; a = b; b = t").body)]
    [['a', 'b']]
    """
    now: dict[str, str] = {}
    times = Counter(stores(run))
    for statement in run:
        (name,), (other,) = stores([statement]), loads(statement)
        now[name] = now.get(other, other)
    found = set()
    for name in now:
        met, at = [name], now[name]
        while at in now and at not in met:
            met.append(at)
            at = now[at]
        if at == name and len(met) > 1 and all(times[n] == 1 for n in met):
            found.add(frozenset(met))
    return sorted(found, key=sorted)


def traded(bodies: Iterable[Body]) -> list[Group]:
    """Groups of names between which arrays are traded."""
    groups: list[Group] = []
    for cycle in (c for block in bodies for run in _runs(block) for c in _cycles(run)):
        alike = [g for g in groups if not g.isdisjoint(cycle)]
        groups = [g for g in groups if g not in alike] + [cycle.union(*alike)]
    return groups


def _blocks(body: Body) -> Iterator[Body]:
    yield body
    for statement in statements(body):
        yield from blocks(statement)


def _are_apart(tree: ast.FunctionDef, group: Group, names: Any) -> bool:
    """Whether arrays are apart when they get these names, and nothing is done but trades from then on."""
    trades = {
        id(statement)
        for block in _blocks(tree.body)
        for run in _runs(block)
        for cycle in _cycles(run)
        for statement in run
        if not cycle.isdisjoint(stores([statement]))
    }
    origins = [a.arg for a in tree.args.args if a.arg in group]
    if not names.separate.issuperset(origins) or any(names.ranks.get(n, -1) < 1 for n in group):
        return False
    for statement in statements(tree.body):
        named = group.isdisjoint(bound(statement)) or isinstance(statement, ast.AugAssign)
        if named or id(statement) in trades:
            continue
        match statement:
            case ast.Assign(targets=[ast.Name()], value=ast.Name(id=other)):
                origins.append(other)
                if other not in names.roots:
                    return False
            case ast.Assign(targets=[ast.Name()], value=value) if names.is_fresh(value):
                pass
            case _:
                return False
    walrus = {n.target.id for n in ast.walk(tree) if isinstance(n, ast.NamedExpr)}
    return len({*origins}) == len(origins) and group.isdisjoint(walrus)


# Lists --------------------------------------------------------------------------------------


def _kept(tree: ast.FunctionDef, groups: list[Group]) -> dict[str, int]:
    """Names of what is taken off a list at once, where it was put on it under names of one group."""
    found: dict[str, int] = {}
    times = Counter(stores(tree.body))
    for shelf, size in shelves(tree.body).items():
        puts, takes = put_and_taken(tree.body, shelf)
        for group in groups:
            places = [k for k in range(size) if all(_is_of(p[k], group) for _, p in puts)]
            rows = [[ast.unparse(parts[k]) for k in places] for _, parts in puts]
            apart = all(len({*row}) == len(row) for row in rows)
            for _, taken in takes if apart and rows else ():
                kept = [ast.unparse(taken[k]) for k in places]
                if all(times[name] == 1 for name in kept):
                    found |= dict.fromkeys(kept, len(found) + 1)
    return found


def _is_of(part: ast.expr, group: Group) -> bool:
    return isinstance(part, ast.Name) and part.id in group


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
