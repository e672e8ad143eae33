"""A new object whose attributes are bound one after the other is made at once.

In: the statements that follow the making of an object.
Out: statements in which the object is made when all its attributes are known.
Next: objects.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from tangentlite import syntax
from tangentlite.lowering.rewriting import within

Plain = Callable[[gast.expr, str, bool], bool]


def gathered(
    body: list[gast.stmt],
    sources: dict[gast.stmt, gast.stmt],
    plain: Plain = lambda owner, key, bare: True,
) -> list[gast.stmt]:
    """``x = rt.made(C); f = vars(x); f["w"] = v`` becomes ``x = rt.made(C, w=v)``, as far as x is not used otherwise.

    ``plain`` tells whether ``x.key = v`` of a class does nothing but to set an attribute; ``bare``: unasked.

    >>> text = "x = rt.made(C)\\nf = vars(x)\\nt1 = g(a)\\nf['w'] = t1\\nf['n'] = 2\\nt2 = x.w\\nh(x)"
    >>> body = syntax.parse(text)
    >>> print("\\n".join(map(syntax.unparse, gathered(body, dict.fromkeys(body, body[0])))))
    t1 = g(a)
    x = rt.made(C, w=t1, n=2)
    t2 = x.w
    h(x)
    >>> body = syntax.parse("x = rt.made(C)\\ny = rt.made(C)\\nf = vars(y)\\nf['w'] = 1\\nh(x, y)")
    >>> print("\\n".join(map(syntax.unparse, gathered(body, dict.fromkeys(body, body[0])))))
    x = rt.made(C)
    y = rt.made(C, w=1)
    h(x, y)
    >>> body = syntax.parse("x = rt.made(C, w=1)\\nf = vars(x)\\nf['w'] = a\\nh(x)")
    >>> print("\\n".join(map(syntax.unparse, gathered(body, dict.fromkeys(body, body[0])))))
    x = rt.made(C, w=a)
    h(x)
    """
    result: list[gast.stmt] = []
    rest = list(body)
    while rest:
        statement = rest.pop(0)
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Call(func=gast.Attribute(value=gast.Name(), attr="made")) as make,
            ):
                before, made, rest = _Gathering(name, make, statement, sources, plain).run(rest)
                result += [*gathered(before, sources, plain), *made]
                continue
        result.append(within(statement, lambda block: gathered(block, sources, plain), sources))
    return result


class _Gathering:
    """The statements after ``x = rt.made(C)``."""

    def __init__(
        self,
        name: str,
        make: gast.Call,
        statement: gast.stmt,
        sources: dict[gast.stmt, gast.stmt],
        plain: Plain,
    ) -> None:
        self.plain = plain
        self.name, self.make, self.statement, self.sources = name, make, statement, sources
        self.fields = {k.arg: k.value for k in make.keywords}
        self.views: dict[str, gast.Assign] = {}
        self.before: list[gast.stmt] = []

    def run(
        self, rest: list[gast.stmt]
    ) -> tuple[list[gast.stmt], list[gast.stmt], list[gast.stmt]]:
        """What stands before the object is made, the making of it, and what stands after."""
        filled = kept = 0  # what follows the last statement that fills the object stays behind it
        for position, statement in enumerate(rest):
            values = {v.id for v in self.fields.values() if isinstance(v, gast.Name)}
            known = len(self.fields), len(self.views)
            if syntax.stores(statement) & {self.name, *values} or not self.takes(statement):
                break
            if known != (len(self.fields), len(self.views)) or self.refills(statement):
                filled, kept = position + 1, len(self.before)
        del self.before[kept:]
        return self.made(rest[filled:])

    def refills(self, statement: gast.stmt) -> bool:
        """Whether a statement sets an attribute of the object."""
        match statement:
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=view))]):
                return view in self.views
        return False

    def takes(self, statement: gast.stmt) -> bool:
        """Whether a statement only fills the object, or has nothing to do with it."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=view)], value=value) if (
                syntax.viewed(value) == self.name
            ):
                self.views[view] = statement
            case gast.Assign(
                targets=[gast.Subscript(value=gast.Name(id=view), slice=gast.Constant(value=key))],
                value=value,
            ) if view in self.views and not self.mentioned(value):
                bare = syntax.is_bare(self.views[view].value)
                if not self.plain(self.make.args[0], key, bare):
                    return False
                self.fields[key] = value
            case gast.Assign(
                targets=[gast.Name() as target],
                value=gast.Attribute(value=gast.Name(id=given), attr=attr),
            ) if given == self.name and attr in self.fields:
                new = syntax.at(gast.Assign([target], self.fields[attr], None), statement)
                self.sources[new] = self.sources[statement]
                self.before.append(new)
            case _ if isinstance(statement, gast.Return) or self.mentioned(statement):
                return False
            case _:
                self.before.append(statement)
        return True

    def mentioned(self, node: gast.AST) -> bool:
        own = {self.name, *self.views}
        return bool(own & (syntax.loads(node) | syntax.stores(node)))

    def made(
        self, after: list[gast.stmt]
    ) -> tuple[list[gast.stmt], list[gast.stmt], list[gast.stmt]]:
        keywords = [gast.keyword(key, value) for key, value in self.fields.items()]
        old = [k.value for k in self.make.keywords]
        same = len(old) == len(keywords) and all(k.value is v for k, v in zip(keywords, old))
        if same and not self.before:
            kept: gast.stmt = self.statement
        else:
            call = syntax.copy(self.make)
            call.keywords = keywords
            kept = syntax.assign(self.name, call)
            for node in syntax.walk(kept):
                syntax.at(node, self.statement)
            self.sources[kept] = self.sources[self.statement]
        used = syntax.loads(after) | syntax.stores(after)
        views = [view for known, view in self.views.items() if known in used]
        return self.before, [kept, *views], after
