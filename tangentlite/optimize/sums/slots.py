"""Slots: what is added to the parts of a dict or an object has names of its own, and is put there at the end.

In: a derivative.
Out: the same, in which the adjoints of such parts are values like others: they are added in place, or many at a time.
Next: improve.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.analysis.kinds import Dict, Kind, Num, Object
from tangentlite.ir import Derived, Function
from tangentlite.optimize.facts.nests import EXACT, Nests, is_changed
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.facts.scope import words
from tangentlite.optimize.replace import inside
from tangentlite.optimize.sums.alike import Alike
from tangentlite.values import replace

Body = list[gast.stmt]
Means = Callable[[gast.expr, Any], bool]
BLOCKS = (gast.For, gast.While, gast.If)
LEAVES = (gast.Return, gast.Break, gast.Continue, gast.FunctionDef, gast.Lambda, syntax.Inserted)
ZERO = syntax.expression("rt.ZERO")


def slots(derived: Derived) -> tuple[Derived, frozenset[str]]:
    """The derivative, and the names of the adjoints of parts.

    >>> import numpy as np, tangentlite as tl
    >>> def loss(p, n):
    ...     s = 0.0
    ...     for k in range(n):
    ...         s = s + p["w"] * p["b"] * k
    ...     return s
    >>> df = tl.grad(loss)
    >>> _ = df({"w": 2.0, "b": 3.0}, 4)
    >>> print("\\n".join(df.source.split("\\n\\n")[0].splitlines()[-4:]))
            bb = bb + bt3 * p['w']
            bw = bw + bt3 * p['b']
        bp = {'b': bb, 'w': bw}
        return rt.like(bp, p)
    """
    request, primal = derived.request, derived.primal
    plain = request.mode == "reverse" and not primal.generated
    kinds = {p.name: kind for p, kind in zip(primal.params, request.kinds or ())}
    kinds = {n: k for n, k in kinds.items() if n not in primal.bound and type(k) in EXACT}
    if not plain or not kinds:
        return derived, frozenset()
    deep = len(derived.functions) == 1 and not is_changed(primal.body)
    made = [_Slots(f, kinds, primal, deep) for f in derived.functions]
    functions = tuple(m.function.with_body(m.whole()) for m in made)
    named = frozenset[str]().union(*(m.named for m in made))
    return (replace(derived, functions=functions) if named else derived), named


def _parts(kind: Kind | None, deep: bool) -> frozenset[Any]:
    """The keys, or the attributes, of what holds numbers and arrays, or (if ``deep``) lists and dicts."""
    if not isinstance(kind, Dict) or type(kind) not in (Dict, Object) or kind.optional:
        return frozenset()
    if isinstance(kind, Object) and kind.loose:
        return frozenset()
    held = {k: i for k, i in zip(kind.keys, kind.items) if isinstance(k, str)}
    return frozenset(k for k, i in held.items() if _is_part(i, deep))


def _is_part(item: Kind, deep: bool) -> bool:
    return not item.inert if isinstance(item, Num) else deep and type(item) in EXACT


class _Slots:
    """The parts of arguments whose adjoints a function gathers."""

    def __init__(
        self,
        function: Function,
        kinds: dict[str, Kind],
        primal: Function,
        deep: bool,
    ) -> None:
        self.function = function
        self._means: Means = Purity(function.namespace, function.local, lambda callee: False).means
        self._used = {*function.local, *function.read, *primal.bound, *primal.read}
        self._used |= words(primal.origin.lines)
        self.named: set[str] = set()
        self._alike = Alike(
            nests := Nests(function.body if deep else [], kinds, self._means), self._means
        )
        self._kinds: dict[str, Any] = {n: k for n, k in nests.kinds.items() if _parts(k, deep)}
        self._parts = {n: _parts(k, deep) for n, k in self._kinds.items()}

    def whole(self) -> Body:
        """The statements of the function."""
        means_zero = self._means(ZERO, (runtime.ZERO,))
        return self._block(self.function.body) if means_zero else self.function.body

    def _block(self, body: Body) -> Body:
        made = [inside(s, self._block) if isinstance(s, BLOCKS) else s for s in body]
        made = self._alike.block(made)
        for start in range(len(made) - 1, -1, -1):
            name, source = self._zeros(made[start]) or ("", "")
            if name:
                made = self._apart(made, start, name, source)
        return made

    def _zeros(self, statement: gast.stmt) -> tuple[str, str] | None:
        """The adjoint that begins as zeros, and the argument that it belongs to."""
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Call(func=func, args=[gast.Name(id=source)], keywords=[]),
            ) if source in self._parts and self._means(func, (runtime.zeros,)):
                return name, source
        return None

    def _apart(self, body: Body, start: int, name: str, source: str) -> Body:
        """The statements with names for the parts, up to the first that reads the whole."""
        end = next(k for k in range(start + 1, len(body) + 1) if self._ends(body[k : k + 1], name))
        between, keys = body[start + 1 : end], dict[str, str]()
        added = [call for s in between for call in self._added(s, name)]
        for call in added:
            key = call.args[1].value
            if (
                key in self._parts[source]
                and key not in keys
                and self._is_one(key, source, added, between)
            ):
                keys[key] = self._fresh(key, source)
        if not keys:
            return body
        zeros, behind = body[start], body[end:]
        begun = [syntax.at(syntax.assign(part, ZERO), zeros) for part in keys.values()]
        between = [self._named(s, name, keys) for s in between]
        if len(keys) == len({call.args[1].value for call in added}):
            others = () if self._is_finished(behind, name, source) else self._kinds[source].keys
            values = dict.fromkeys(others, ZERO) | {k: syntax.name(p) for k, p in keys.items()}
            shown = gast.Dict(list(map(syntax.constant, values)), list(values.values()))
            whole = [syntax.at(syntax.assign(name, shown), zeros)]
            return [*body[:start], *begun, *between, *whole, *behind]
        stored = [self._put(name, k, part, zeros) for k, part in keys.items()]
        return [*body[:start], zeros, *begun, *between, *stored, *behind]

    def _is_one(self, key: str, source: str, added: list[Any], between: Body) -> bool:
        """Whether a part is a number or an array; what is more is only put there once."""
        kind = self._kinds[source]
        if isinstance(kind.items[kind.keys.index(key)], Num):
            return True
        calls = [call for call in added if call.args[1].value == key]
        lines = [s.value for s in between if isinstance(s, gast.Expr)]
        return len(calls) == 1 and any(calls[0] is line for line in lines)

    def _put(self, name: str, key: str, part: str, origin: gast.stmt) -> gast.stmt:
        (put,) = syntax.quote("b[k] = part", b=name, k=syntax.constant(key), part=part)
        return syntax.at(put, origin)

    def _ends(self, statements: Body, name: str) -> bool:
        """Whether a statement reads the whole, or is the last; there is none behind the end."""
        for statement in statements:
            kinds = {type(node) for node in syntax.walk(statement)}
            if not kinds.isdisjoint(LEAVES) or name in syntax.stores(statement):
                return True
            return syntax.times_loaded([statement])[name] != len(list(self._added(statement, name)))
        return True

    def _added(self, statement: gast.stmt, name: str) -> Iterator[gast.Call]:
        """The calls in a statement that add to a part of ``name``."""
        for inner in _lines(statement):
            match inner:
                case gast.Expr(
                    value=gast.Call(
                        func=func,
                        args=[gast.Name(id=base), gast.Constant(value=str()), _],
                        keywords=[],
                    )
                ) if base == name and self._means(func, (runtime.add_at,)):
                    yield inner.value

    def _named(self, statement: gast.stmt, name: str, keys: dict[str, str]) -> gast.stmt:
        """A statement that adds to the names of the parts."""
        if isinstance(statement, BLOCKS):
            return inside(statement, lambda body: [self._named(s, name, keys) for s in body])
        for call in self._added(statement, name):
            part = keys.get(call.args[1].value)
            if part is not None:
                sum_ = gast.BinOp(syntax.name(part), gast.Add(), call.args[2])
                return syntax.at(syntax.assign(part, sum_), statement)
        return statement

    def _is_finished(self, behind: Body, name: str, source: str) -> bool:
        """Whether the whole is read only where it is given back: parts that are missing are nought there."""
        if not behind or syntax.times_loaded(behind)[name] != 1:
            return False
        for node in syntax.walk(behind[0]):
            match node:
                case gast.Call(func=func, args=[gast.Name(id=first), gast.Name(id=second)]):
                    if (first, second) == (name, source) and self._means(func, (runtime.like,)):
                        return True
        return False

    def _fresh(self, key: str, source: str) -> str:
        """The name of the adjoint of a part."""
        wish = f"b{key}" if key.isidentifier() else f"b{source}_part"
        found = wish if wish not in self._used else f"b{source}_{wish[1:]}"
        while found in self._used:
            found += "_"
        self._used.add(found)
        self.named.add(found)
        return found


def _lines(statement: gast.stmt) -> Iterator[gast.stmt]:
    """The statements that a statement consists of, in loops and branches."""
    if not isinstance(statement, BLOCKS):
        yield statement
        return
    for block in syntax.blocks(statement):
        for inner in block:
            yield from _lines(inner)
