"""Inlined: helpers that are called in loops, or loop themselves, become part of the function that calls them.

In: a function as it was read, how to read another one.
Out: the function, in which plain helpers of the same module are written out.
Next: prepared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, MappingProxyType
from typing import Any

import gast

from tangentlite import rules, syntax
from tangentlite.errors import DerivativeError
from tangentlite.ir import EMPTY, Function, Param
from tangentlite.slices.called import PLAIN, defined_by, is_straight, method, nested
from tangentlite.slices.effects import Effects, guarded
from tangentlite.slices.nests import NotSliced

Read = Callable[[Any], Function]
Owners = Mapping[str, type]
ORDERED = (gast.BinOp, gast.UnaryOp, gast.Call, gast.Tuple)  # parts are computed from left to right
DEEP, LONG = 4, 400


def inlined(
    function: Function,
    read: Read,
    owners: Owners = MappingProxyType({}),
    procedures: bool = True,
) -> Function:
    """A function with its helpers, as far as they are straight: assignments and loops, and one value at the end.

    >>> from tangentlite.optimize.samples import text_of
    >>> from tangentlite.slices.samples import calling
    >>> print(text_of(inlined(*calling()).body))
    y = x.copy()
    for i in range(len(x)):
        v = x[i]
        s = np.exp(-v)
        y[i] = 1.0 / (1.0 + s) * 2.0
    for i_1 in range(len(y)):
        y[i_1] = y[i_1] * 3.0
    return np.sum(y)

    ``owners``: the classes of arguments, whose methods are helpers, too. ``procedures``: outside loops as well.
    """
    if not any(isinstance(c.func, gast.Name) for c in function.contents.calls) and not owners:
        return function
    found = _Inlining(function, read, owners, procedures)
    try:
        body = found.block(function.body, False, 0)
    except NotSliced:  # too much of it
        return function
    return function.with_body(body) if found.done else function


class _Inlining:
    """Writes helpers out in one function."""

    def __init__(self, function: Function, read: Read, owners: Owners, procedures: bool) -> None:
        self._function, self._read, self.done = function, read, 0
        self._owners, self._procedures = owners, procedures
        self._nested = nested(function)
        inner = (f.local | f.read for f in self._nested.values())
        self._taken = set(function.local | function.read).union(*inner)
        self._own = set(function.local)
        self._effects = Effects(function, read)

    def block(self, body: Sequence[Any], inside: bool, depth: int) -> list[gast.stmt]:
        """Statements with helpers written out; ``inside`` a loop those that do not loop, too."""
        return [made for s in body for made in self._statement(s, inside, depth)]

    def _statement(self, statement: Any, inside: bool, depth: int) -> list[gast.stmt]:
        if isinstance(statement, gast.For | gast.While | gast.If):
            made = statement.__class__.__new__(statement.__class__)
            made.__dict__.update(statement.__dict__)
            inner = inside or not isinstance(statement, gast.If)
            made.body = self.block(statement.body, inner, depth)
            made.orelse = self.block(statement.orelse, inside, depth)
            return [made]
        calls = [n for n in syntax.nodes([statement]) if isinstance(n, gast.Call)]
        if not isinstance(statement, PLAIN) or depth > DEEP or not calls:
            return [statement]
        if isinstance(statement, gast.Expr) and not (inside or self._procedures):
            return [statement]
        return self._written_out(statement, calls, inside, depth)

    def _written_out(
        self, statement: Any, calls: list[gast.Call], inside: bool, depth: int
    ) -> list[gast.stmt]:
        """A statement after those of the helpers that it calls."""
        values, before = dict[int, gast.expr | None](), list[gast.stmt]()
        alone = statement.value
        asked = {id(call) for call in guarded(statement)}
        for call in calls:
            helper = self._helper(call)
            if helper is None or _nests(call, calls) or not (inside or _loops(helper)):
                continue
            first = _is_first(statement, call, Effects(helper, self._read).writes())
            if id(call) in asked or (call is not alone and _loops(helper) and not first):
                continue
            if not first and not all(map(self._is_plain, calls)):
                continue  # what was computed before might see, or be seen
            try:
                lines, value = self._bound(call, helper)
            except NotSliced:
                continue
            if value is None and not isinstance(statement, gast.Expr):
                continue
            before += [syntax.at(line, statement) for line in lines]
            values[id(call)] = value
        if not values:
            return [statement]
        self.done += len(before) + 1
        if self.done > LONG:
            raise NotSliced
        made = [] if values.get(id(alone), alone) is None else [_exchanged(statement, values)]
        return self.block([*before, *made], inside, depth + 1)

    def _helper(self, call: gast.Call) -> Function | None:
        """The plain function of the same module that is called."""
        space = self._function.namespace
        match call.func:
            case gast.Name(id=name) if name in self._owners:
                callee = method(self._owners[name], "__call__")
            case gast.Name(id=name) if name in self._own:
                return self._nested.get(name)
            case gast.Name(id=name):
                callee = space.lookup(name) if space.binds(name) else None
            case gast.Attribute(value=gast.Name(id=owner), attr=name) if owner in self._owners:
                callee = method(self._owners[owner], name)
            case _:
                return None
        if type(callee) is not FunctionType or callee.__globals__ is not space.globals:
            return None
        if callee.__closure__ or callee.__dict__ or rules.find(callee) is not None:
            return None
        try:
            found = self._read(callee)
        except DerivativeError:
            return None
        if not is_straight(found) or found.generated or found.name in found.read:
            return None  # what calls itself would never end
        return None if (found.read - found.local) & self._own else found

    def _is_plain(self, call: gast.Call) -> bool:
        """Whether a call does nothing but to give a value."""
        name = getattr(call.func, "id", "")
        if name in self._nested:
            return not Effects(self._nested[name], self._read).writes()
        if name in self._own:
            return False
        return self._effects.is_plain(call)

    def _bound(self, call: gast.Call, helper: Function) -> tuple[list[gast.stmt], gast.expr | None]:
        """The statements of a helper for the arguments of a call, and what it gives."""
        holes, before = dict[str, Any](), list[gast.stmt]()
        owner = call.func.value if isinstance(call.func, gast.Attribute) else call.func
        if isinstance(owner, gast.Name) and owner.id in self._owners:
            call = gast.Call(call.func, [owner, *call.args], call.keywords)
        for name, arg in zip((p.name for p in helper.params), _arguments(call, helper.params)):
            if name not in helper.bound and (known := _known(arg)) is not None:
                holes[name] = known
            else:
                holes[name] = self._fresh(name)
                before.append(syntax.assign(holes[name], arg))
                made = defined_by(before[-1], self._function)
                if made is not None and name not in helper.bound:
                    self._nested[holes[name]] = made
                    self._taken |= made.local | made.read
        self._taken |= helper.read - helper.local
        holes |= {name: self._fresh(name) for name in sorted(helper.bound) if name not in holes}
        body = [syntax.substitute(s, holes) for s in helper.body]
        last = body.pop() if body and isinstance(body[-1], gast.Return) else None
        return [*before, *body], last.value if last is not None else None

    def _fresh(self, name: str) -> str:
        made, count = name, 0
        while made in self._taken:
            count += 1
            made = f"{name}_{count}"
        self._taken.add(made)
        self._own.add(made)
        return made


def _arguments(call: gast.Call, params: Sequence[Param]) -> list[gast.expr]:
    """What each parameter is given."""
    named = {k.arg: k.value for k in call.keywords}
    found = list(call.args)
    plain = all(p.kind is p.kind.POSITIONAL_OR_KEYWORD for p in params) and None not in named
    if not plain or len(found) > len(params) or any(isinstance(a, gast.Starred) for a in found):
        raise NotSliced
    for param in params[len(found) :]:
        known = param.default is not EMPTY and type(param.default) in (int, float)
        if param.name not in named and not known:
            raise NotSliced
        found.append(named.pop(param.name, None) or syntax.constant(param.default))
    if named:
        raise NotSliced
    return found


def _known(arg: gast.expr) -> gast.expr | None:
    """What stands for an argument as it is: a name, a number, a tuple of these."""
    parts = arg.elts if isinstance(arg, gast.Tuple) else [arg]
    return arg if all(map(syntax.is_atom, parts)) else None


def _exchanged(tree: Any, values: dict[int, Any]) -> Any:
    """A copy of a tree with other expressions in place of calls."""
    if id(tree) in values:
        return values[id(tree)]
    made = tree.__class__.__new__(tree.__class__)
    made.__dict__.update(tree.__dict__)
    for field in syntax.parts(tree.__class__):
        value = getattr(tree, field, None)
        if isinstance(value, list):
            setattr(made, field, [_exchanged(v, values) for v in value])
        elif isinstance(value, gast.AST):
            setattr(made, field, _exchanged(value, values))
    return made


def _nests(call: gast.Call, calls: list[gast.Call]) -> bool:
    """Whether another call is in the arguments of one, which is written out before."""
    inner = [n for n in syntax.nodes([*call.args, *call.keywords]) if isinstance(n, gast.Call)]
    return any(
        node is other for node in inner for other in calls if isinstance(other.func, gast.Name)
    )


def _loops(helper: Function) -> bool:
    return gast.For in helper.contents.kinds


def _is_first(statement: Any, call: gast.Call, writes: bool) -> bool:
    """Whether a call is the first thing that a statement does, its arguments and what has a name aside.

    Attributes have none if the call ``writes``.
    """
    if isinstance(statement, gast.AugAssign) and not isinstance(statement.target, gast.Name):
        return False
    tree: Any = statement.value
    while tree is not call:
        parts = [c for c in syntax.children(tree) if isinstance(c, gast.expr)]
        if not isinstance(tree, ORDERED) or not parts:
            return False
        called = getattr(tree, "func", None)
        tree = next((p for p in parts if not _has_name(p, writes and p is not called)), None)
        if tree is None:
            return False
    return True


def _has_name(tree: gast.expr, bare: bool) -> bool:
    """Whether an expression is a name, a number, or the attribute of a name, which nothing is done for."""
    if isinstance(tree, gast.Attribute) and not bare:
        return isinstance(tree.value, gast.Name)
    return syntax.is_atom(tree)
