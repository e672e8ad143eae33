"""``getattr`` with a name that is only known when the program runs: one of the attributes that the object has.

In: a call, and the kinds before it.
Out: statements that mean the same, ``if name == "on_start": t = x.on_start`` and so on.
Next: getters.
"""

from __future__ import annotations

from types import FunctionType

import gast

from tangentlite import syntax
from tangentlite.analysis.calling import stars
from tangentlite.analysis.classes import members
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.kinds import Inert, Kind, Object

MOST = 16  # attributes of which one is meant
Statements = list[gast.stmt]


class Attributes(stars.Stars):
    """The part of the classifier for attributes that are named when the program runs."""

    def named_attribute(
        self, statement: gast.stmt, call: gast.Call, state: Environment
    ) -> Statements | None:
        """``t = getattr(x, "on_" + kind)`` becomes ``if … == "on_start": t = x.on_start`` and so on."""
        match call.args:
            case [gast.Name() as base, name, *default] if not call.keywords:
                kind, text = self.kind(base, state), self._text(name, state)
            case _:
                return None
        if not isinstance(kind, Object) or kind.fields or kind.optional:
            return None
        if isinstance(text, Inert) and isinstance(text.literal, str):
            return self._known(statement, base, kind, text.literal, default)
        if not isinstance(name, gast.Name):
            return None
        first, last = self._ends(name.id)
        found = [n for n in self._attributes(statement, kind) if n.startswith(first)]
        found = [n for n in found if n.endswith(last)]
        if not found or len(found) > MOST:
            return None
        rest = self._otherwise(statement, kind.owner, name, default)
        for attribute in reversed(found):
            test = syntax.expression("n == a", n=name, a=syntax.constant(attribute))
            read = gast.Attribute(base, attribute, gast.Load())
            rest = [gast.If(test, [stars.with_call(statement, read)], rest)]
        return rest

    def _text(self, name: gast.expr, state: Environment) -> Kind:
        """The kind of a name of an attribute."""
        if isinstance(name, gast.Constant):
            return Inert("str", literal=name.value)
        return self.kind(name, state)

    def _known(
        self,
        statement: gast.stmt,
        base: gast.expr,
        kind: Object,
        name: str,
        default: list[gast.expr],
    ) -> Statements | None:
        """``getattr(x, "w", v)`` is ``x.w``, if x has it."""
        found = name in kind.keys or members.lookup(kind.owner, name)[1] is not members.MISSING
        if default and not found:
            return None if kind.loose else [stars.with_call(statement, default[0])]
        return [stars.with_call(statement, gast.Attribute(base, name, gast.Load()))]

    def attribute_set(
        self, statement: gast.stmt, call: gast.Call, state: Environment
    ) -> Statements | None:
        """``setattr(x, "w", v)`` is ``t = vars(x); t["w"] = v``, if that does nothing but to set it."""
        match statement, call.args:
            case gast.Expr(), [gast.Name() as base, gast.Name() as name, value]:
                kind, named = self.kind(base, state), self.kind(name, state)
            case _:
                return None
        key = named.literal if isinstance(named, Inert) else None
        if not isinstance(kind, Object) or not isinstance(key, str):
            return None
        if kind.fields or kind.optional:
            return None
        if not members.writable(kind.owner, key):
            return self._set_by_call(kind.owner, base, key, value)
        fields = self.rewrites.denoted(vars, "vars")
        held = syntax.name(self.rewrites.temporary())
        text = "t = fields(x)\nt[key] = v"
        return syntax.quote(text, t=held, fields=fields, x=base, key=syntax.constant(key), v=value)

    def _set_by_call(
        self, owner: type, base: gast.expr, key: str, value: gast.expr
    ) -> Statements | None:
        """What sets an attribute: the function of a property, or the ``__setattr__`` of the class."""
        if (setter := members.setter(owner, key)) is not None:
            return [gast.Expr(gast.Call(self.rewrites.denoted(setter[0]), [base, value], []))]
        method = members.method(owner, "__setattr__")
        if method is None or members.is_described(owner, key):
            return None
        args = [base, syntax.constant(key), value]
        return [gast.Expr(gast.Call(self.rewrites.denoted(method[0]), args, []))]

    def _otherwise(
        self, statement: gast.stmt, owner: type, name: gast.expr, default: list[gast.expr]
    ) -> Statements:
        """What happens if the object has no such attribute."""
        if default:
            return [stars.with_call(statement, default[0])]
        error = self.rewrites.denoted(AttributeError, "AttributeError")
        message = syntax.constant(f"'{owner.__name__}' object has no attribute %r")
        return syntax.quote("raise error(message % name)", error=error, message=message, name=name)

    def _attributes(self, statement: gast.stmt, kind: Object) -> list[str]:
        """What may be meant: the methods, if what is found is called, else what the object holds."""
        (target,) = syntax.stores(statement) or {""}
        nodes = (n for s in self.rewrites.function.body for n in syntax.walk(s))
        calls = (n.func for n in nodes if isinstance(n, gast.Call))
        held = [str(key) for key in kind.keys]
        if not any(isinstance(f, gast.Name) and f.id == target for f in calls):
            return held
        names = {n for owner in kind.owner.__mro__[:-1] for n in vars(owner)}
        methods = [n for n in sorted(names - {*held}) if not n.startswith("__")]
        found = ((n, members.lookup(kind.owner, n)[1]) for n in methods)
        plain = FunctionType, staticmethod, classmethod
        return [*(n for n, value in found if isinstance(value, plain)), *held]

    def _ends(self, name: str) -> tuple[str, str]:
        """What is known of a text: its beginning and its end."""
        made = [s for s in self._statements() if name in syntax.stores(s)]
        match made:
            case [gast.Assign(value=gast.BinOp(left=left, op=gast.Add(), right=right))]:
                return _text(left), _text(right)
            case [gast.Assign(value=gast.JoinedStr(values=[left, *_, right]))]:
                return _text(left), _text(right)
        return "", ""

    def _statements(self) -> Statements:
        found = syntax.statements(self.rewrites.function.body)
        return [s for s in found if isinstance(s, gast.stmt) and not syntax.blocks(s)]


def _text(node: gast.expr) -> str:
    return node.value if isinstance(node, gast.Constant) and isinstance(node.value, str) else ""
