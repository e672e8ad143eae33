"""Whether a function, and what it reads, is still what its derivative was written for.

In: the function of the user, and the helpers that were compiled with it.
Out: ``Guards``, which notice other code and other defaults, and names from outside that mean another kind of thing.
Next: derivative.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any

import gast
import numpy as np

from tangentlite import frontend, ir, syntax
from tangentlite.analysis.atoms import constant
from tangentlite.analysis.calling.callees import of_library
from tangentlite.analysis.classes import members
from tangentlite.analysis.classes.records import makes_objects
from tangentlite.analysis.kinds import FLOAT, Inert, Kind, List, Num, Unknown
from tangentlite.glances import Remembered
from tangentlite.runtime.containers.objects import is_object
from tangentlite.values import immutable

Watch = tuple[
    str, dict[str, Any]
]  # the text of a test whether to look anew, and what its names mean

MISSING = object()
FEW = 2  # guards whose test a text holds itself
PARTS = ("__code__", "__defaults__", "__kwdefaults__")
ABSENT = (LookupError, AttributeError, ValueError)
NUMBERS = frozenset((float, int, np.float64, np.float32))


@immutable(eq=False)
class Guard:
    """``seen`` is what an owner held under a name. Another value of the same ``kind`` will do; None: no other value.

    >>> scope = {"RATE": 2.0}
    >>> guard = Guard(scope, "RATE", 2.0, constant("RATE", 2.0))
    >>> guard.allows(3.0), guard.allows(None), guard.allows(np.ones(3))
    (True, False, False)
    """

    owner: Any
    name: Any
    seen: Any
    kind: Kind | None = None

    def now(self) -> Any:
        """What the owner holds now."""
        try:
            return self.owner[self.name] if self._is_table() else getattr(self.owner, self.name)
        except ABSENT:
            return MISSING

    def test(self, number: int) -> str:
        """The text of a quick test: whether there is reason to look."""
        held = (
            f"_owner{number}[{self.name!r}]" if self._is_table() else f"_owner{number}.{self.name}"
        )
        if self.seen is MISSING:
            return f"{self.name!r} in _owner{number}"
        if _changes(self.seen):
            return f"not _allows{number}({held})"
        differs = "!=" if isinstance(self.seen, MethodType) else "is not"  # bound anew each time
        return f"{held} {differs} _seen{number}"

    def allows(self, now: Any) -> bool:
        """Whether a text that was written for ``seen`` is right for what is there now."""
        if now is MISSING or self.kind is None:
            gone = (
                now is MISSING and self.kind is not None and not hasattr(builtins, str(self.name))
            )
            return now is self.seen or gone
        if _numbers(self.kind, self.name, now):
            return True
        kind = constant(self.name, now)
        if isinstance(kind, Unknown):
            return now is self.seen
        if kind == Inert("str") or kind == Inert("dtype"):  # a type of elements, by its name
            return bool(now == self.seen)
        return kind == self.kind

    def is_part(self) -> bool:
        """Whether this is a part of a function that has to stay the same object."""
        return isinstance(self.owner, FunctionType) and not _changes(self.seen)

    def _is_table(self) -> bool:
        return isinstance(self.owner, dict | tuple | MappingProxyType)


def _never() -> bool:
    return False


class Guards:
    """All guards of a derivative. ``outdated()`` costs a few comparisons as long as nothing is bound anew.

    These are compiled for the first call; who asks for the text only does not wait for that.
    """

    def __init__(self, guards: Iterable[Guard]) -> None:
        self.guards = list({(id(g.owner), g.name): g for g in guards}.values())
        self.outdated: Callable[[], bool] = self._at_first if self.guards else _never
        self._scope: dict[str, Any] = {f"_seen{i}": g.seen for i, g in enumerate(self.guards)}

    def __bool__(self) -> bool:
        return bool(self.guards)

    def untouched(self) -> bool:
        """Whether everything is the same object, and of the same kind if it may change."""
        for guard in self.guards:
            now = guard.now()
            if now is not guard.seen or (_changes(now) and not guard.allows(now)):
                return False
        return True

    def watch(self) -> Watch | None:
        """The test of a text that is called often; None: there is nothing to look at.

        >>> def f(x, scale=2.0):
        ...     return scale * x
        >>> Guards([Guard(f, "__defaults__", (2.0,))]).watch()[0]
        '_owner0.__defaults__ is not _seen0'
        >>> Guards([Guard({}, "RATE", 2.0, constant("RATE", 2.0))]).watch()[0]
        '_outdated()'
        """
        if len(self.guards) > FEW or not all(guard.is_part() for guard in self.guards):
            return "_outdated()", {"_outdated": self.quick()}
        return (self._tests(), self._names()) if self else None

    def quick(self) -> Callable[[], bool]:
        """The function of the comparisons."""
        if "outdated" not in self._scope:
            self._scope |= {"stale": self._stale, **self._names()}
            absent = ", ".join(e.__name__ for e in ABSENT)
            text = f"def outdated():\n    try:\n        if not ({self._tests()}):\n            return False\n"
            exec(f"{text}    except ({absent}):\n        pass\n    return stale()\n", self._scope)
            self.outdated = self._scope["outdated"]
        found: Callable[[], bool] = self._scope["outdated"]
        return found

    def _tests(self) -> str:
        return " or ".join(guard.test(i) for i, guard in enumerate(self.guards))

    def _names(self) -> dict[str, Any]:
        """What the tests read."""
        names: dict[str, Any] = {}
        for i, guard in enumerate(self.guards):
            names |= {f"_owner{i}": guard.owner, f"_allows{i}": Remembered(guard.allows)}
            names[f"_seen{i}"] = self._scope[f"_seen{i}"]
        return names

    def _at_first(self) -> bool:
        self.outdated = self._then
        return self._stale()

    def _then(self) -> bool:
        return self.quick()()

    def _stale(self) -> bool:
        """Whether something is of another kind; what is not is taken note of."""
        for i, guard in enumerate(self.guards):
            now = guard.now()
            if now is not self._scope[f"_seen{i}"] or _changes(now):
                if not guard.allows(now):
                    return True
                self._scope[f"_seen{i}"] = now
        return False


def made(
    function: Any,
    helpers: Iterable[Any],
    sources: Mapping[Any, ir.Function],
    methods: members.Methods,
) -> Iterator[Guard]:
    """The code and defaults of the function and its helpers, the globals, captured variables and attributes they read.

    ``sources``: the trees of those that were read already. ``methods``: what was found in classes.
    """
    helpers = [h for h in dict.fromkeys(helpers) if isinstance(h, FunctionType)]
    for written in dict.fromkeys((function, *helpers)):
        for part in PARTS:
            seen = getattr(written, part, None)
            if seen is not None:
                yield Guard(written, part, seen)
    for (owner, name), found in methods.items():
        kind = constant(name, found) if type(found) in members.DATA else None
        yield Guard(vars(owner) if isinstance(found, classmethod) else owner, name, found, kind)
    for reader in (function, *helpers):
        if isinstance(reader, FunctionType):
            yield from _defaults(reader)
            yield from _read(sources.get(reader) or frontend.read(reader, fenced=False))


def _defaults(function: FunctionType) -> Iterator[Guard]:
    """Lists and dicts that are defaults: what they hold may change. So may those of parameters that are named."""
    given, named = function.__defaults__ or (), function.__kwdefaults__ or {}
    for owner, items in ((given, enumerate(given)), (named, named.items())):
        for name, seen in items:
            if _changes(seen):
                yield Guard(owner, name, seen, constant(str(name), seen))
            elif owner is named:
                yield Guard(owner, name, seen)


def _read(source: ir.Function) -> Iterator[Guard]:
    """The names from outside that a function reads, and the attributes of what it finds so."""
    local = source.local
    nodes = syntax.nodes(source.body)
    meant: dict[str, list[str]] = {}  # a local name for a module or a class
    for node in nodes:
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if syntax.dotted(value):
                meant.setdefault(name, []).append(str(syntax.dotted(value)))
    stored = frozenset(_stored(nodes, source))
    seen = set(local)
    for node in nodes:
        match node:
            case gast.Name(id=name) if name not in seen:
                seen.add(name)
                yield from _named(source.namespace, name)
                yield from _class(source.namespace, name, stored)
            case gast.Attribute(attr=attr) if (whole := syntax.dotted(node)) and whole not in seen:
                seen.add(whole)
                first, dot, rest = whole.rpartition(".")[0].partition(".")
                for found in [first] if first not in local else meant.get(first, []):
                    if found.partition(".")[0] not in local:
                        yield from _attribute(source.namespace, found + dot + rest, attr)
    called = {id(n.func) for n in nodes if isinstance(n, gast.Call)}
    for node in nodes:
        match node:
            case gast.Attribute(value=owner, attr=attr) if id(node) not in called:
                path = syntax.dotted(owner)
                if path is not None and path.partition(".")[0] not in local:
                    yield from _owner(source.namespace, path, attr)


def _stored(nodes: Iterable[Any], source: ir.Function) -> Iterator[str]:
    """The attributes that a function sets of objects; those of a class stay its own."""
    for node in nodes:
        if isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Store):
            owner = syntax.dotted(node.value) or ""
            if owner.partition(".")[0] in source.local or not _is_class(source.namespace, owner):
                yield node.attr


def _is_class(namespace: ir.Namespace, path: str) -> bool:
    try:
        return isinstance(namespace.resolve(path), type)
    except ABSENT:
        return False


def _named(namespace: ir.Namespace, name: str) -> Iterator[Guard]:
    if name in namespace.cells:
        guard = Guard(namespace.cells[name], "cell_contents", None)
    else:
        guard = Guard(namespace.globals, name, None)
    seen = guard.now()
    if seen is not MISSING and not _rigid(seen):
        yield Guard(guard.owner, guard.name, seen, constant(guard.name, seen))
    elif name not in namespace.cells and seen is MISSING and namespace.binds(name):
        yield Guard(guard.owner, name, MISSING)  # a builtin that a global may hide later


def _class(namespace: ir.Namespace, name: str, stored: frozenset[str]) -> Iterator[Guard]:
    """What a class has, its new objects have."""
    owner: Any = namespace.lookup(name) if namespace.binds(name) else None
    if makes_objects(owner):
        for key, seen in members.defaults(owner, stored).items():
            yield Guard(owner, key, seen)


def _attribute(namespace: ir.Namespace, path: str, attr: str) -> Iterator[Guard]:
    try:
        owner = namespace.resolve(path)
    except ABSENT:
        return
    try:
        seen = ir.looked_up(owner, attr)
    except AttributeError:
        if isinstance(owner, ModuleType):
            yield Guard(vars(owner), attr, MISSING)
        return
    if isinstance(constant(path, owner), Num) or of_library(owner) or _rigid(seen):
        return
    guard = Guard(owner, attr, seen, constant(attr, seen))
    if guard.allows(guard.now()):  # unlike a bound method, which is another object each time
        yield guard


def _owner(namespace: ir.Namespace, path: str, attr: str) -> Iterator[Guard]:
    """A bound method that is a value is that of one object: `tl.grad(model.loss)`."""
    try:
        owner = namespace.resolve(path)
        seen = ir.looked_up(owner, attr)
    except ABSENT:
        return
    if isinstance(seen, MethodType) and seen.__self__ is owner:
        holder, _, name = path.rpartition(".")
        if holder:
            yield Guard(namespace.resolve(holder), name, owner)
        elif name in namespace.cells:
            yield Guard(namespace.cells[name], "cell_contents", owner)
        else:
            yield Guard(namespace.globals, name, owner)


def _rigid(value: Any) -> bool:
    """Modules of libraries and what was generated are not bound anew."""
    if isinstance(value, FunctionType):
        return value.__code__.co_filename.startswith("<generated: tangentlite")
    return isinstance(value, ModuleType) and of_library(value)


def _changes(value: Any) -> bool:
    """Whether a value may be of another kind and still be the same object."""
    return (
        is_object(value)
        or isinstance(value, list | dict)
        or (isinstance(value, tuple) and any(map(_changes, value)))
    )


def _numbers(kind: Kind, name: str, now: Any) -> bool:
    """Whether a kind is that of any float, of any array or of a list of numbers, and a value is one."""
    if kind == FLOAT and type(now) is float:
        return True
    if kind == Num(frozenset({name}), solid=True):
        found = constant(name, now)
        return isinstance(found, Num) and found.solid and found.exact != "complex"
    if kind == List(Num()) and type(now) is list and now:
        return NUMBERS.issuperset(map(type, now))
    return False
