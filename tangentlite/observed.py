"""What debuggers and profilers find in a derivative: the generated code that its calls run.

In: the partial that a derivative is.
Out: ``Observed``, the attributes that they ask for.
Next: derivative.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from tangentlite.emit.module import Unit, remember
from tangentlite.errors import DerivativeError


def target(call: Any) -> Any:
    """What calls of a partial go to, as it stands."""
    return functools.partial.func.__get__(call)


class Observed:
    """``break df`` in pdb, and ``profiler.add_function(df)``, mean the function that runs when df is called."""

    _variants: dict[Any, tuple[Any, Callable[..., Any]]]
    _units: list[Unit]
    functions: Any

    @property
    def func(self) -> Any:
        """What calls go to; before the first call it is made, so that no profiler takes the compiler for it."""
        towards = target(self)
        while type(towards) is functools.partial:
            make, *known = towards.args
            towards = make(*known)
        return towards

    @property
    def __wrapped__(self) -> FunctionType:
        try:
            first: FunctionType = self.functions[0]
            return first
        except DerivativeError as fault:  # there is no text for just any arguments
            raise AttributeError(str(fault)) from None

    @property
    def __func__(self) -> Any:
        """The function that runs; if there is one for each kind of arguments, the newest."""
        for unit in self._units:
            remember(unit.source, unit.file)
        known = [self.func, *(door for _, door in reversed(self._variants.values()))]
        found = next((f for f in known if isinstance(f, FunctionType)), self.__wrapped__)
        return inspect.unwrap(found)

    @property
    def __code__(self) -> CodeType:
        code: CodeType = self.__func__.__code__
        return code
