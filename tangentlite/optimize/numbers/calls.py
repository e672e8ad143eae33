"""Calls: what functions give whose arguments are known.

In: a call, and what is ``Known`` of its arguments.
Out: a form.
Next: sorts.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, Protocol

import gast
import numpy as np

from tangentlite import runtime
from tangentlite.optimize.facts.axes import ALIKE, LIKE_SECOND, MADE
from tangentlite.optimize.numbers.forms import (
    BOOL,
    FLOAT,
    INT,
    NUMBERS,
    ZERO,
    Form,
    Tape,
    is_array,
    of_numbers,
    operation,
)

MATH: dict[Any, str] = {
    **{getattr(np, f): f for f in "sin cos tan sinh cosh tanh exp expm1 log log1p log2".split()},
    **{getattr(np, f): f for f in "log10 sqrt hypot fabs".split()},
    **{getattr(np, f"arc{f}"): f"a{f}" for f in "sin cos tan sinh cosh tanh tan2".split()},
}
SLOPES = tuple(f"tangentlite.runtime.{part}" for part in "exponents singular special".split())
STEPS = (np.sign, np.floor, np.ceil, np.trunc, np.rint)
PRODUCTS = (runtime.cancel, runtime.times, runtime.dot, runtime.unbroadcast_product)
EITHER = (np.maximum, np.minimum, max, min, runtime.wins, runtime.quotient, runtime.weighted)
SAME = (*ALIKE, abs, np.absolute, runtime.sequence, runtime.stack, np.copy)
FIRST = (runtime.own, runtime.real_only, runtime.seed, runtime.sure)
LIKE_LAST = (*LIKE_SECOND, runtime.like, runtime.spread, runtime.unreduce)
SUMS = (np.sum, np.dot, np.vdot, np.mean, np.linalg.norm)


class Known(Protocol):
    """What is known where a call stands; ``lists``: of lists of numbers, too."""

    lists: bool

    def of(self, tree: Any) -> Form:
        """The form of an expression."""

    def means(self, func: gast.expr, callees: Any) -> bool:
        """Whether a dotted path means one of these."""

    def helper(self, name: str, forms: tuple[Form, ...]) -> Form:
        """What a helper gives for arguments of some forms."""

    def is_elementwise(self, func: gast.expr) -> bool:
        """Whether a function is one of real numbers."""


def is_elementwise(callee: Any) -> bool:
    """Whether a function gives real numbers for real numbers, one for one.

    >>> is_elementwise(np.cbrt), is_elementwise(runtime.share), is_elementwise(np.sum), is_elementwise(len)
    (True, True, False, False)
    """
    from tangentlite import rules

    if callee in STEPS or str(getattr(callee, "__module__", None)).startswith(SLOPES):
        return True
    found = rules.find(callee)
    return found is not None and found.algebra == "elementwise"


def called(sorts: Known, func: gast.expr, args: list[Any], keywords: list[Any]) -> Form:
    """The form of what a call gives."""
    if isinstance(func, gast.Attribute) and not (args or keywords):
        return _asked(sorts.of(func.value), func.attr)
    if args and sorts.means(func, (np.pad,)) and is_zero_padding(args, keywords):
        return sorts.of(args[0]) if is_array(sorts.of(args[0])) else None
    if not args or keywords:
        return None
    forms = tuple(map(sorts.of, args))
    if sorts.lists and any(isinstance(form, Tape) for form in forms):
        return _of_lists(sorts, func, forms)
    if sorts.lists and type(forms[0]) is tuple and sorts.means(func, (runtime.zeros,)):
        return Tape(FLOAT) if forms[0] and all(part in NUMBERS for part in forms[0]) else None
    if isinstance(func, gast.Name) and (found := sorts.helper(func.id, forms)) is not None:
        return found
    if sorts.means(func, (len, int, runtime.count)):
        return INT
    if sorts.means(func, (float,)):
        return FLOAT
    if sorts.means(func, (runtime.unpack,)):
        return _unpacked(forms[0], args[1])
    if sorts.means(func, (runtime.to_winner,)) and type(forms[2]) is tuple:
        return forms[0] if len(forms[2]) > 1 else _sharing(*forms[2])
    if sorts.means(func, (np.where,)):
        return operation(gast.Div(), *forms[1:]) if forms[0] == BOOL and len(forms) == 3 else None
    if sorts.means(func, MADE):
        full = sorts.means(func, (np.full,)) and len(args) == 2 and forms[1] == FLOAT
        return _made(sorts, args[0], [] if full else args[1:])
    if sorts.means(func, (np.linspace,)):
        real = len(forms) == 3 and forms[2] == INT and all(form in NUMBERS for form in forms)
        return 1 if real else None
    if sorts.means(func, (np.array,)) and len(args) == 1:
        return forms[0] if is_array(forms[0]) else None
    if (sorts.means(func, SAME) and len(args) == 1) or sorts.means(func, FIRST):
        return forms[0]
    if sorts.means(func, LIKE_LAST):
        return forms[-1]
    return _computed(sorts, func, forms)


def is_zero_padding(args: list[Any], keywords: list[Any]) -> bool:
    """Whether ``np.pad`` is asked for zeros."""
    match keywords:
        case [gast.keyword(arg="mode", value=gast.Constant(value="constant"))]:
            return len(args) == 2
    return len(args) == 2 and not keywords


def _computed(sorts: Known, func: gast.expr, forms: tuple[Form, ...]) -> Form:
    """The form of a sum, a product, or what is computed element by element."""
    if sorts.means(func, SUMS):
        return FLOAT if all(form == 1 for form in forms) else None
    if sorts.means(func, PRODUCTS) and all(form in (*NUMBERS, ZERO) for form in forms):
        return reduce(_either, forms)
    if sorts.means(func, (runtime.dot,)):
        return FLOAT if is_array(forms[0]) and forms[0] == forms[-1] else None
    if sorts.means(func, (runtime.unbroadcast_product,)):
        return forms[-1]
    if sorts.means(func, (max, min)) and len(forms) == 1:
        return FLOAT if forms == (1,) and is_array(forms[0]) else None
    if sorts.means(func, EITHER):
        return reduce(_either, forms) if len(forms) > 1 else None
    if sorts.is_elementwise(func):
        forms = tuple(FLOAT if form == ZERO else form for form in forms)
        return reduce(_ratio, forms) if len(forms) > 1 else operation(gast.Div(), *forms, *forms)
    return None


def _unpacked(form: Form, count: Any) -> Form:
    """A tuple of as many parts as are asked for."""
    match count:
        case gast.Constant(value=int(number)) if type(form) is tuple and len(form) == number:
            return form
    return None


def _sharing(form: Form) -> Form:
    """What the numbers of a sequence have of the adjoint of the largest."""
    return Tape(FLOAT) if of_numbers(form) else 1 if form == 1 and is_array(form) else None


def _of_lists(sorts: Known, func: gast.expr, forms: tuple[Form, ...]) -> Form:
    """What a function gives for lists of numbers."""
    if isinstance(func, gast.Name) and (found := sorts.helper(func.id, forms)) is not None:
        return found
    if sorts.means(func, (len,)):
        return INT
    if not all(map(of_numbers, forms)):
        is_own = sorts.means(func, (runtime.like,)) and of_numbers(forms[0])
        plain = type(forms[-1]) is tuple and set(forms[-1]) <= set(NUMBERS)
        return (FLOAT,) * len(forms[-1]) if is_own and plain else None
    if sorts.means(func, (runtime.zeros, runtime.add)):
        return Tape(FLOAT)
    if sorts.means(func, (np.sum, np.mean, max, min)):
        return FLOAT if forms == (Tape(FLOAT),) else None
    return forms[0] if sorts.means(func, (runtime.sequence,)) else None


def _either(a: Form, b: Form) -> Form:
    return operation(gast.Mult(), a, b)


def _ratio(a: Form, b: Form) -> Form:
    return operation(gast.Div(), a, b)


def _asked(form: Form, method: str) -> Form:
    """What a method of an array gives, or a tape."""
    if isinstance(form, Tape):
        return form.pushed if method == "pop" else None
    if not is_array(form):
        return None
    return form if method == "copy" else FLOAT if method in ("sum", "mean") else None


def _made(sorts: Known, shape: gast.expr, rest: list[gast.expr]) -> Form:
    """``np.zeros(shape)``, or that with the type of an array of doubles."""
    match rest:
        case [gast.Attribute(value=like, attr="dtype")] if is_array(sorts.of(like)):
            pass
        case [_, *_]:
            return None
    form = sorts.of(shape)
    if type(form) is tuple and form and all(size == INT for size in form):
        return len(form)
    return 1 if form == INT else None
