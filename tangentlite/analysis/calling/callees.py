"""Functions that are called: builtins with a meaning of their own, and the user's.

In: a callee and its arguments.
Out: how to treat the call.
Next: classify.
"""

from __future__ import annotations

import inspect
import operator
import sys
from types import FunctionType, ModuleType
from typing import Any

import gast
import numpy as np

from tangentlite import rules, runtime, slips, syntax
from tangentlite.analysis.calling import asked
from tangentlite.analysis.calling.advice import INSTEAD, KEYS, LOOK, MAKE_LIST, METHODS, WRITERS
from tangentlite.analysis.classes import enums
from tangentlite.analysis.joining import key_of
from tangentlite.analysis.kinds import (
    SCALAR,
    Dict,
    Inert,
    Kind,
    List,
    Nothing,
    Num,
    Object,
    Tuple,
    Unknown,
    Value,
    forget,
)
from tangentlite.analysis.lists import containers, unordered
from tangentlite.analysis.operations import Copy, Display, NoFlow, Opaque, Operation
from tangentlite.analysis.storage.writes import LIST_METHODS
from tangentlite.runtime.containers.closures import label
from tangentlite.values import replace

LIBRARIES = frozenset(sys.stdlib_module_names) - {"__main__"} | {"numpy", "scipy"}
RIGID = LIBRARIES | {"builtins", "tangentlite"}
WALKS = (list, tuple, runtime.sequence, runtime.some)
VIEWS = (vars, runtime.vars_of, runtime.bare_vars)
SETTING = "Attributes are set of objects of your own classes: bind anything else to a local name."
ITERATE = "Walk over a list of what it holds, or let `__iter__` yield what it computes."
OF_A_CLASS = "An attribute of a class is set by the name of the class: `C.n = …`."
STARRED = (
    "a call with `*` or `**` arguments is not differentiated yet",
    "Write the arguments one by one: `f(args[0], args[1])`.",
)
APART = "Compute it outside the function and pass it in."
WRONGLY = "is not called like this"
SPREAD = "it came from a call with * arguments"
SECOND = (
    "Lists and dicts that change have first derivatives only, so far: "
    "write into an array, or take differences of the first derivative."
)


def starred(call: gast.Call) -> list[gast.expr]:
    """What has a ``*`` in a call."""
    return [a.value for a in call.args if isinstance(a, gast.Starred)]


def special(
    callee: Any, args: list[gast.expr], kinds: list[Kind], keywords: dict[str, gast.expr]
) -> tuple[Operation, Kind] | None:
    """Calls that hand their argument on: conversions of containers, unpacking, sequences."""
    if kinds and (found := _of_object(callee, args, kinds[0])) is not None:
        return found
    if callee in (runtime.closure, runtime.passing):
        return _closure(callee, args, kinds, keywords)
    if (truth := asked.told(callee, kinds)) is not None:
        return NoFlow(), truth
    if callee is slice:
        return NoFlow(), Inert("slice")
    if "logging" in sys.modules and callee is sys.modules["logging"].getLogger:
        return NoFlow(), Value(callee())  # which one it is changes nothing: they look on
    if callee in (set, frozenset):
        return unordered.members(kinds[0] if kinds else None)
    if callee is dict and not args:
        return None
    if callee is runtime.joined:
        return containers.operation(operator.add, args, kinds)
    if callee in WALKS and isinstance(kinds[0] if kinds else None, Inert) and len(args) == 1:
        return unordered.walked(kinds[0])
    if not args or not isinstance(args[0], gast.Name):
        return None
    name, kind = args[0].id, kinds[0]
    if callee is runtime.sequence or callee is runtime.some:
        return _sequence(name, kind)
    if callee is runtime.unpack or (callee is runtime.stack and not isinstance(kind, Num)):
        return Copy(name), kind
    if callee is dict and len(args) == 1 and isinstance(kind, Dict):
        return Copy(name, fresh=True), kind
    if callee in (list, tuple) and len(args) == 1:
        match kind:
            case Tuple(items=items):
                return Copy(name, fresh=True), Tuple(items, callee.__name__)
            case List():
                return Copy(name, fresh=True), replace(kind, loose=callee is tuple)
            case Dict() | Nothing():
                return unordered.walked(kind)
    return None


def _of_object(callee: Any, args: list[gast.expr], kind: Kind) -> tuple[Operation, Kind] | None:
    """The attributes of an object, and walks over one; the last key of a dict."""
    names = tuple(a.id for a in args[:1] if isinstance(a, gast.Name))
    match kind:
        case Num() if callee is pow and len(args) == 3:
            return NoFlow(), Num(SCALAR, "int", 0, True)  # Python takes whole numbers only
        case Dict() if callee is runtime.unpack and type(kind) is Dict:
            return unordered.walked(kind)
        case Dict() if callee is runtime.last_key:
            return NoFlow(), key_of(kind) or Inert("key")
        case Object(fields=False, optional=False, owner=type() as owner) if callee is type:
            return NoFlow(), Value(owner)
        case Num(exact="float", python=True, scalar=True) if callee is type:
            return NoFlow(), Value(float)
        case Num() if callee is type:
            return NoFlow(), Inert("type")
        case Object() if callee in VIEWS and names:
            bare = callee is runtime.bare_vars
            return Copy(names[0]), replace(kind, fields=True, direct=bare, optional=False)
        case Object(fields=False) if callee in (*WALKS, runtime.unpack):
            reason = f"a walk over `{kind.owner.__name__}` objects is not differentiated yet"
            return Opaque(names, reason, ITERATE), Unknown(reason)
        case Num() | Unknown() if callee is vars:
            reason = containers.cannot_tell(syntax.unparse(args[0]), kind)
            return Opaque(names, reason, SETTING, of_kinds=True), Unknown("it is no object")
        case Dict() if callee is vars and type(kind) is Dict:
            reason = "an attribute of a dict is not differentiated yet"
            return Opaque(names, reason, SETTING, refused=True), Unknown("it is a dict")
        case Value(value=type()) if callee is vars:
            reason = "an attribute of a class that is not set by its name is not differentiated yet"
            return Opaque(names, reason, OF_A_CLASS, refused=True), Unknown("it is a class")
        case Value() if callee is vars:
            return NoFlow(), kind  # what it keeps has no shadow
    return None


def about(kind: Kind, attr: str) -> Kind:
    """What is no number of a value: ``x.__class__``, ``C.__name__``, the value of an ``Enum`` member."""
    match kind:
        case Object(owner=type() as owner, optional=False) if attr == "__class__":
            return Value(owner)
        case Value(value=type() as owner) if attr == "__name__":
            return Inert("str", literal=owner.__name__)
    return Num(SCALAR) if kind == Inert("limits") else enums.attribute(kind, attr) or Inert()


def _closure(
    callee: Any, args: list[gast.expr], kinds: list[Kind], keywords: dict[str, gast.expr]
) -> tuple[Operation, Kind]:
    """What a closure holds: kinds of positional arguments come first, then those of keywords."""
    values = [*args[1:], *keywords.values()]
    match kinds[0]:
        case Value(value=function):
            loose = callee is runtime.passing
            made = label(function, len(args) - 1, tuple(keywords), loose)
            held = tuple(map(forget, kinds[1:]))
            keys = tuple(syntax.constant(k) for k in range(len(values) + 1))
            return Display((args[0], *values), keys), Tuple((Value(made), *held), "closure")
    raise AssertionError("the function of a closure is known")


def negated(kind: Kind | None) -> Kind:
    """``not x``: known where x is."""
    truth = Num(SCALAR, "bool")
    if isinstance(kind, Num) and kind.exact == "bool" and isinstance(kind.literal, bool):
        return replace(truth, literal=not kind.literal)
    return truth


def _sequence(name: str, kind: Kind) -> tuple[Operation, Kind]:
    if isinstance(kind, Dict | Nothing):
        return unordered.walked(kind)
    return Copy(name), kind


def of_library(owner: Any) -> bool:
    """Whether an object is a module of a library, whose attributes stay what they are."""
    name = owner.__name__ if isinstance(owner, ModuleType) else ""
    return name.partition(".")[0] in RIGID


def observes(callee: Any) -> bool:
    """Whether a callee only looks at its arguments: print, logging, time, what is registered as inactive."""
    owner = getattr(callee, "__func__", callee)
    module = (getattr(owner, "__module__", None) or "").partition(".")[0]
    if callee in (print, input, runtime.begin_with, runtime.end_with) or module in (
        "logging",
        "warnings",
        "time",
        "matplotlib",
    ):
        return True
    rule = rules.find(callee)
    return rule is not None and rule.algebra == "inactive"


def parameters(callee: Any) -> list[tuple[str, object]]:
    """The parameters of a user's function with their defaults."""
    return [
        (p.name, p.default)
        for p in inspect.signature(callee, follow_wrapped=False).parameters.values()
    ]


def bind(
    callee: Any, args: list[gast.expr], keywords: dict[str, gast.expr]
) -> dict[str, gast.expr] | str:
    """Arguments by parameter, or the reason why the call cannot be followed."""
    if not isinstance(callee, FunctionType):
        return f"no rule for `{rules.spelled(callee)}`"
    if of_runtime(callee):
        return _not_twice(callee)
    if (callee.__module__ or "").partition(".")[0] in LIBRARIES:
        return f"no rule for `{rules.spelled(callee)}`"
    signature = inspect.signature(callee, follow_wrapped=False)
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    if any(p.kind in variadic for p in signature.parameters.values()):
        return f"`{callee.__qualname__}` takes * or ** arguments"
    try:
        return dict(signature.bind(*args, **keywords).arguments)
    except TypeError as fault:
        return f"`{callee.__qualname__}{signature}` {WRONGLY}: {fault}"


def is_user(callee: Any) -> bool:
    """Whether a callee is a function of the user, whose source is read."""
    if not isinstance(callee, FunctionType) or of_runtime(callee):
        return False
    library = (callee.__module__ or "").partition(".")[0] in LIBRARIES
    return not library and rules.find(callee) is None


def effect(callee: Any, shown: str) -> tuple[str, str]:
    """Why a call whose result is dropped is refused, and what to write instead."""
    if of_runtime(callee):
        return _not_twice(callee), SECOND
    known = next((text for function, text in WRITERS if function is callee), None)
    if known is not None:
        return f"`{shown}` with these arguments is not differentiated yet", known
    if isinstance(getattr(callee, "__self__", None), np.ufunc):
        return f"`{shown}` is not differentiated yet", "Write it as a store: `a[i] = …`."
    reason = f"`{shown}` has no rule and no source, and might write into what it is given"
    hint = (
        f"If it only looks, say so: tl.inactive({shown}). If it writes, make a new value instead."
    )
    return reason, hint


def method(name: str) -> tuple[str, str]:
    """Why a method of an array is refused, and what to write instead."""
    if hasattr(np.ndarray, name):
        return f"no rule for the method `.{name}` of an array", hint(None, f"np.ndarray.{name}")
    if name in ("append", "pop", "insert", "extend", "remove", "update", "clear"):
        return (
            f"no rule for the method `.{name}` of an array",
            "Collect in a list, and make an array of it at the end: `np.array(items)`.",
        )
    return f"no rule for the method `.{name}` of an array", slips.of_array(name)


def method_of(base: str, name: str, kind: Kind) -> tuple[str, str]:
    """The same for a method of what is no array."""
    match kind:
        case Tuple(type="tuple") if name in LIST_METHODS:
            return f"`{base}` is a tuple, which has no method `.{name}`", MAKE_LIST
        case Object(owner=owner) if not hasattr(owner, name):
            reason = f"no object of class `{owner.__name__}` here has a method `.{name}`"
            return reason, slips.near(name, dir(owner), METHODS)
    return f"the method `.{name}` of `{base}` is not differentiated yet", LOOK.get(name, KEYS)


def attribute(name: str) -> tuple[str, str]:
    """Why an attribute of an array is refused, and what to write instead."""
    there = hasattr(np.ndarray, name)
    reason = f"no rule for the attribute `.{name}` of an array"
    return reason, APART if there else slips.of_array(name)


def _not_twice(callee: Any) -> str:
    return f"a second derivative through `rt.{callee.__name__}` is not written yet"


def of_runtime(callee: Any) -> bool:
    """Whether a callee is one of the runtime's functions; the plain ones are read like helpers of the user."""
    module = str(getattr(callee, "__module__", ""))
    plain = module.startswith("tangentlite.runtime.plain")
    return module.startswith("tangentlite.runtime") and not plain


def hint(callee: Any, shown: str) -> str:
    """What the user can do about a function without rule."""
    if of_runtime(callee):
        return SECOND
    known = next((text for function, text in INSTEAD if function is callee), None)
    if known is not None:
        return known
    if any(callee is one for one in (map, filter, zip, enumerate, reversed)):
        return f"Make a list of it where it is made: `list({shown}(…))`."
    return (
        "Give it a rule:\n"
        f"    @tl.adjoint({shown})\n"
        "    def df(y, x):\n"
        "        d[x] = …  # the adjoint of x, from the adjoint d[y] of the result\n"
        f"or, if its result has no derivative, tl.inactive({shown})."
    )
