"""The one noun that travels through the compiler, and what the user asked of it.

In: nothing.
Out: ``Function``, ``Request`` and their parts, all frozen.
Next: runtime, rules, frontend.
"""

from __future__ import annotations

import builtins
import dis
import sys
from collections.abc import Callable, Container, Mapping
from functools import cached_property
from inspect import Parameter
from types import CellType, FunctionType, ModuleType
from typing import Any, Literal

import gast

from tangentlite import trees
from tangentlite.errors import Place
from tangentlite.lines import Lines, behind, header
from tangentlite.values import field, immutable, replace

EMPTY = Parameter.empty
STORES = ("STORE_ATTR", "STORE_SUBSCR", "STORE_GLOBAL", "STORE_DEREF")


@immutable
class Origin:
    """Where a function's text stands: ``lines[0]`` is line ``line`` of ``file``.

    Trees are parsed from the dedented text; ``indent`` columns were taken off.
    """

    file: str
    line: int
    lines: tuple[str, ...]
    indent: int = 0

    def place(self, node: gast.AST) -> Place | None:
        """The place of ``node`` in the user's file."""
        row = getattr(node, "lineno", None)
        if row is None or not 1 <= row <= len(self.lines):
            return None
        column = getattr(node, "col_offset", 0) + self.indent
        return Place(self.file, self.line + row - 1, column, self.lines[row - 1])

    def lines_of(self, node: gast.AST) -> Lines:
        """The lines of the user's file that a statement, or its header, stands on; those it is credited with."""
        rows, found = header(node), behind(node)
        if rows is None:
            return found
        first, last = max(rows[0], 1), min(rows[1], len(self.lines))
        return found | {(self.file, self.line + row - 1) for row in range(first, last + 1)}

    def text(self, node: gast.AST) -> str:
        """The text of a statement that stands on one line, without its neighbors; else nothing."""
        row, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        if row is None or row != end or not 1 <= row <= len(self.lines):
            return ""
        left, right = node.col_offset + self.indent, node.end_col_offset + self.indent
        return str(self.lines[row - 1][left:right])


@immutable
class Param:
    """A parameter: ``kind`` is inspect's; ``default`` is the default's value, ``shown`` its text."""

    name: str
    kind: Any = Parameter.POSITIONAL_OR_KEYWORD
    default: object = EMPTY
    shown: gast.expr | None = None


def looked_up(owner: Any, name: str) -> Any:
    """An attribute; AttributeError if there is none, or if looking would change something: a property may count."""
    descriptor = getattr(type(owner), name, None)
    if isinstance(descriptor, property) and isinstance(descriptor.fget, FunctionType):
        if any(step.opname in STORES for step in dis.get_instructions(descriptor.fget)):
            raise AttributeError(name)
    return getattr(owner, name)


CONSTANTS = frozenset(("numpy", "math", "cmath", "scipy.constants"))


@immutable
class Namespace:
    """What a function's free names mean: cells first, then globals, then builtins."""

    globals: dict[str, Any]
    cells: Mapping[str, CellType] = field(default_factory=dict)

    @property
    def module(self) -> str:
        """The name of the module whose globals these are."""
        name: str = self.globals.get("__name__", "")
        return name

    @property
    def holder(self) -> ModuleType | None:
        """The module whose globals these are; None if they are no module's."""
        found = sys.modules.get(str(self.module))
        return found if getattr(found, "__dict__", None) is self.globals else None

    def lookup(self, name: str) -> Any:
        """The object that ``name`` is bound to now; KeyError if none."""
        if name in self.cells:
            try:
                return self.cells[name].cell_contents
            except ValueError:
                raise KeyError(name) from None
        if name in self.globals:
            return self.globals[name]
        return vars(builtins)[name]

    def resolve(self, path: str) -> Any:
        """The object that a dotted path means now; KeyError or AttributeError if none, or if a property computes it."""
        first, *rest = path.split(".")
        found = self.lookup(first)
        for attr in rest:
            found = looked_up(found, attr)
        return found

    def is_constant(self, path: str) -> bool:
        """Whether a dotted path means a number of NumPy's or math's, such as ``np.pi``, that nobody changes."""
        home, _, name = path.rpartition(".")
        try:
            module = self.resolve(home) if home else None
        except (KeyError, AttributeError):
            return False
        known = isinstance(module, ModuleType) and module.__name__ in CONSTANTS
        return known and type(getattr(module, name, None)) is float

    def binds(self, name: str) -> bool:
        """Whether ``name`` means something."""
        try:
            self.lookup(name)
        except KeyError:
            return False
        return True

    def extended(self, bindings: Mapping[str, CellType]) -> Namespace:
        """The same namespace with more cells."""
        return replace(self, cells={**self.cells, **bindings})


@immutable(eq=False)
class Function:
    """A function as a tree: ``tree`` is a gast.FunctionDef that no pass ever changes.

    ``nested`` keeps what was made of it: functions inside it are made once. ``lacking``: its attributes of modules that
    the modules lack.
    """

    tree: gast.FunctionDef
    name: str
    params: tuple[Param, ...]
    namespace: Namespace
    origin: Origin
    nested: dict[Any, Any] = field(default_factory=dict)
    lacking: tuple[gast.Attribute, ...] = ()

    @property
    def body(self) -> list[gast.stmt]:
        """The statements."""
        body: list[gast.stmt] = self.tree.body
        return body

    @property
    def generated(self) -> bool:
        """Whether it was made by this compiler."""
        return self.origin.file.startswith("<generated")

    @cached_property
    def contents(self) -> trees.Contents:
        """What is in the statements."""
        return trees.contents(self.body)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The texts by which the statements take and set items."""
        nodes = (n for s in self.body for n in trees.walk(s))
        slices = [n.slice for n in nodes if isinstance(n, gast.Subscript)]
        values = [s.value for s in slices if isinstance(s, gast.Constant)]
        return frozenset(value for value in values if isinstance(value, str))

    @property
    def head(self) -> Lines:
        """The line of the user's file on which the definition begins, after its decorators."""
        row = getattr(self.tree, "lineno", 1)
        return frozenset({(self.origin.file, self.origin.line + row - 1)})

    @property
    def bound(self) -> frozenset[str]:
        """The names that the statements bind."""
        return self.contents.stores

    @cached_property
    def local(self) -> frozenset[str]:
        """The parameters, and the names that the statements bind."""
        return self.bound.union([p.name for p in self.params])

    @property
    def read(self) -> frozenset[str]:
        """The names that the statements read."""
        return self.contents.loads

    def leaves(self, name: str, cells: Container[str]) -> bool:
        """Whether a name means nothing in the statements, nor in ``cells`` beside them, whoever was given it before."""
        meant = name in self.local or name in self.read or name in cells
        return not (meant or self.namespace.binds(name))

    def with_body(self, body: list[gast.stmt]) -> Function:
        """The same function with other statements."""
        tree = self.tree.__class__.__new__(self.tree.__class__)
        tree.__dict__.update(self.tree.__dict__)
        tree.body = body
        return replace(self, tree=tree)


def lent(name: str, params: Container[str]) -> str:
    """The parameter by which a caller lends the shadow of the argument ``name``, next to other ``params``."""
    wish = f"shadow_{name}"
    while wish in params:
        wish += "_"
    return wish


Mode = Literal["reverse", "forward"]
Motion = Literal["joint", "split"]
Output = Literal["gradient", "value, gradient", "gradient, value"]


@immutable
class Request:
    """What the user asked for.

    ``wrt`` names parameters; ``several`` says that the gradient is a tuple even for one name;
    ``kinds`` are the kinds of all parameters (analysis.kinds), None for the default variant.
    ``seed`` "given": a pair inside a sweep, whose seed and gradients are in order already.
    ``lent``: parameters whose arguments overlap; the caller lends their shadows.
    ``together``: parameters whose arguments overlap; they are copied together, and keep their overlap.
    ``near``: parameters of a helper in forward mode whose arguments may overlap.
    ``absent``: without ``kinds``, parameters whose default is None are None.
    ``bare``: of a pair, nobody sees what the forward function writes into arguments, or gives, but for its shape: it
    makes a record, and no more.
    """

    mode: Mode = "reverse"
    motion: Motion = "joint"
    wrt: tuple[str, ...] = ()
    several: bool = False
    output: Output = "gradient"
    has_aux: bool = False
    kinds: tuple[Any, ...] | None = None
    name: str | None = None
    optimized: bool = True
    seed: Literal["one", "required", "given"] = "one"
    check_dims: bool = True
    lent: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    absent: bool = False
    bare: bool = False


@immutable(eq=False)
class Derived:
    """What was written for a request: one function, or forward and backward in split motion.

    Their namespaces hold, as cells, whatever the text names beyond the user's globals.
    """

    functions: tuple[Function, ...]
    primal: Function
    request: Request


@immutable
class Record:
    """What a backward function is given of its forward function.

    ``names``: what it unpacks, in order. ``given``: these are all parameters, which the forward function never binds
    again, and the record is read as it is: a caller can make it. ``values``: the parameters whose memory the backward
    function reads, and not only its shape. ``result``: it may read memory of the result, too. ``restores``: it puts
    something back there. ``heavy``: it does not need the result, and the forward function has
    loops, or calls forward functions of helpers.
    """

    names: tuple[str, ...]
    given: bool
    values: frozenset[str]
    result: bool
    restores: bool = False
    heavy: bool = False


Derive = Callable[[Any, Request], Any]
