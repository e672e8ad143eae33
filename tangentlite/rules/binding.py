"""From the arguments of a call to the parameters of a rule.

In: the argument trees of a call, the parameters of a rule, the primal's own signature.
Out: parameter -> tree; RuleError for what the rule does not support.
Next: rule.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import cache
from inspect import Parameter as Kind

import gast

from tangentlite import slips
from tangentlite.errors import RuleError
from tangentlite.rules.model import EMPTY, Parameter
from tangentlite.values import immutable

POSITIONAL = (Kind.POSITIONAL_ONLY, Kind.POSITIONAL_OR_KEYWORD)
NO_VALUE = {"keepdims": False, "where": True}
MORE = (
    "Write what it does in terms of other functions, or give it a rule of your own: `@tl.adjoint`."
)


@cache
def signature(primal: object) -> tuple[inspect.Parameter, ...] | None:
    """The parameters of a primal, None if Python does not know them.

    >>> [p.name for p in signature(len)]
    ['obj']
    """
    if not callable(primal) or type(primal).__name__ == "ufunc":
        return None
    try:
        return tuple(inspect.signature(primal).parameters.values())
    except (ValueError, TypeError):
        return None


def is_default(tree: gast.expr, default: object, name: str = "") -> bool:
    """Whether ``tree`` is a literal that equals a default."""
    match tree:
        case gast.Constant(value=value):
            if default is value or (type(default) is type(value) and default == value):
                return True
            unset = type(default).__name__ == "_NoValueType"
            return unset and name in NO_VALUE and value is NO_VALUE[name]
    return False


@immutable
class Binder:
    """Binds the calls of one primal to the parameters of its rule."""

    called: str
    place: str
    params: tuple[Parameter, ...]
    callee: object
    algebra: str
    literal: tuple[str, ...] = ()

    def bind(
        self, args: Sequence[gast.expr], keywords: Mapping[str, gast.expr]
    ) -> dict[str, gast.expr]:
        """Parameter -> tree, absent defaults left out."""
        if self.algebra == "inactive":
            return {f"args[{k}]": a for k, a in enumerate(args)} | dict(keywords)
        bound: dict[str, gast.expr] = {}
        for k, argument in enumerate(args):
            if isinstance(argument, gast.Starred):
                raise self._error("`*` among the arguments is not supported", "Write them out.")
            self._put(bound, self._positional(k, argument), argument)
        for key, argument in keywords.items():
            self._put(bound, self._keyword(key, argument), argument)
        for parameter in self.params:
            if (
                parameter.default is EMPTY
                and not parameter.variadic
                and parameter.name not in bound
            ):
                raise self._error(f"the argument `{parameter.name}` is missing")
        for name in self.literal:
            if name in bound and not isinstance(bound[name], gast.Constant):
                raise self._error(
                    f"`{name}` decides what the results are",
                    f"Write its value in the call: `{name}=True`.",
                )
        return bound

    def _positional(self, k: int, argument: gast.expr) -> str | None:
        positional = [p for p in self.params if p.kind in POSITIONAL]
        if k < len(positional):
            return positional[k].name
        for parameter in self.params:
            if parameter.variadic:
                return f"{parameter.name}[{k - len(positional)}]"
        theirs = [p for p in signature(self.callee) or () if p.kind in POSITIONAL]
        if k < len(theirs):
            return self._keyword(theirs[k].name, argument)
        count = f"{len(positional)} argument{'s' * (len(positional) != 1)}"
        raise self._error(f"the rule in {self.place} takes {count}", MORE)

    def _keyword(self, key: str, argument: gast.expr) -> str | None:
        """The rule's parameter for a keyword, None if it states the primal's own default."""
        positional = [p for p in self.params if p.kind in POSITIONAL]
        theirs = list(signature(self.callee) or ())
        for k, parameter in enumerate(theirs):
            if parameter.name == key and k < len(positional) and parameter.kind in POSITIONAL:
                return positional[k].name
        names = {p.name for p in self.params if p.kind is not Kind.POSITIONAL_ONLY}
        if key in names and not (
            theirs and key not in {p.name for p in theirs} and self._hidden(key)
        ):
            return key
        default = next((p.default for p in theirs if p.name == key), EMPTY)
        if is_default(argument, default, key):
            return None
        known = [p.name for p in theirs]
        if theirs and key not in known and theirs[-1].kind is not Kind.VAR_KEYWORD:
            raise self._error(f"it has no parameter `{key}`", slips.keyword(key, known))
        raise self._error(f"parameter `{key}` is not supported by the rule in {self.place}", MORE)

    def _hidden(self, key: str) -> bool:
        """Whether ``key`` is the rule's own word for a positional parameter of the primal."""
        return any(p.name == key and p.kind in POSITIONAL for p in self.params)

    def _put(self, bound: dict[str, gast.expr], name: str | None, tree: gast.expr) -> None:
        if name is None:
            return
        if name in bound:
            raise self._error(f"the argument `{name}` is given twice")
        bound[name] = tree

    def _error(self, message: str, hint: str = "") -> RuleError:
        return RuleError(f"{self.called}: {message}", None, hint)


def tidy(call: gast.Call, callee: object) -> gast.Call:
    """``call`` without trailing and keyword arguments that equal the callee's own defaults.

    >>> from tangentlite import syntax
    >>> def f(x, axis=None, keepdims=False): ...
    >>> print(syntax.unparse(tidy(syntax.expression("f(x, 0, keepdims=False)"), f)))
    f(x, 0)
    """
    theirs = signature(callee)
    if theirs is None:
        return call
    defaults = {p.name: p.default for p in theirs}
    keywords = [
        k
        for k in call.keywords
        if k.arg is None or not is_default(k.value, defaults.get(k.arg, EMPTY), k.arg)
    ]
    arguments = list(call.args)
    order = [p for p in theirs if p.kind in POSITIONAL]
    while arguments and not keywords and len(arguments) <= len(order):
        last = order[len(arguments) - 1]
        if not is_default(arguments[-1], last.default, last.name):
            break
        arguments.pop()
    return gast.Call(call.func, arguments, keywords)
