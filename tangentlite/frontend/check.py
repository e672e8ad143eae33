"""The fence: what the compiler does not lower is refused here, at the user's own line.

In: ``ir.Function``.
Out: nothing, or UnsupportedSyntaxError with file, line, caret and what to write instead.
Next: lowering.
"""

from __future__ import annotations

import ast
import builtins
import operator
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import gast
import numpy as np

from tangentlite import scopes, syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.frontend import lacking
from tangentlite.frontend.asked import HINT, asked_type
from tangentlite.frontend.consumers import grown, names_walked, vouched
from tangentlite.frontend.once import walked_once
from tangentlite.frontend.refusals import (
    CHANGES,
    FORBIDDEN_CALLS,
    GROWING,
    MUTATORS,
    NO_ARRAY,
    OF_A_CLASS,
    OF_ARRAYS,
    OF_GLOBALS,
    REFUSED,
    RESHAPE,
    WRITES,
)
from tangentlite.ir import Function

WRITING_METHODS = frozenset("sort itemset __setitem__ __delitem__".split())
WRITING_FUNCTIONS: tuple[Any, ...] = (np.copyto, np.putmask, np.place, np.put)
WRITING_FUNCTIONS += (np.put_along_axis, np.fill_diagonal, np.ndarray.__setitem__, setattr)
WRITING_FUNCTIONS += (operator.setitem, operator.delitem)

INNER = ("__defaults__", "__kwdefaults__", "__code__", "__dict__", "__class__", "__globals__")


def check(function: Function) -> Function:
    """Refuse the first thing in ``function`` that lowering has no statements for; what modules lack raises."""
    if isinstance(function.tree, gast.AsyncFunctionDef):
        raise refusal(function, function.tree, *REFUSED["AsyncFunctionDef"])
    found = _Check(function)
    found.run()
    return lacking.raising(function, found.lacking) if found.lacking else function


def refusal(function: Function, node: ast.AST, what: str, hint: str) -> UnsupportedSyntaxError:
    """The error for ``what``, with a caret at ``node``."""
    place = function.origin.place(node)
    return UnsupportedSyntaxError(f"{what} is not supported yet", place, hint)


def shuffles(meaning: Any) -> bool:
    """Whether ``np.random.shuffle`` is meant, which is not imported to find out."""
    return "numpy.random" in sys.modules and meaning is np.random.shuffle


def gives_nothing(meaning: Any) -> bool:
    """Whether a function writes into what it is given, and gives None."""
    if any(meaning is function for function in WRITING_FUNCTIONS) or shuffles(meaning):
        return True
    scatters = getattr(meaning, "__name__", "") == "at"
    return scatters and isinstance(getattr(meaning, "__self__", None), np.ufunc)


def _is_plain(node: ast.AST) -> bool:
    """Whether an attribute may be set: those of arrays are known by their names."""
    match node:
        case gast.Attribute(value=gast.Name(id="self")):
            return True
        case gast.Attribute(attr=attr):
            return attr not in OF_ARRAYS
    return False


def _ends(node: gast.expr) -> Iterator[gast.expr]:
    """What a statement that is an expression does last: its value is dropped."""
    match node:
        case gast.IfExp(body=body, orelse=other):
            yield from _ends(body)
            yield from _ends(other)
        case gast.BoolOp(values=[*_, last]):
            yield from _ends(last)
        case _:
            yield node


HARMLESS = (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.keyword, gast.Return)
TABLES = (gast.Call, gast.Name)  # what may be `globals()`


class _Check:
    """Looks at every node once; ``allowed`` are nodes that their parent has vouched for."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.locals = set(function.local)
        lazy = gast.GeneratorExp in function.contents.kinds
        self.allowed: set[ast.AST] = set(walked_once(function.body)) if lazy else set()
        self.alone: set[ast.AST] = set()
        self.tables: set[str] = set()  # names of ``globals()``
        self.lacking: list[gast.Attribute] = []

    def run(self) -> None:
        waiting: list[ast.AST] = list(reversed(self.function.body))
        while waiting:
            node = waiting.pop()
            if node.__class__ in HARMLESS:
                waiting.extend(reversed(syntax.children(node)))
                continue
            self.node(node)
            nested = isinstance(node, scopes.FUNCTIONS)
            parts = scopes.outside_of(node) if nested else list(syntax.children(node))
            waiting.extend(reversed(parts))

    def refuse(self, node: ast.AST, what: str, hint: str) -> UnsupportedSyntaxError:
        return refusal(self.function, node, what, hint)

    def node(self, node: Any) -> None:
        """Refuse ``node``, or vouch for those of its children that only it makes sense of."""
        kind = type(node).__name__
        if kind in REFUSED and node not in self.allowed:
            raise self.refuse(node, *REFUSED[kind])
        match node:
            case gast.Call():
                self.call(node)
            case gast.Expr(value=value):
                self.alone.update(_ends(value))
            case gast.Delete(targets=targets):
                self.deleted(node, targets)
            case gast.Assign(targets=targets):
                self.targets(targets)
                if node.value.__class__ in TABLES and self.is_globals(node.value):
                    self.tables.update(t.id for t in targets if isinstance(t, gast.Name))
                if [type(t) for t in targets] in ([gast.Tuple], [gast.List]):
                    self.allowed.add(node.value)  # unpacking takes all of it
            case gast.AugAssign(target=target) | gast.AnnAssign(target=target):
                self.targets([target])
                if isinstance(target, gast.Name) and isinstance(node.value, gast.GeneratorExp):
                    self.allowed.add(node.value)
            case gast.For() | gast.While():
                self.loop(node)
            case gast.Attribute():
                self.write(node)
                owner = self.meaning(node.value)
                if owner.__class__ is ModuleType and not lacking.has(owner, node.attr):
                    self.lacking.append(node)
            case gast.Global(names=names):
                self.outside(node, names)
            case gast.Subscript():
                self.index(node)
            case _:
                self.expression(node)

    def outside(self, node: gast.Global, names: list[str]) -> None:
        """``global`` before what is only read says nothing new."""
        written = sorted(set(names) & self.function.bound)
        if written:
            what = f"binding the global `{written[0]}`"
            raise self.refuse(node, what, "Pass the value in, and return the new one.")

    def types(self, node: Any) -> None:
        """Whether something is a deque is asked of what is a list in the derivative."""
        made = (self.meaning(c.func) for c in self.function.contents.calls)
        if (named := asked_type(node, self.meaning, made)) is not None:
            what = f"asking for the type `{syntax.unparse(named)}`, which a derivative replaces,"
            raise self.refuse(named, what, HINT)

    def expression(self, node: Any) -> None:
        if isinstance(node, gast.Compare | gast.MatchClass):
            self.types(node)
        match node:
            case gast.Tuple(elts=elements) | gast.List(elts=elements) | gast.Set(elts=elements):
                self.allowed.update(e for e in elements if isinstance(e, gast.Starred))
            case gast.comprehension(is_async=asynchronous) if asynchronous:
                raise self.refuse(node.target, *REFUSED["AsyncFor"])
            case gast.comprehension():
                self.allowed.add(node.iter)
            case gast.Compare(comparators=comparators):
                self.allowed.update(c for c in comparators if isinstance(c, gast.GeneratorExp))
            case gast.Starred() | gast.YieldFrom():
                self.allowed.add(node.value)

    def index(self, node: Any) -> None:
        """A tuple that is an index has no stars; what is put into ``globals()`` binds a global."""
        if isinstance(node.ctx, gast.Store) and self.is_globals(node.value):
            raise self.refuse(node, "writing into `globals()`", OF_GLOBALS)
        for part in getattr(node.slice, "elts", []):
            if isinstance(part, gast.Starred):
                raise self.refuse(part, *REFUSED["Starred"])

    def is_globals(self, node: gast.expr) -> bool:
        """Whether it is ``globals()``, or a name that was bound to that."""
        match node:
            case gast.Call(func=gast.Name(id="globals")):
                return self.is_builtin("globals")
            case gast.Name(id=name):
                return name in self.tables
        return False

    def write(self, node: Any) -> None:
        part = node.attr in ("real", "imag", "flat")
        if isinstance(node.ctx, gast.Store) and node.attr in INNER:
            hint = "Write another function or class for it, or pass it as an argument."
            raise self.refuse(node, f"setting `{node.attr}`", hint)
        match node:
            case gast.Attribute(value=gast.Name(id="self"), attr="flat", ctx=gast.Store()):
                raise self.refuse(node, "an attribute `flat` of an object", NO_ARRAY)
            case gast.Attribute(
                value=gast.Call(func=gast.Name(id="type")) | gast.Attribute(attr="__class__"),
                ctx=gast.Store(),
            ):
                raise self.refuse(node, "setting an attribute of a class like this", OF_A_CLASS)
        if isinstance(node.ctx, gast.Store) and node not in self.allowed and not part:
            what, hint = WRITES[type(node).__name__]
            raise self.refuse(node, what, RESHAPE if node.attr == "shape" else hint)

    def deleted(self, node: gast.Delete, targets: list[Any]) -> None:
        """``del`` of names and elements."""
        if any(isinstance(t, gast.Attribute) for t in targets):
            raise self.refuse(node, "`del` of an attribute", "Keep the value under a local name.")

    def targets(self, targets: list[Any]) -> None:
        """Stars are at home in targets."""
        for target in targets:
            for node in syntax.walk(target):
                if isinstance(node, gast.Starred) or _is_plain(node):
                    self.allowed.add(node)

    def loop(self, node: gast.For | gast.While) -> None:
        if isinstance(node, gast.While):
            return
        self.allowed.add(node.iter)
        self.targets([node.target])
        walked = names_walked(node.iter)
        for inner in (n for s in node.body for n in syntax.walk(s)):
            match inner:
                case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)):
                    grows = grown(node.iter) and attr in GROWING
                    self.steady(inner, name, attr in CHANGES and name in walked and not grows)
                case gast.Subscript(value=gast.Name(id=name), ctx=gast.Del()):
                    self.steady(inner, name, name in walked)

    def steady(self, node: ast.AST, name: str, changed: bool) -> None:
        """What a loop walks over must not grow or shrink."""
        if changed and name in self.locals:
            what = f"changing `{name}` while a loop walks over it"
            raise self.refuse(node, what, "Walk over a copy, or collect into another list.")

    def call(self, node: gast.Call) -> None:
        self.types(node)
        self.allowed.update(a for a in node.args if isinstance(a, gast.Starred))
        self.allowed.update(vouched(node, self.meaning(node.func)))
        if node not in self.alone and self.writes(node):
            what = f"`{syntax.unparse(node.func)}(…)`, which writes, inside an expression"
            raise self.refuse(node, what, "Make it a statement of its own.")
        match node.func:
            case gast.Name(id=name):
                known = name == "vars" and node.args
                if name in FORBIDDEN_CALLS and not known and self.is_builtin(name):
                    raise self.refuse(node, f"`{name}()`", FORBIDDEN_CALLS[name])
            case gast.Attribute(value=owner, attr=attr):
                if attr == "__setitem__" and self.is_globals(owner):
                    raise self.refuse(node, "writing into `globals()`", OF_GLOBALS)
                self.method(node, owner, attr)

    def method(self, node: gast.Call, owner: gast.expr, attr: str) -> None:
        """Methods that write into their object, and are not understood."""
        if attr in MUTATORS and not self.is_module(owner):
            raise self.refuse(node, f"the method `{attr}`, which writes in place,", MUTATORS[attr])

    def writes(self, node: gast.Call) -> bool:
        """Whether a call writes into an array or a list, and gives nothing."""
        match node.func:
            case gast.Attribute(value=owner, attr=attr) if attr in WRITING_METHODS:
                if not self.is_module(owner):
                    return True
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
