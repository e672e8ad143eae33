"""Classes whose objects hold what their ``__init__`` is given, and nothing else.

In: a class.
Out: its attributes, each with the parameter or the value that it is bound to.
Next: objects.
"""

from __future__ import annotations

import dataclasses
import inspect
from functools import cache
from types import FunctionType, SimpleNamespace
from typing import Any, ClassVar

import gast

from tangentlite import frontend, lowering, syntax
from tangentlite.analysis.classes.members import MISSING, is_described, lookup, written_out
from tangentlite.errors import DerivativeError
from tangentlite.runtime.containers.objects import CLOSED
from tangentlite.values import immutable

# What a tuple or list of a class of its own may do differently when it is walked along, indexed or changed.
WALKED = ("__iter__", "__len__", "__getitem__", "__reversed__", "__getattribute__")
TELLING = frozenset(
    "__init__ __repr__ __str__ __format__ __hash__ __reduce__ __reduce_ex__ __sizeof__".split()
)


@immutable
class Record:
    """``slots``: attributes (positions of a namedtuple) with the parameter whose argument they hold, or with a value.
    ``open``: the keywords of the call are attributes.
    """

    signature: inspect.Signature
    slots: tuple[tuple[str | int, Any], ...]
    open: bool = False

    def bind(
        self, args: list[gast.expr], keywords: dict[str, gast.expr]
    ) -> dict[str | int, gast.expr] | None:
        """What each slot of a new object holds; None where the call fails."""
        if self.open:
            return None if args else dict(keywords.items())
        try:
            given = self.signature.bind(*args, **keywords).arguments
        except TypeError:
            return None
        found: dict[str | int, gast.expr] = {}
        for key, source in self.slots:
            if not isinstance(source, str):
                found[key] = source
            elif source in given:
                found[key] = given[source]
            else:
                found[key] = syntax.constant(self.signature.parameters[source].default)
        return found


def is_named(owner: Any) -> bool:
    """Whether a class is a namedtuple, made in the usual way."""
    if not (isinstance(owner, type) and issubclass(owner, tuple) and hasattr(owner, "_fields")):
        return False
    if any(isinstance(lookup(owner, name)[1], FunctionType) for name in WALKED):
        return False
    own = "_fields" not in vars(lookup(owner, "__new__")[0] or owner)
    return not own and owner.__init__ is tuple.__init__


def is_list(owner: type) -> bool:
    """Whether the lists of a class do what lists do, whatever else they do."""
    return owner is list or not any(
        isinstance(lookup(owner, name)[1], FunctionType) for name in set(dir(list)) - TELLING
    )


def makes_objects(owner: Any) -> bool:
    """Whether a class makes objects that ``kinds.Object`` describes, and ``__init__`` is all that is called."""
    if not isinstance(owner, type) or issubclass(owner, CLOSED) or owner is SimpleNamespace:
        return False
    plain = owner.__new__ is object.__new__ and type(owner).__call__ is type.__call__
    plain = plain and owner.__getattribute__ is object.__getattribute__
    return plain and owner.__module__ != "builtins"


@cache
def record(owner: Any) -> Record | None:
    """How a class fills its objects; None if it does more than that."""
    if is_named(owner):
        fields = owner._fields
        return _record(inspect.signature(owner.__new__), list(enumerate(fields)), 1)
    if owner is SimpleNamespace:
        return Record(inspect.Signature(), (), True)
    if not makes_objects(owner):
        return None
    _, init = lookup(owner, "__init__")
    if init is object.__init__:
        return Record(inspect.Signature(), ())
    if not isinstance(init, FunctionType):
        return None
    if _is_generated(owner, init):
        if lookup(owner, "__post_init__")[1] is not MISSING:
            return None
        slots = [(f.name, f.name) for f in dataclasses.fields(owner) if f.init]
        if len(slots) != len(dataclasses.fields(owner)) or _sets(owner, slots):
            return None
        return _record(inspect.signature(init), list(slots), 1)
    if owner.__setattr__ is not object.__setattr__:
        return None
    found = _stored(init)
    if found is None or _sets(owner, found):
        return None
    return _record(inspect.signature(init), found, 1)


def _sets(owner: Any, slots: list[tuple[str, Any]]) -> bool:
    """Whether to set some attribute is a call: of a property, say."""
    return any(is_described(owner, name) for name, _ in slots)


def is_filled(owner: Any) -> bool:
    """Whether a class is a dataclass whose ``__init__`` was written for it."""
    if not makes_objects(owner) or not hasattr(owner, "__dataclass_fields__"):
        return False
    if _sets(owner, [(name, None) for name in owner.__dataclass_fields__]):
        return False
    _, init = lookup(owner, "__init__")
    return isinstance(init, FunctionType) and _is_generated(owner, init)


def filled(owner: Any) -> list[Any]:
    """The fields of a dataclass that its ``__init__`` binds or hands on, in order."""
    return [
        f
        for f in owner.__dataclass_fields__.values()
        if f.type is not ClassVar and (f.init or _given(f))
    ]


def _given(slot: Any) -> bool:
    missing = dataclasses.MISSING
    return slot.default is not missing or slot.default_factory is not missing


def is_late(slot: Any) -> bool:
    """Whether a field is only handed on to ``__post_init__``."""
    return slot._field_type is dataclasses._FIELD_INITVAR  # type: ignore[attr-defined]


def arguments(owner: Any, call: gast.Call) -> dict[str, gast.expr] | None:
    """The arguments of a call by the names of the parameters of ``__init__``."""
    keywords = {k.arg: k.value for k in call.keywords}
    signature = inspect.signature(owner.__init__)
    try:
        return dict(signature.bind(None, *call.args, **keywords).arguments)
    except TypeError:
        return None


def _is_generated(owner: Any, init: FunctionType) -> bool:
    """Whether ``__init__`` was written by ``dataclass``."""
    return dataclasses.is_dataclass(owner) and init.__code__.co_filename == "<string>"


def _record(signature: inspect.Signature, slots: list[Any], skipped: int) -> Record | None:
    params = list(signature.parameters.values())[skipped:]
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    if any(p.kind in variadic for p in params):
        return None
    if any(p.default is not p.empty and written_out(p.default) is None for p in params):
        return None
    return Record(signature.replace(parameters=params), tuple(slots))


def _stored(init: FunctionType) -> list[tuple[str, Any]] | None:
    """The attributes that ``__init__`` binds to its parameters and to literals, if it does nothing else.

    >>> def init(self, x, y):
    ...     self.x, self.y = x, y
    ...     self.count = 0
    >>> slots = _stored(init)
    """
    try:
        function = lowering.normalize(frontend.read(init)).function
    except DerivativeError:
        return None
    own, *params = [p.name for p in function.params]
    fields: set[str] = set()
    found: dict[str, Any] = {}
    for statement in function.body:
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Call(func=gast.Name(id="vars"), args=[gast.Name(id=given)]),
            ) if given == own:
                fields.add(name)
            case gast.Assign(
                targets=[gast.Subscript(value=gast.Name(id=name), slice=gast.Constant(value=key))],
                value=value,
            ) if name in fields and syntax.is_atom(value):
                if isinstance(value, gast.Name) and value.id not in params:
                    return None
                found[key] = value.id if isinstance(value, gast.Name) else value
            case gast.Return(value=None | gast.Constant(value=None)) | gast.Pass():
                pass
            case _:
                return None
    return list(found.items())
