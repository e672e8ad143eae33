"""What Python makes lazily and gives a name is made where it is walked over.

In: the statements of a function.
Out: the same statements without such names: what the iterable holds from the start has names of its own.
Next: generators, iterators.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.frontend.consumers import CALLING, VIEWS, is_one
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.iteration import lazy


def postponed(body: list[Any], context: Context) -> list[Any]:
    """Elements are read when they are asked for, so that they are as they are then.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("g = zip(x, h(x))\\nx[0] = 1\\nfor v, w in g:\\n    h(v)", "x"))
    t1 = h(x)
    x[0] = 1
    t2 = rt.sequence(x)
    t3 = len(t2)
    t4 = rt.sequence(t1)
    t5 = len(t4)
    t6 = min(t3, t5)
    for i in range(t6):
        v = t2[i]
        w = t4[i]
        h(v)
    return None
    """
    lazies = {v for v in context.once if _is_lazy(v, context)}
    return _Postponed(body, lazies, context).block(body) if lazies else body


def _is_lazy(node: Any, context: Context) -> bool:
    if isinstance(node, gast.GeneratorExp):
        return True
    return isinstance(node, gast.Call) and lazy.may_be(node, context)


class _Postponed:
    """``later``: the iterables by their names, as they are written where they are walked over."""

    def __init__(self, body: list[Any], lazies: set[gast.expr], context: Context) -> None:
        self.lazies, self.context = lazies, context
        self.later: dict[str, Any] = {}
        self.bound = syntax.times_stored(body)
        self.bound.update(p.name for p in context.function.params)

    def block(self, body: list[Any]) -> list[Any]:
        result: list[Any] = []
        for statement in body:
            match statement:
                case gast.Assign(targets=[gast.Name(id=name)], value=value) if value in self.lazies:
                    self.later[name] = self.held(self.said(value), result)
                    continue
            result.append(self.statement(statement))
        return result

    def statement(self, statement: Any) -> Any:
        """A statement that walks over what was made before it."""
        statement = self.said(statement)
        inner: dict[str, Any] = {}
        for field in syntax.BLOCKS:
            block = getattr(statement, field, None)
            if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
                inner[field] = self.block(block)
        return remade(statement, **inner) if inner else statement

    def said(self, node: Any) -> Any:
        """A tree in which iterables stand for their names."""
        names = syntax.loads(node) & self.later.keys()
        return syntax.substitute(node, {n: self.later.pop(n) for n in names}) if names else node

    def held(self, node: Any, lines: list[Any]) -> Any:
        """A lazy iterable of which the parts that are there from the start have names."""
        if isinstance(node, gast.GeneratorExp):
            first = node.generators[0]
            first = remade(first, iter=self.part(first.iter, lines))
            return remade(node, generators=[first, *node.generators[1:]])
        if isinstance(node.func, gast.Attribute) and node.func.attr in VIEWS and not node.args:
            owner = self.part(node.func.value, lines)
            return remade(node, func=remade(node.func, value=owner))
        calling = is_one(self.context.meaning(node.func), CALLING)
        first = node.args[:1] if calling else []
        args = [*first, *(self.part(a, lines) for a in node.args[len(first) :])]
        keywords = [remade(k, value=self.part(k.value, lines)) for k in node.keywords]
        return remade(node, args=args, keywords=keywords)

    def part(self, node: Any, lines: list[Any]) -> Any:
        """What an iterable is made of: lambdas and other iterables stay, values get names."""
        if isinstance(node, gast.Starred):
            return remade(node, value=self.named("t = make(e)", node.value, lines))
        if _is_lazy(node, self.context):
            return self.held(node, lines)
        steady = isinstance(node, gast.Name) and self.bound[node.id] < 2
        if steady or isinstance(node, gast.Constant | gast.Lambda):
            return node
        return self.named("t = e", node, lines)

    def named(self, text: str, node: Any, lines: list[Any]) -> Any:
        name = self.context.temporary()
        holes = {"make": self.context.builtin("tuple", node)} if "make" in text else {}
        lines += self.context.quote(text, node, t=name, e=node, **holes)
        return read(name, node)
