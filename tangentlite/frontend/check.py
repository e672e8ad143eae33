"""The fence: what the compiler does not lower is refused here, at the user's own line.

In: ``ir.Function``.
Out: nothing, or UnsupportedSyntaxError with file, line, caret and what to write instead.
Next: lowering.
"""

from __future__ import annotations

import ast
import builtins
from types import ModuleType
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.frontend.refusals import (
    CONSUMERS,
    FORBIDDEN_CALLS,
    LEAVING,
    MUTATORS,
    REFUSED,
    STACK,
    WRITES,
)
from tangentlite.frontend.source import GENERATED
from tangentlite.ir import Function


def check(function: Function) -> None:
    """Refuse the first thing in ``function`` that lowering has no statements for."""
    if isinstance(function.tree, gast.AsyncFunctionDef):
        raise refusal(function, function.tree, *REFUSED["AsyncFunctionDef"])
    args = function.tree.args
    for arg, stars in ((args.vararg, "*"), (args.kwarg, "**")):
        if arg is not None:
            what = f"a parameter `{stars}{arg.id}`"
            raise refusal(function, arg, what, "Name the parameters one by one.")
    _Check(function).run()


def refusal(function: Function, node: ast.AST, what: str, hint: str) -> UnsupportedSyntaxError:
    """The error for ``what``, with a caret at ``node``."""
    place = function.origin.place(node)
    return UnsupportedSyntaxError(f"{what} is not supported yet", place, hint)


class _Check:
    """Looks at every node once; ``allowed`` are nodes that their parent has vouched for."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.locals = {p.name for p in function.params} | syntax.stores(function.body)
        self.stacks: set[str] | None = None
        self.allowed: set[ast.AST] = set()

    def run(self) -> None:
        waiting: list[tuple[ast.AST, bool]] = [(s, False) for s in reversed(self.function.body)]
        while waiting:
            node, looped = waiting.pop()
            self.node(node, looped)
            looped = looped or isinstance(node, gast.For | gast.While)
            waiting.extend((c, looped) for c in reversed(list(syntax.children(node))))

    def refuse(self, node: ast.AST, what: str, hint: str) -> UnsupportedSyntaxError:
        return refusal(self.function, node, what, hint)

    def node(self, node: Any, looped: bool) -> None:
        """Refuse ``node``, or vouch for those of its children that only it makes sense of."""
        kind = type(node).__name__
        if kind in REFUSED and node not in self.allowed:
            raise self.refuse(node, *REFUSED[kind])
        if looped and kind in LEAVING:
            raise self.refuse(node, *LEAVING[kind])
        match node:
            case gast.Call():
                self.call(node)
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr="append")) as call):
                self.allowed.add(call)
            case gast.Assign(targets=targets):
                self.targets(targets)
            case gast.For() | gast.While():
                self.loop(node)
            case gast.AugAssign(target=gast.Subscript(value=gast.Name()) as target):
                if self.function.origin.file.startswith(GENERATED):
                    self.allowed.add(target)
            case gast.Subscript() | gast.Attribute():
                self.write(node)
            case _:
                self.expression(node)

    def expression(self, node: Any) -> None:
        match node:
            case gast.comprehension(is_async=asynchronous) if asynchronous:
                raise self.refuse(node.target, *REFUSED["AsyncFor"])
            case gast.Compare(comparators=comparators):
                self.allowed.update(c for c in comparators if isinstance(c, gast.Set))
            case gast.Dict(keys=keys) if None in keys:
                raise self.refuse(node, "`**` in a dict display", "Write the keys one by one.")

    def write(self, node: Any) -> None:
        if isinstance(node.ctx, gast.Load) or node in self.allowed:
            return
        raise self.refuse(node, *WRITES[type(node).__name__])

    def targets(self, targets: list[Any]) -> None:
        """Stars are at home in targets."""
        for target in targets:
            for node in syntax.walk(target):
                if isinstance(node, gast.Starred):
                    self.allowed.add(node)

    def loop(self, node: gast.For | gast.While) -> None:
        if node.orelse:
            raise self.refuse(node.orelse[0], "`else` after a loop", "Put it after the loop.")
        if isinstance(node, gast.While):
            return
        self.targets([node.target])
        walked = syntax.loads(node.iter)
        for inner in (n for s in node.body for n in syntax.walk(s)):
            match inner:
                case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)):
                    if attr in STACK and name in walked and name in self.locals:
                        what = f"changing `{name}` while a loop walks over it"
                        raise self.refuse(inner, what, "Collect into another list.")

    def call(self, node: gast.Call) -> None:
        self.allowed.update(a for a in node.args if isinstance(a, gast.Starred))
        match node.func:
            case gast.Name(id=name):
                if name in FORBIDDEN_CALLS and self.is_builtin(name):
                    raise self.refuse(node, f"`{name}()`", FORBIDDEN_CALLS[name])
                if name in CONSUMERS and self.is_builtin(name) and node.args:
                    self.allowed.add(node.args[0])
            case gast.Attribute(value=owner, attr=attr):
                self.method(node, owner, attr)
        for keyword in node.keywords:
            if keyword.arg == "out":
                raise self.refuse(keyword.value, "`out=`", "Assign the result to a name.")

    def method(self, node: gast.Call, owner: gast.expr, attr: str) -> None:
        """Methods that write into their object are refused, but for local stacks."""
        if attr not in MUTATORS and attr not in STACK:
            return
        if self.is_module(owner):
            return
        if attr in MUTATORS:
            raise self.refuse(node, f"the method `{attr}`, which writes in place,", MUTATORS[attr])
        if self.stacks is None:
            self.stacks = self.local_stacks()
        generated = self.function.origin.file.startswith(GENERATED)
        if not isinstance(owner, gast.Name) or (owner.id not in self.stacks and not generated):
            hint = "Only a list that this function makes, `name = []`, may grow and shrink."
            raise self.refuse(node, f"`{attr}` on `{syntax.unparse(owner)}`", hint)
        if attr == "append" and node not in self.allowed:
            raise self.refuse(node, "the value of `append`", "Write it as a statement of its own.")
        if attr == "pop" and node.args:
            raise self.refuse(node, "`pop` with a position", "Read the element by its index.")

    def local_stacks(self) -> set[str]:
        """The names that are only ever bound to lists made on the spot."""
        fresh: dict[str, bool] = {param.name: False for param in self.function.params}
        for node in (n for s in self.function.body for n in syntax.walk(s)):
            match node:
                case gast.Assign(targets=[gast.Name(id=name)], value=value) if self.is_list(value):
                    fresh.setdefault(name, True)
                case gast.Assign(targets=targets):
                    fresh.update(dict.fromkeys(syntax.stores(targets), False))
                case gast.For(target=target) | gast.AugAssign(target=target):
                    fresh.update(dict.fromkeys(syntax.stores(target), False))
                case gast.NamedExpr(target=target):
                    fresh.update(dict.fromkeys(syntax.stores(target), False))
                case gast.AnnAssign(target=gast.Name(id=name), value=value):
                    if not self.is_list(value):
                        fresh[name] = False
                    fresh.setdefault(name, True)
        return {name for name, is_fresh in fresh.items() if is_fresh}

    def is_list(self, value: Any) -> bool:
        match value:
            case gast.List() | gast.ListComp():
                return True
            case gast.Call(func=callee):
                return self.meaning(callee) is runtime.stack
        return False

    def meaning(self, node: ast.AST) -> Any:
        path = syntax.dotted(node)
        if path is None or path.split(".")[0] in self.locals:
            return None
        try:
            return self.function.namespace.resolve(path)
        except (KeyError, AttributeError):
            return None

    def is_module(self, node: ast.AST) -> bool:
        return isinstance(self.meaning(node), ModuleType)

    def is_builtin(self, name: str) -> bool:
        return self.meaning(syntax.name(name)) is getattr(builtins, name)
