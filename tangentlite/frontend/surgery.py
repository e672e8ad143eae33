"""Inserted code: ``with tl.insert_grad_of(x) as dx: …`` becomes one statement that holds its body.

In: the tree of a function, and what its free names mean.
Out: the tree with calls ``insert_grad_of_1(x, n)`` of an ``Insertion``: first the values whose adjoints are meant, then
    what the body reads of the function.
Next: read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import CellType
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.errors import Place, UnsupportedSyntaxError
from tangentlite.frontend.inserted import OUTER, OUTSIDE, Insertion, refuse_body
from tangentlite.ir import Function, Namespace
from tangentlite.naming import Names
from tangentlite.runtime.edges.skipping import insert_grad_of
from tangentlite.values import field, mutable, replace

Step = Callable[[Any], list[Any]]
WHOLE, PRIMAL = "__with_blocks__", "__without_blocks__"  # attributes of functions
ONLY = "`tl.insert_grad_of` outside the head of a `with` is not supported"
HEAD = "Write `with tl.insert_grad_of(x) as dx:` and the code that is to be inserted below it."
NAMED = "Give the value a name first: `y = …`, then `with tl.insert_grad_of(y) as dy:`."
TARGETS = "Write as many names as values: `with tl.insert_grad_of(x, y) as (dx, dy):`."
CLASS = "inserted code in a class inside a function is not supported"
LASTING = "`{}` is bound by inserted code, and read by other code of the function"
KEEP = "The block runs later, and by itself. Keep what should last in a list, a dict or an object."


def taken_out(function: Function, drop: bool = False) -> Function:
    """The same function with a call for each block of inserted code; ``drop``: with nothing in its place."""
    if not _is_mentioned(function):
        return function
    if drop:
        return function.with_body(without(function.body, function.namespace) or function.body)
    taken = set(function.contents.names) | {p.name for p in function.params}
    surgery = _Surgery(function, Names(taken | set(function.namespace.cells)))
    return surgery.function()


def without(body: list[Any], space: Namespace) -> list[Any] | None:
    """Statements without their blocks of inserted code; None if there are none."""
    found = False

    def step(statement: Any) -> list[Any]:
        nonlocal found
        items = statement.items if isinstance(statement, gast.With) else []
        at = next((k for k, item in enumerate(items) if means(item.context_expr, space)), None)
        if at is None:
            return [statement]
        found = True
        pause = syntax.at(gast.Pass(), statement)
        return [_outer(statement, items[:at], [pause])] if at else [pause]

    new = _rewritten(body, step)
    return new if found else None


def _rewritten(body: list[Any], step: Step) -> list[Any]:
    """``syntax.rewrite``, also in the cases of ``match``."""

    def inside(statement: Any) -> list[Any]:
        if isinstance(statement, gast.Match):
            cases = [
                gast.match_case(c.pattern, c.guard, _rewritten(c.body, step))
                for c in statement.cases
            ]
            return [syntax.at(gast.Match(statement.subject, cases), statement)]
        return step(statement)

    return syntax.rewrite(body, inside)


def means(node: Any, namespace: Namespace) -> bool:
    """Whether ``node`` is a call of ``insert_grad_of``, or names it."""
    path = syntax.dotted(node.func if isinstance(node, gast.Call) else node)
    try:
        return path is not None and namespace.resolve(path) is insert_grad_of
    except (KeyError, AttributeError):
        return False


def _is_mentioned(function: Function) -> bool:
    if insert_grad_of.__name__ in function.contents.attributes:
        return True
    names = (n for n in function.contents.loads if function.namespace.binds(n))
    return any(function.namespace.lookup(n) is insert_grad_of for n in names)


@mutable
class _Surgery:
    """``found``: each call with its insertion, and the functions that it stands in, from the outermost."""

    source: Function
    names: Names
    cells: dict[str, CellType] = field(default_factory=dict)
    found: list[tuple[Any, Insertion]] = field(default_factory=list)

    def function(self) -> Function:
        """The function without its blocks."""
        function = self.source.with_body(self._block(self.source.body))
        for node in (n for s in function.body for n in syntax.walk(s)):
            if isinstance(node, gast.Name | gast.Attribute) and means(node, function.namespace):
                raise self._refusal(node, ONLY, HEAD)
        self._read(function.tree, frozenset())
        for call, insertion in self.found:
            if insertion.reads is None:
                raise self._refusal(call, CLASS, HEAD)
        self._check_lasting(function)
        return replace(function, namespace=function.namespace.extended(self.cells))

    def _block(self, body: list[Any]) -> list[Any]:
        return _rewritten(body, self._step)

    def _step(self, statement: Any) -> list[Any]:
        if not isinstance(statement, gast.With):
            return [statement]
        for at, item in enumerate(statement.items):
            if means(item.context_expr, self.source.namespace):
                if not isinstance(item.context_expr, gast.Call):
                    raise self._refusal(item.context_expr, ONLY, HEAD)
                rest = statement.items[at + 1 :]
                body = [_outer(statement, rest, statement.body)] if rest else statement.body
                made = self._made(statement, item, body)
                return [_outer(statement, statement.items[:at], made)] if at else made
        return [statement]

    def _made(self, statement: Any, item: Any, body: list[Any]) -> list[Any]:
        """The call, between reading and storing elements and attributes."""
        call, space = item.context_expr, self.source.namespace
        if call.keywords or any(isinstance(a, gast.Starred) for a in call.args) or not call.args:
            raise self._refusal(call, "`insert_grad_of` takes values, one by one", HEAD)
        targets = self._targets(item, len(call.args))
        refuse_body(body, targets, self._refusal)
        before, args, after = self._values(call, statement)
        if len({syntax.unparse(a) for a in call.args}) < len(call.args):
            raise self._refusal(call, "`insert_grad_of` of one value twice", HEAD)
        wish = f"{insert_grad_of.__name__}_{len(self.cells) + 1}"
        name = self.names.fresh(wish)
        insertion = Insertion(targets, body, space, self._place(statement))
        self.cells[name] = CellType(insertion)
        made = gast.Call(syntax.name(name), args, [])
        self.found.append((made, insertion))
        placed = syntax.at(gast.Expr(syntax.at(made, statement)), statement)
        self._head(placed, item)
        for node in syntax.walk(made):
            syntax.at(node, placed)
        return [*before, placed, *after]

    def _values(self, call: Any, statement: Any) -> tuple[list[Any], list[Any], list[Any]]:
        before, args, after = list[Any](), list[Any](), list[Any]()
        for value in call.args:
            match value:
                case gast.Name():
                    args.append(value)
                case gast.Attribute() | gast.Subscript():
                    place = self._place_of(value, before)
                    name = self.names.fresh(_wish(value))
                    before.append(syntax.assign(name, place))
                    after.append(syntax.assign(syntax.store(place), syntax.name(name)))
                    after[-1].puts_back = True
                    args.append(syntax.name(name))
                case _:
                    shown = f"`insert_grad_of` of `{syntax.unparse(value)}`, which is no variable"
                    raise self._refusal(value, shown, NAMED)
        for node in (n for s in [*before, *after] for n in syntax.walk(s)):
            syntax.at(node, statement)
        return before, args, after

    def _place_of(self, value: Any, before: list[Any]) -> Any:
        """An element or attribute, whose container and index are worked out once."""
        new = syntax.copy(value)
        for part in ("value", "slice"):
            inner = getattr(new, part, None)
            plain = isinstance(inner, gast.Name | gast.Constant | gast.Slice | gast.Tuple)
            if inner is not None and not plain:
                name = self.names.fresh("place")
                before.append(syntax.assign(name, inner))
                setattr(new, part, syntax.name(name))
        return new

    def _targets(self, item: Any, count: int) -> tuple[str | None, ...]:
        match item.optional_vars:
            case None:
                return (None,) * count
            case gast.Name(id=name) if count == 1:
                return (name,)
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                names = tuple(e.id for e in elements if isinstance(e, gast.Name))
                if len(names) == len(elements) == count == len(set(names)):
                    return names
        what = f"`insert_grad_of` of {count} values `as {syntax.unparse(item.optional_vars)}`"
        raise self._refusal(item.optional_vars, what, TARGETS)

    def _read(self, function: Any, outer: frozenset[str]) -> None:
        """Hand each insertion what it reads of the functions around it."""
        own = outer | scopes.own(function)
        known = {id(call): insertion for call, insertion in self.found}
        body = scopes.body_of(function)
        far = scopes.declared(body, gast.Global) | scopes.declared(body, gast.Nonlocal)
        for node in scopes.inside(body):
            if isinstance(node, scopes.FUNCTIONS):
                self._read(node, own)
            elif isinstance(node, gast.Call) and id(node) in known:
                insertion = known[id(node)]
                given = [a.id for a in node.args]
                if unknown := [n for n in given if n not in own]:
                    what = f"`insert_grad_of` of `{unknown[0]}`, which is no variable here"
                    raise self._refusal(node, what, NAMED)
                insertion.see(own, self._refusal)
                if insertion.bound & far:
                    raise self._refusal(node, OUTER, OUTSIDE)
                node.args += [syntax.at(syntax.name(n), node) for n in insertion.reads or ()]

    def _check_lasting(self, function: Function) -> None:
        """What inserted code binds is bound in its own run only."""
        own, read = function.local, syntax.loads(function.body)
        binders = Counter(n for _, insertion in self.found for n in insertion.bound)
        readers = Counter(n for _, i in self.found for n in set(syntax.loads(i.body)))
        for call, insertion in self.found:
            inner = syntax.loads(insertion.body)
            for name in sorted(insertion.bound - own):
                others = name in read or readers[name] > (name in inner)
                if others and binders[name] == 1 and not function.namespace.binds(name):
                    raise self._refusal(call, LASTING.format(name), KEEP)

    def _head(self, statement: Any, item: Any) -> None:
        """Place a statement where the head of the ``with`` stands, if that is on one line."""
        last = item.optional_vars or item.context_expr
        origin = self.source.origin
        if last.end_lineno != statement.lineno or not 1 <= statement.lineno <= len(origin.lines):
            return
        line = origin.lines[statement.lineno - 1]
        end = line.find(":", last.end_col_offset + origin.indent)
        statement.end_lineno, statement.end_col_offset = statement.lineno, end + 1 - origin.indent

    def _place(self, node: Any) -> Place | None:
        return self.source.origin.place(node)

    def _refusal(self, node: Any, what: str, hint: str) -> UnsupportedSyntaxError:
        return UnsupportedSyntaxError(what, self._place(node), hint)


def _outer(statement: Any, items: list[Any], body: list[Any]) -> Any:
    return syntax.at(gast.With(items, body, None), statement)


def _wish(value: Any) -> str:
    return value.attr if isinstance(value, gast.Attribute) else "element"
