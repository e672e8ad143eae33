"""What every part of lowering shares: names, places, the block that is being written.

In: ``ir.Function``.
Out: ``Context``, and ``Normal``, the result of the stage.
Next: exits, desugar, anf, blocks.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from types import CellType, FunctionType, ModuleType
from typing import Any

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.frontend.inserted import named
from tangentlite.frontend.once import walked_once
from tangentlite.ir import Function
from tangentlite.lowering.functions.instances import instances, lists
from tangentlite.lowering.lists.owned import FOUND, place_of
from tangentlite.naming import Names
from tangentlite.values import field, immutable, mutable, replace

WALKING = ("range", "zip", "reversed")  # loops are known by these names
Filling = ast.AST | str | Sequence[gast.stmt]


@immutable(eq=False)
class Normal:
    """A function in normal form.

    ``sources`` maps each of its statements to the user's statement that it came from;
    ``names`` knows every name of the function, so that later stages take none of them;
    ``stacks`` are the lists of lowering.lists.stacks.
    """

    function: Function
    sources: dict[gast.stmt, gast.stmt]
    names: Names
    stacks: frozenset[str]

    def apart(self) -> Normal:
        """The same, for a use that takes names of its own."""
        return replace(self, names=self.names.copy())


@mutable
class Context:
    """The state of one lowering: ``out`` receives statements that come from ``source``.

    ``made`` maps statements that a rewrite has built to the user's statement they stand for;
    ``cells`` are bindings that the lowered text needs and the user's module may lack; ``positions``
    are those of lowering.iterators, ``suspended`` the generators of lowering.iteration.suspended.
    """

    function: Function
    names: Names
    locals: set[str]
    walrus: bool
    lower: Callable[[list[gast.stmt], Context], None]
    sources: dict[gast.stmt, gast.stmt] = field(default_factory=dict)
    made: dict[gast.stmt, gast.stmt] = field(default_factory=dict)
    cells: dict[str, CellType] = field(default_factory=dict)
    out: list[gast.stmt] = field(default_factory=list)
    source: gast.stmt | None = None
    outer: set[str] | None = None
    modules: dict[str, str] = field(default_factory=dict)
    instances: Mapping[str, type] = field(default_factory=dict)
    positions: dict[str, str] = field(default_factory=dict)
    suspended: dict[str, Any] = field(default_factory=dict)
    _meant: dict[ast.AST, Any] = field(default_factory=dict)
    _walked: tuple[list[gast.stmt], syntax.Contents] | None = None

    @classmethod
    def of(cls, function: Function, lower: Callable[[list[gast.stmt], Context], None]) -> Context:
        """The context in which ``function`` is lowered."""
        bound = set(function.local)
        walrus = gast.NamedExpr in function.contents.kinds
        taken = {*function.contents.names, *function.local, *function.namespace.cells}
        names = Names(taken | named(function.namespace))
        return cls(function, names, bound, walrus, lower, instances=instances(function))

    @cached_property
    def once(self) -> set[gast.expr]:
        """The values of names that are walked over once."""
        return walked_once(self.function.body)

    @cached_property
    def lists(self) -> set[str]:
        """The names that only ever hold lists made where they are bound."""
        return lists(self.function)

    def contents(self, body: list[gast.stmt]) -> syntax.Contents:
        """What is in the statements of the function, as they are by now."""
        if body is self.function.body:
            return self.function.contents
        known = self._walked
        if known is None or known[0] is not body:
            known = self._walked = body, syntax.contents(body)
        return known[1]

    def emit(self, statement: gast.stmt, place: ast.AST) -> None:
        """Write a statement of the normal form."""
        syntax.at(statement, place)
        self.sources[statement] = self.source
        self.out.append(statement)

    def run(self, statements: list[gast.stmt]) -> None:
        """Lower ``statements`` into the block that is being written."""
        self.lower(statements, self)

    def temporary(self) -> str:
        """The name of a new temporary."""
        name = self.names.numbered("t")
        self.locals.add(name)
        return name

    def local(self, wish: str) -> str:
        """A new local name that reads like ``wish``."""
        name = self.names.fresh(wish)
        self.locals.add(name)
        return name

    def hold(self, value: gast.expr) -> gast.expr:
        """Bind ``value`` to a new temporary and give its name."""
        bound = syntax.assign(name := self.temporary(), value)
        syntax.at(bound.targets[0], value)
        self.emit(bound, value)
        return read(name, value)

    def quote(self, text: str, place: ast.AST, **holes: Filling) -> list[gast.stmt]:
        """Statements that a rewrite puts in place of the user's; they are still to be lowered.

        A hole that is a list of statements replaces a statement that is only its name.
        """
        return [self.plant(s, holes, place) for s in _template(text)]

    def standing(self, statement: gast.stmt) -> gast.stmt:
        """A statement that a rewrite has built of the user's."""
        if self.source is not None:
            self.made[statement] = self.source
        return statement

    def named(self, value: gast.expr) -> tuple[list[gast.stmt], gast.expr]:
        """Statements, still to be lowered, that give ``value`` a name, and the name."""
        if syntax.is_atom(value):
            return [], value
        name = self.temporary()
        return self.quote("t = e", value, t=name, e=value), read(name, value)

    def plant(self, node: Any, holes: Mapping[str, Filling], place: ast.AST) -> Any:
        """A copy of a template with its holes filled, standing at ``place``."""
        if isinstance(node, gast.Name) and node.id in holes:
            filling = holes[node.id]
            loading = isinstance(node.ctx, gast.Load)
            if isinstance(filling, str):
                return syntax.at(gast.Name(filling, node.ctx, None, None), place)
            return filling if loading else _stored(filling, place)
        new = syntax.at(node.__class__.__new__(node.__class__), place)
        for name, value in node.__dict__.items():
            if isinstance(value, ast.AST):
                new.__dict__[name] = self.plant(value, holes, place)
            elif isinstance(value, list):
                new.__dict__[name] = self._plant_list(value, holes, place)
            elif name not in syntax.PLACES:
                new.__dict__[name] = value
        if isinstance(new, gast.stmt) and self.source is not None:
            self.made[new] = self.source
        return new

    def _plant_list(
        self, items: list[Any], holes: Mapping[str, Filling], place: ast.AST
    ) -> list[Any]:
        result: list[Any] = []
        for item in items:
            match item:
                case gast.Expr(value=gast.Name(id=name)) if isinstance(holes.get(name), list):
                    result.extend(holes[name])  # type: ignore[arg-type]
                case ast.AST():
                    result.append(self.plant(item, holes, place))
                case _:
                    result.append(item)
        return result

    def rt(self) -> str:
        """The name by which the lowered text calls the runtime."""
        return self.module("rt", runtime)

    def module(self, wish: str, value: Any) -> str:
        """The name by which the lowered text calls a module or a stand-in: the user's own if it fits."""
        if wish not in self.modules:
            self.modules[wish] = self._module(wish, value)
        return self.modules[wish]

    def _module(self, wish: str, value: Any) -> str:
        for name, cell in self.function.namespace.cells.items():
            if name not in self.locals and _contents(cell) is value:
                return name
        if wish not in self.locals and self.function.namespace.binds(wish):
            if self.function.namespace.lookup(wish) is value:
                return wish
            self.names.reserve(wish)
        name = self.names.fresh(wish)
        self.cells[name] = CellType(value)
        return name

    def numpy(self, name: str, place: ast.AST) -> gast.expr:
        """``np.name``, by whatever name the text calls NumPy."""
        return syntax.at(
            gast.Attribute(read(self.module("np", np), place), name, gast.Load()), place
        )

    def builtin(self, name: str, place: ast.AST) -> str:
        """The name by which the lowered text calls a builtin: its own, unless the user's means another."""
        if not self.is_builtin(name) and name not in WALKING:
            if name not in self.modules:
                self.modules[name] = self.names.fresh(name)
                self.cells[self.modules[name]] = CellType(getattr(builtins, name))
            return self.modules[name]
        if not self.is_builtin(name):
            message = f"`{name}` is rebound here, and lowering needs the builtin"
            hint = f"Give your own `{name}` another name."
            raise UnsupportedSyntaxError(message, self.function.origin.place(place), hint)
        return name

    def is_builtin(self, name: str) -> bool:
        """Whether ``name`` means the builtin of that name."""
        if name in self.locals:
            return False
        try:
            return self.function.namespace.lookup(name) is getattr(builtins, name, None)
        except KeyError:
            return False

    def meaning(self, node: ast.AST) -> Any:
        """The object that a dotted path of globals means now; None if it is no such path."""
        if node not in self._meant:
            self._meant[node] = self._meaning(syntax.dotted(node))
        return self._meant[node]

    def _meaning(self, path: str | None) -> Any:
        if path is None or path.split(".")[0] in self.locals:
            return None
        if path == self.modules.get("rt"):
            return runtime
        if path in self.cells:
            return _contents(self.cells[path])
        try:
            return self.function.namespace.resolve(path)
        except (KeyError, AttributeError):
            return None

    def is_method(self, node: gast.Attribute) -> bool:
        """Whether ``node`` is a function of a class, or surely a method of an object of one that the user wrote."""
        match node.value:
            case gast.Call(func=gast.Name(id="super")) if self.is_builtin("super"):
                return True
        name = getattr(node.value, "id", None)
        if name in self.locals and place_of(node, self.function) not in FOUND:
            return isinstance(getattr(self.instances.get(name), node.attr, None), FunctionType)
        found = place_of(node, self.function) in FOUND
        return found or isinstance(self.meaning(node), (type, FunctionType))

    def is_module(self, node: ast.AST) -> bool:
        """Whether ``node`` is a dotted path of globals that means a module."""
        return isinstance(self.meaning(node), ModuleType)


def name_of(
    value: object, wish: str, normal: Normal, names: Names, cells: dict[str, CellType]
) -> str:
    """A name for a value in a normal form: the user's own if there is one, else one with a cell."""
    function = normal.function
    namespace = function.namespace.extended(cells)
    local = function.local
    for name in (wish, *namespace.cells):
        if name not in local and namespace.binds(name) and namespace.lookup(name) is value:
            return name
    own = value is runtime and function.leaves(wish, cells)
    name = wish if own else names.fresh(wish)
    cells[name] = CellType(value)
    return name


def read(name: str, place: ast.AST) -> gast.expr:
    """The expression that reads ``name``."""
    return syntax.at(syntax.name(name), place)


def remade(node: Any, **fields: Any) -> Any:
    """The same node, same place, with other fields."""
    new = node.__class__.__new__(node.__class__)
    new.__dict__.update(node.__dict__)
    new.__dict__.update(fields)
    return new


@cache
def _template(text: str) -> tuple[gast.stmt, ...]:
    return tuple(syntax.parse(text))


def _stored(filling: Any, place: ast.AST) -> gast.expr:
    target = syntax.store(filling)
    for node in syntax.walk(target):
        if not hasattr(node, "lineno"):
            syntax.at(node, filling if hasattr(filling, "lineno") else place)
    return target


def _contents(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return None
