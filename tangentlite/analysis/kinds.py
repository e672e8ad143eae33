"""The kinds of values: what a name may hold, and with which shape.

In: nothing.
Out: ``Kind`` and its members.
Next: joining.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import is_
from typing import Any

from tangentlite.rules import UNKNOWN
from tangentlite.runtime.containers.closures import Label
from tangentlite.values import immutable, replace

Shape = frozenset[Hashable]
Made = frozenset[Hashable] | None  # where a list or dict may have been made; None: anywhere
SCALAR: Shape = frozenset()
COMPLEX: Shape = frozenset({("complex",)})  # of a number that may be complex
INERT_TYPES = frozenset({"int", "bool"})
EXACT = {"f": "float", "i": "int", "u": "int", "b": "bool", "c": "complex"}


@immutable
class Kind:
    """Root of the kinds."""


@immutable
class Num(Kind):
    """A number or an array. ``shape`` None: unknown, and not yet named by a symbol.

    ``exact`` is "float", "int" or "bool" where the Python (or element) type is proved, "complex" where
    the number may be complex, "zero" for ZERO, else "".
    ``persistent``: a `PersistentArray`, of which nothing is a view. ``optional``: it may be None.
    ``python``: proved to be a Python number, no NumPy scalar. ``literal``: its value, if written in the source.
    ``solid``: proved to be an array, though of unknown rank: ``np.array(x)``.
    """

    shape: Shape | None = None
    exact: str = ""
    ndim: int | None = None
    python: bool = False
    literal: Any = UNKNOWN
    persistent: bool = False
    solid: bool = False
    optional: bool = False

    @property
    def scalar(self) -> bool:
        """Whether the shape is proved to be ()."""
        return self.shape == SCALAR or self.shape == COMPLEX

    @property
    def array(self) -> bool:
        """Whether it is proved to be an array, no number."""
        ranked = bool(self.ndim) or (self.ndim == 0 and not self.scalar)
        return ranked or self.persistent or self.solid

    @property
    def inert(self) -> bool:
        """Whether no derivative can flow through it."""
        return self.exact in INERT_TYPES


@immutable
class Tuple(Kind):
    """A tuple (or a list that is never changed) of known length; ``optional``: it may be None instead."""

    items: tuple[Kind, ...]
    type: str = "tuple"
    optional: bool = False
    made: Made = None


@immutable
class List(Kind):
    """A list of any length; ``item`` is the kind of every element (None while it is empty).

    ``bare``: it was made empty by the function, and nothing was put into it. ``loose``: it may be a tuple.
    """

    item: Kind | None
    optional: bool = False
    bare: bool = False
    made: Made = None
    loose: bool = False


@immutable
class Dict(Kind):
    """A dict with known keys; ``bare``: it was made empty by the function, and nothing was put into it."""

    keys: tuple[Hashable, ...]
    items: tuple[Kind, ...]
    optional: bool = False
    bare: bool = False
    made: Made = None


@immutable
class Named(Tuple):
    """A namedtuple of the class ``owner``."""

    owner: Any = None


@immutable
class Nested(Tuple):
    """A tuple that may hold others of its own kind, as the record of a helper that calls itself: ``owner``."""

    owner: Any = None


@immutable
class Linked(Dict):
    """A dict that may hold others of its own kind: the adjoint of an object that may hold others of its class."""

    owner: Any = None


@immutable
class Object(Dict):
    """An object of the class ``owner``, with its attributes for keys; its adjoint is a dict.

    ``fields``: it is the dict of the attributes, ``vars(x)``. ``loose``: it may lack some of the attributes.
    ``direct``: whatever the class says, what is set there is set, and nothing else done.
    """

    owner: Any = None
    fields: bool = False
    loose: bool = False
    direct: bool = False


@immutable
class Again(Kind):
    """Inside the kind of an object or of what holds others like itself: one of that kind; ``optional``: or None."""

    owner: Any = None
    optional: bool = False


@immutable(eq=False)
class Value(Kind):
    """An object known when compiling: a function, a module, a class.

    What the user's objects say of being equal counts where it is said plainly; they need not have a hash.
    """

    value: Any

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not Value:
            return False
        try:
            return self.value is other.value or (self.value == other.value) is True
        except ValueError:  # they may hold arrays
            return False

    def __hash__(self) -> int:
        try:
            return hash(self.value)
        except TypeError:
            return hash(type(self.value))


@immutable
class Inert(Kind):
    """Something no derivative flows through: a string, a slice, a file.

    ``length``: of a shape, how many axes there are. ``literal``: of a text, what is written in the source.
    ``written``: it may be a text that was written with numbers through which a derivative may flow.
    """

    type: str = ""
    length: int | None = None
    literal: Any = UNKNOWN
    written: bool = False


@immutable
class Member(Inert):
    """A member of an ``Enum``: which one, if ``literal`` tells."""

    owner: Any = None


@immutable
class Choice(Inert):
    """One of several functions: which one is known at run time."""

    values: tuple[Value, ...] = ()


@immutable
class Nothing(Kind):
    """None. No operation takes it, so it joins any kind without a trace."""


@immutable
class Pending(Kind):
    """What a recursive call gives as long as nothing is known of it, and what is made of that: joins any kind."""


@immutable
class Unknown(Kind):
    """Anything at all; ``why`` tells the user."""

    why: str = ""


CHANCE = Inert("generator of random numbers")
DIFFERENT = "it holds values of different kinds"
MERGED = Unknown(f"{DIFFERENT}, perhaps a number")
TEXT_OR_NUMBER = Unknown("it holds a number, or text that was made from numbers")
ZERO_KIND = Num(SCALAR, "zero")
FLOAT = Num(SCALAR, "float", 0, True)
CONTAINERS = (Tuple, List, Dict)
ANY_KEY = "any key"  # of a dict whose keys are not known; the kind of the keys follows


def is_complex(*kinds: Kind | None) -> bool:
    """Whether there may be complex numbers in some value of these kinds."""
    for kind in kinds:
        if isinstance(kind, Num):
            if kind.exact == "complex":
                return True
        elif isinstance(kind, CONTAINERS):
            if is_complex(*([kind.item] if isinstance(kind, List) else kind.items)):
                return True
    return False


def is_persistent(kind: Kind | None) -> bool:
    """Whether values of a kind are proved to be persistent arrays."""
    return isinstance(kind, Num) and kind.persistent


def floating(kind: Kind) -> bool:
    """Whether a derivative may flow through values of this kind."""
    match kind:
        case Num():
            return not kind.inert
        case Dict(items=()) | List(item=None):
            return True  # what is stored in it later may be
        case Tuple(items=items) | Dict(items=items):
            return any(map(floating, items))
        case List(item=item) if item is not None:
            return floating(item)
        case Unknown() | Again():
            return True
    return False


def choices(kind: Kind | None) -> tuple[Value, ...]:
    """The functions that a value of a kind may be; none if it may be something else."""
    match kind:
        case Choice(values=values):
            return values
        case Tuple(items=[first, *_], type="closure"):
            return choices(first)
        case Value(value=value) if (callable(value) and not isinstance(value, type)) or isinstance(
            value, Label
        ):
            return (kind,)
    return ()


def is_closure(kind: Kind | None) -> bool:
    """Whether values of a kind are functions with what they capture, for certain or perhaps."""
    return isinstance(kind, Tuple) and kind.type == "closure"


def is_open(keys: tuple[Hashable, ...]) -> bool:
    """Whether the keys of a dict are not known."""
    return bool(keys) and keys[0] == ANY_KEY


def general(kind: Kind) -> Kind:
    """The kind for a function that is called: the same for every text that it is given."""
    kind = forget(kind)
    match kind:
        case Object(owner=type() as owner) if hasattr(owner, "__get__"):
            return kind  # a descriptor, which has the names of attributes
        case Inert(literal=str()):
            return replace(kind, literal=UNKNOWN)
        case Tuple(items=items) | Dict(items=items) if any(map(_written, items)):
            return replace(kind, items=tuple(map(general, items)))
        case List(item=item) if item is not None and _written(item):
            return replace(kind, item=general(item))
    return kind


def _written(kind: Kind | None) -> bool:
    """Whether there is a text in a kind."""
    match kind:
        case Tuple(items=items) | Dict(items=items):
            return any(map(_written, items))
        case List(item=item):
            return _written(item)
    return isinstance(kind, Inert) and kind.literal is not UNKNOWN


def forget(kind: Kind) -> Kind:
    """The kind without symbols: as it is kept inside containers and in keys of caches.

    A part that lies in many others is looked at once.
    """
    match kind:
        case Num(shape=shape) if shape or kind.literal is not UNKNOWN:
            return replace(kind, shape=shape if kind.scalar else None, literal=UNKNOWN)
        case Tuple() | Dict() | List() if "_forgotten" not in kind.__dict__:
            found = _with_items(kind, [forget(part) for part in parts_of(kind)])
            found.__dict__["_forgotten"] = True
            return found
    return kind


def parts_of(kind: Tuple | Dict | List) -> Sequence[Kind]:
    """The kinds in a kind."""
    if isinstance(kind, List):
        return () if kind.item is None else (kind.item,)
    return kind.items


def _with_items(kind: Tuple | Dict | List, parts: list[Kind]) -> Tuple | Dict | List:
    if all(map(is_, parts, parts_of(kind))):
        return kind
    return (
        replace(kind, item=parts[0]) if isinstance(kind, List) else replace(kind, items=(*parts,))
    )
