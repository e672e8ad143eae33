"""Which calls may write into what they are given: in a test they are statements of their own.

In: the function of a call.
Out: whether it may write.
Next: truth.
"""

from __future__ import annotations

import ast
import itertools
import sys
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import gast
import numpy as np

from tangentlite import frontend, rules, runtime, scopes, syntax
from tangentlite.errors import DerivativeError, UnsupportedSyntaxError
from tangentlite.frontend import writing
from tangentlite.frontend.consumers import LAZY, is_one
from tangentlite.lowering.context import Context, read, remade

READING = (np.ndarray, str, float, complex)
READS = ("get", "keys", "values", "items", "index", "count", "group", "match", "union")
WRITES = (gast.Global, gast.Nonlocal, gast.Delete, gast.Yield, gast.YieldFrom)
FRESH = (gast.Constant, gast.BinOp, gast.UnaryOp, gast.Compare)
FILLING = (np.copyto, np.place, np.putmask, np.fill_diagonal, np.put_along_axis, np.put)
STEP_BY_STEP = (*LAZY, iter)
CALLED: tuple[Any, ...] = (map, filter, itertools.starmap, itertools.filterfalse)
CALLED += (itertools.takewhile, itertools.dropwhile)
CLOSURES = (runtime.closure, runtime.passing)
REST = "`{}` leaves elements that would write"
EARLY = "`{}` is given a function that may write, and is walked over beside others"
APART = "Walk over it in a loop of its own, or make a list of it first."
LOOP = "Write the loop that ends with a `break`."
_known: WeakKeyDictionary[FunctionType, bool] = WeakKeyDictionary()


def may_write(func: gast.expr, context: Context) -> bool:
    """Whether a call of ``func`` may write into an object, a list or an array."""
    if isinstance(func, gast.Name) and func.id in context.locals:
        return True
    if isinstance(func, gast.Attribute) and context.meaning(func) is None:
        owner = context.instances.get(getattr(func.value, "id", ""))
        method = getattr(owner, func.attr, None)
        if isinstance(method, FunctionType):
            return not _only_reads(method)
        return not _is_reading(func.attr)
    return writes(context.meaning(func))


def hands_on(node: ast.AST, context: Context) -> bool:
    """Whether a name or an attribute is a function that may write: what it is given to may call it."""
    match node:
        case gast.Attribute(attr=attr) if attr in writing.METHODS:
            return True
        case gast.Name(ctx=gast.Load()) | gast.Attribute():
            found = context.meaning(node)
            return isinstance(found, FunctionType) and writes(found)
    return False


def acts(iterable: gast.expr, context: Context) -> bool:
    """Whether to take one element after the other may write: to take all at once would be another order."""
    match iterable:
        case gast.GeneratorExp(elt=elt, generators=[first, *rest]):
            return acts(first.iter, context) or _calls_writing([elt, *first.ifs, *rest], context)
        case gast.Call(func=func, args=args) if is_one(context.meaning(func), STEP_BY_STEP):
            if is_one(context.meaning(func), CALLED) and _is_path(args[:1]):
                return may_write(args[0], context) or any(acts(a, context) for a in args[1:])
            return any(_may_act(a, context) or acts(a, context) for a in args)
    return False


def _is_path(args: list[gast.expr]) -> bool:
    return bool(args) and isinstance(args[0], gast.Name | gast.Attribute)


def _may_act(function: gast.expr, context: Context) -> bool:
    """Whether what ``map`` and the like are given is a function that may write, with what it captures."""
    match function:
        case gast.Lambda(body=body):
            return _calls_writing([body], context)
        case gast.Call(args=[inner, *_]) if context.meaning(function.func) in CLOSURES:
            return hands_on(inner, context)
    return hands_on(function, context)


def _calls_writing(parts: list[Any], context: Context) -> bool:
    calls = (n for p in parts for n in syntax.walk(p) if isinstance(n, gast.Call))
    return any(may_write(n.func, context) for n in calls)


def whole(iterable: gast.expr, node: gast.Call, context: Context) -> gast.expr:
    """An iterable of which a call may leave the rest, all of it; an error if that would be seen."""
    if acts(iterable, context):
        place = context.function.origin.place(node)
        raise UnsupportedSyntaxError(REST.format(syntax.unparse(node)), place, LOOP)
    return iterable


def at_once(iterable: gast.expr, context: Context) -> gast.expr:
    """An iterable that becomes a list before the first trip; an error if that would be seen."""
    if acts(iterable, context):
        place = context.function.origin.place(iterable)
        raise UnsupportedSyntaxError(EARLY.format(syntax.unparse(iterable)), place, APART)
    return iterable


def asked(args: list[gast.expr], counts: list[list[str]], context: Context) -> list[gast.stmt]:
    """What is done before ``zip``: it asks for an element that it leaves alone where a later argument ends first.

    ``counts``: how many elements each argument has, as far as that is counted.
    """
    k = next((k for k, a in enumerate(args[:-1]) if acts(a, context)), None)
    if k is None:
        return []
    names = [name for part in counts for name in part]
    before = sum(map(len, counts[: k + 1])) if counts[k] else 0
    given = gast.Tuple([read(n, args[k]) for n in names], gast.Load())
    holes = {"rt": context.rt(), "n": syntax.at(given, args[k]), "k": syntax.constant(before)}
    return context.quote("rt.left_alone(n, k)", args[k], **holes)


def writes(found: Any) -> bool:
    """Whether what a global path means may write into what it is given, if it is called."""
    if isinstance(found, FunctionType):
        return not _only_reads(found)
    if isinstance(found, type) or not callable(found):
        made = getattr(found, "__init__", None)
        return isinstance(found, type) and isinstance(made, FunctionType) and not _only_reads(made)
    return rules.find(found) is None and writing.may_write(found)


def in_order(statement: gast.stmt, context: Context) -> list[gast.stmt] | None:
    """The arguments of a call that writes, in the order of the text, where one of them may write, too.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("np.copyto(x, f(x), where=x > 0)\\nreturn x", "x", "f"))
    t1 = f(x)
    t2 = x > 0
    t3 = np.where(t2, t1, x)
    x[...] = t3
    return x
    """
    call: Any = getattr(statement, "value", None)
    inner = [n for a in syntax.children(call) for n in syntax.walk(a) if isinstance(n, gast.Call)]
    if not any(may_write(n.func, context) for n in inner):
        return None
    before: list[gast.stmt] = []

    def said(value: gast.expr) -> gast.expr:
        if isinstance(value, gast.Lambda | gast.Starred):
            return value
        lines, name = context.named(value)
        before.extend(lines)
        return name

    func = call.func
    if _is_made(func, context):
        func = remade(func, value=said(func.value))
    args = [said(a) for a in call.args]
    keywords = [remade(k, value=said(k.value)) for k in call.keywords]
    whole = remade(call, func=func, args=args, keywords=keywords)
    return [*before, remade(statement, value=whole)] if before else None


def _is_made(func: gast.expr, context: Context) -> bool:
    """Whether a function is a method of what an expression gives, which comes before the arguments."""
    owner = getattr(func, "value", None)
    if owner is None or syntax.is_atom(owner):
        return False
    root = getattr(getattr(owner, "func", None), "id", None)
    return root != "super" and context.meaning(owner) is None


def _is_reading(attr: str) -> bool:
    if attr in writing.METHODS:
        return False
    if attr in READS or any(hasattr(kind, attr) for kind in READING):
        return True
    return "numpy.random" in sys.modules and hasattr(np.random.Generator, attr)


def _only_reads(function: FunctionType) -> bool:
    """Whether a function is seen to write into nothing, or is one of a library."""
    if is_library(function):
        return True
    if function not in _known:
        _known[function] = True  # for calls in circles
        try:
            source = frontend.read(function, fenced=False)
        except DerivativeError:
            _known[function] = False
            return False
        nodes = [*scopes.inside(source.body)]
        held = {p.name for p in source.params}.union(*map(_held, nodes))
        _known[function] = not any(_stores(node, held, source.namespace) for node in nodes)
    return _known[function]


def is_library(function: Any) -> bool:
    """Whether a function was not written by the user."""
    name = str(function.__globals__.get("__name__"))
    if name.startswith(writing.AS_IF_OWN):
        return False
    module = name.partition(".")[0]
    installed = "site-packages" in function.__code__.co_filename
    return installed or module in ("tangentlite", "numpy") or module in sys.stdlib_module_names


def _held(node: Any) -> set[str]:
    """Names that are bound to what another may hold: a row, a part, the result of a call."""
    match node:
        case gast.For(target=target):
            return syntax.stores(target)
        case gast.Assign(targets=targets, value=value) if not isinstance(value, FRESH):
            return syntax.stores(targets)
    return set()


def _fills(call: gast.Call, found: Any) -> bool:
    """Whether a function of NumPy is given the array that it writes into."""
    if any(k.arg in (None, "out", "overwrite_input") for k in call.keywords):
        return True
    given = isinstance(found, np.ufunc) and len(call.args) > found.nin
    return given or any(found is f for f in FILLING)


def _stores(node: Any, held: set[str], namespace: Any) -> bool:
    match node:
        case gast.Subscript(ctx=gast.Store()) | gast.Attribute(ctx=gast.Store()):
            return True
        case gast.AugAssign(target=gast.Name(id=name)):
            return name in held
        case gast.Call(func=func):
            path = syntax.dotted(func)
            try:
                found = namespace.resolve(path) if path else None
            except (KeyError, AttributeError):
                found = None
            if isinstance(found, FunctionType):
                return not _only_reads(found)
            if isinstance(func, gast.Attribute) and found is None:
                return not _is_reading(func.attr) or _fills(node, found)
            return found is None or writing.may_write(found) or _fills(node, found)
    return isinstance(node, WRITES)
