"""A `defaultdict` or `Counter` that is made in the function is a dict, in which what is missing is put first.

In: a function.
Out: the function, with plain dicts.
Next: read.
"""

from __future__ import annotations

import collections
from collections.abc import Collection, Iterator
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.frontend import tallies
from tangentlite.frontend.defaulting import attributes, default, meaning
from tangentlite.frontend.keys import is_steady, keyed
from tangentlite.ir import Function
from tangentlite.scopes import FUNCTIONS
from tangentlite.values import replace

MADE = (collections.defaultdict, collections.Counter)
READ = ("items", "keys", "values", "get", "most_common", "total")
CHANGED = ("pop", "clear")
SIMPLE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.Return, gast.Assert)
MAYBE = (gast.BoolOp, gast.IfExp, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
WRITTEN = "writing into a `{}` that is captured, handed on, or read where it may not be"
NAMELESS = "a `defaultdict` that has no name of its own"
HINT = "Use a dict: `d = {}`, and `d[k] = d.get(k, 0.0) + v` or `d.setdefault(k, []).append(v)`."


def resolved(function: Function) -> Function:
    """``d = defaultdict(float)`` is ``d = {}``; before ``d[k]`` is read, ``d[k] = 0.0`` if it is not there.

    >>> from tangentlite.ir import Namespace, Origin
    >>> tree = gast.parse("def f(x):\\n    d = defaultdict(float)\\n    d['a'] += x\\n    return d['a']").body[0]
    >>> space = Namespace({"defaultdict": collections.defaultdict})
    >>> print(syntax.unparse(resolved(Function(tree, "f", (), space, Origin("f.py", 1, ()))).tree))
    def f(x):
        d = {}
        if 'a' not in d:
            d['a'] = 0.0
        d['a'] += x
        if 'a' not in d:
            d['a'] = 0.0
        return d['a']
    """
    kept = {} if function.generated else attributes(function)
    makes = any(meaning(call.func, function.namespace) in MADE for call in function.contents.calls)
    if not makes and not kept:
        return function
    function = function.with_body(syntax.rewrite(function.body, _parted))
    function = tallies.counted(function)
    known = {**kept, **dict(_made(function, kept))}
    function = keyed(function, known)
    for name, text in known.items():
        if text is None or not _is_plain(name, function):
            _refuse(name, function)
    _refuse_others(function, known)
    plain = {n: d for n, d in known.items() if d is not None and _is_plain(n, function)}
    if not plain:
        return function
    counting = {
        n for s in syntax.statements(function.body) for n in plain if _counts(s, n, function)
    }
    tree = syntax.copy(function.tree)
    tree.body = _Filling(plain, counting).block(tree.body)
    return replace(function, tree=tree)


def _parted(statement: Any) -> list[Any]:
    """``a, b = defaultdict(float), 0.0`` as two statements."""
    match statement:
        case gast.Assign(targets=[gast.Tuple(elts=left)], value=gast.Tuple(elts=right)):
            calls = any(isinstance(v, gast.Call) for v in right)
            apart = syntax.stores(left).isdisjoint(syntax.loads(right))
            names = all(isinstance(t, gast.Name) for t in left)
            if calls and apart and names and len(left) == len(right):
                return [
                    syntax.at(gast.Assign([t], v, None), statement) for t, v in zip(left, right)
                ]
    return [statement]


def _refuse_others(function: Function, known: dict[str, str | None]) -> None:
    """One that has no name of its own may be written anywhere."""
    named = {
        id(s.value)
        for s in syntax.statements(function.body)
        if isinstance(s, gast.Assign)
        and (isinstance(s.targets[0], gast.Name) or syntax.dotted(s.targets[0]) in known)
    }
    for node in function.contents.calls:
        if (
            id(node) not in named
            and meaning(node.func, function.namespace) is collections.defaultdict
        ):
            if not node.args or meaning(node.args[0], function.namespace) not in (int, bool, str):
                place = function.origin.place(node)
                raise UnsupportedSyntaxError(NAMELESS, place, HINT)


def _made(function: Function, kept: dict[str, str | None]) -> Iterator[tuple[str, str | None]]:
    """The names, and attributes, that are bound to new ones, with the text of what is put where nothing is."""
    for statement in syntax.statements(function.body):
        match statement:
            case gast.Assign(targets=[target], value=gast.Call() as call):
                name, found = syntax.dotted(target), meaning(call.func, function.namespace)
                plain = isinstance(target, gast.Name)
                if name is None or not (plain or name in kept):
                    continue
                if plain and found is collections.Counter and _shown(call) is not None:
                    yield name, "0"
                elif found is collections.defaultdict and call.args:
                    yield name, default(call, function.namespace)


def _shown(call: Any) -> Any:
    """The dict that ``Counter()``, ``Counter(a=1)`` or ``Counter({"a": 1})`` shows; None of anything else."""
    keys: list[Any] = [syntax.at(syntax.constant(k.arg), call) for k in call.keywords]
    values = [k.value for k in call.keywords]
    if any(k.arg is None for k in call.keywords):
        return None
    match call.args:
        case []:
            return gast.Dict(keys, values)
        case [gast.Dict(keys=first, values=given)] if None not in first:
            return gast.Dict([*first, *keys], [*given, *values])
    return None


def _is_plain(name: str, function: Function) -> bool:
    """Whether all that is done with a name is what can be done with a dict, in the function itself."""
    counts = any(_counts(s, name, function) for s in syntax.statements(function.body))
    allowed: set[int] = set()
    for node in (n for s in function.body for n in syntax.walk(s)):
        match node:
            case gast.FunctionDef() | gast.Lambda() if any(_is(n, name) for n in syntax.walk(node)):
                return False
            case gast.Assign(targets=[made], value=gast.Call(func=func)) if _is(made, name):
                if meaning(func, function.namespace) in MADE:
                    allowed.add(id(made))
            case gast.Subscript(value=own, ctx=ctx) if _is(own, name):
                if not (counts and isinstance(ctx, gast.Del)):  # a Counter minds no missing key
                    allowed.add(id(own))
            case gast.Call(func=gast.Attribute(value=own, attr=attr)) if _is(own, name):
                if attr in READ or (attr in CHANGED and not counts):
                    allowed.add(id(own))
            case gast.Call(func=gast.Name(id="len" | "sorted" | "list"), args=[own]):
                allowed.add(id(own))
            case gast.For(iter=own) | gast.comprehension(iter=own):
                allowed.add(id(own))
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[own]):
                allowed.add(id(own))
    uses = [n for s in function.body for n in syntax.walk(s) if _is(n, name)]
    if any(id(n) not in allowed for n in uses) or name in {p.name for p in function.params}:
        return False
    return all(_is_read_plainly(name, s, function.local) for s in syntax.statements(function.body))


def _is(node: Any, name: str) -> bool:
    """Whether an expression is a name, or an attribute of one."""
    return isinstance(node, gast.Name | gast.Attribute) and syntax.dotted(node) == name


def _counts(statement: Any, name: str, function: Function) -> bool:
    """Whether a name is bound to a Counter."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Call(func=func)):
            return target == name and meaning(func, function.namespace) is collections.Counter
    return False


def _is_read_plainly(name: str, statement: Any, own: Collection[str]) -> bool:
    """Whether ``d[k]`` is read for certain where a statement begins, and k may be said twice."""
    for head in _heads(statement):
        found = list(_reads(head, name))
        sure = {id(n) for n in _certain(head)}
        if found and isinstance(statement, gast.While):
            return False
        for node in found:
            if id(node) not in sure or not is_steady(node.slice, own):
                return False
    return True


def _heads(statement: Any) -> list[Any]:
    """What a statement evaluates itself, its blocks aside."""
    if isinstance(statement, SIMPLE):
        return [statement]
    heads = (getattr(statement, field, None) for field in ("test", "iter", "subject"))
    return [h for h in heads if h is not None] + list(getattr(statement, "items", []))


def _reads(head: Any, name: str) -> Iterator[Any]:
    targets = [head.target] if isinstance(head, gast.AugAssign) else []
    for node in syntax.walk(head):
        match node:
            case gast.Subscript(value=base, ctx=ctx) if _is(base, name):
                if isinstance(ctx, gast.Load) or node in targets:
                    yield node


def _certain(head: Any) -> Iterator[Any]:
    """The parts of an expression that are evaluated whatever the values are."""
    waiting = [head]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case gast.BoolOp(values=[first, *_]) | gast.IfExp(test=first):
                waiting.append(first)
            case _ if isinstance(node, MAYBE):
                waiting.append(node.generators[0].iter)
            case _ if not isinstance(node, FUNCTIONS):
                waiting += syntax.children(node)


def _refuse(name: str, function: Function) -> None:
    """What is no plain dict may be read, and count, but no values may be put into it by key.

    An attribute is that of any object, so that all who read it must know.
    """
    if "." in name:
        nodes = (n for s in function.body for n in syntax.walk(s) if _is(n, name))
        raise UnsupportedSyntaxError(WRITTEN.format(name), function.origin.place(next(nodes)), HINT)
    statement: Any
    for statement in syntax.statements(function.body):
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        for target in targets:
            if _is_element(target, name) and not isinstance(statement.value, gast.Constant):
                place = function.origin.place(target)
                raise UnsupportedSyntaxError(WRITTEN.format(name), place, HINT)


def _is_element(target: Any, name: str) -> bool:
    """Whether a target is in what a name holds, however deep."""
    while isinstance(target, (gast.Subscript, gast.Attribute)):
        if isinstance(target, gast.Subscript) and _is(target.value, name):
            return True
        target = target.value
    return False


class _Filling:
    """Puts in what is missing before it is read; a Counter gives 0 and puts in nothing."""

    def __init__(self, names: dict[str, str], counting: set[str]) -> None:
        self.names, self.counting = names, counting

    def block(self, body: list[Any]) -> list[Any]:
        return [new for statement in body for new in self.statement(statement)]

    def statement(self, statement: Any) -> list[Any]:
        for field in (*syntax.BLOCKS, "handlers", "cases"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list) and inner and field in syntax.BLOCKS:
                setattr(statement, field, self.block(inner))
            elif isinstance(inner, list):
                for part in inner:
                    part.body = self.block(part.body)
        match statement:
            case gast.Assign(targets=[made], value=gast.Call()) if (
                syntax.dotted(made) in self.names
            ):
                shown = _shown(statement.value)
                if isinstance(statement.targets[0], gast.Attribute) or shown is None:
                    shown = gast.Dict([], [])
                statement.value = syntax.at(shown, statement.value)
                return [statement]
        before = [
            self.filled(node, name, default)
            for name, default in self.names.items()
            for head in _heads(statement)
            for node in _reads(head, name)
            if name not in self.counting or not isinstance(node.ctx, gast.Load)
        ]
        return [*before, _Counted(self.counting).visit(statement) if self.counting else statement]

    def filled(self, node: Any, name: str, default: str) -> Any:
        text = f"if k not in d:\n    d[k] = {default}"
        (made,) = syntax.quote(text, k=node.slice, d=syntax.parse(name)[0].value)
        for part in syntax.walk(made):
            syntax.at(part, node)
        return made


class _Counted(gast.NodeTransformer):  # type: ignore[misc]
    """``c[k]`` of a Counter is ``c.get(k, 0)``."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Subscript(self, node: Any) -> Any:
        """An element that is read."""
        node = self.generic_visit(node)
        match node:
            case gast.Subscript(value=gast.Name(id=name), slice=key, ctx=gast.Load()):
                if name in self.names:
                    made = syntax.expression("c.get(k, 0)", c=name, k=key)
                    for part in syntax.walk(made):
                        syntax.at(part, node)
                    return made
        return node
