"""What travels: derivatives as text, once; parameters at each step.

In: a derivative and what it is called with.
Out: bytes. Functions and classes that the parameters name are those that the derivative was written for.
Next: rows.
"""

from __future__ import annotations

import copy
import io
import pickle
from functools import lru_cache
from types import FunctionType
from typing import Any

import cloudpickle
import numpy as np

import tangentlite as tl
from tangentlite.learn.nests import named
from tangentlite.learn.saving import kept, told


class Program:
    """A derivative on its way: ``text`` changes with what it reads, and with what the parameters name."""

    def __init__(self, derivative: Any) -> None:
        self.derivative, self.named = derivative, dict[int, tuple[int, Any]]()

    def text(self) -> bytes:
        """Give the derivative, with functions and classes that the parameters named so far."""
        known = [value for _, value in self.named.values()]
        return bytes(cloudpickle.dumps((self.derivative, known)))

    def state(self, *values: Any) -> bytes:
        """Give the values, in which functions and classes are numbers."""
        file = io.BytesIO()
        _Writer(file, self.named).dump(values)
        return file.getvalue()


class _Writer(cloudpickle.Pickler):  # type: ignore[misc]
    def __init__(self, file: Any, named: dict[int, tuple[int, Any]]) -> None:
        super().__init__(file)
        self.named = named

    def persistent_id(self, value: Any) -> int | None:
        """Give the number of a function or a class."""
        if isinstance(value, FunctionType | type):
            return self.named.setdefault(id(value), (len(self.named), value))[0]
        return None


class _Reader(pickle.Unpickler):
    def __init__(self, state: bytes, known: list[Any]) -> None:
        super().__init__(io.BytesIO(state))
        self.known = known

    def persistent_load(self, number: int) -> Any:
        """Give the function or the class of a number."""
        return self.known[number]


@lru_cache(maxsize=32)
def _opened(text: bytes) -> Any:
    return pickle.loads(text)


def received(text: bytes, state: bytes) -> tuple[Any, Any]:
    """Give the derivative, and what it is called with."""
    derivative, known = _opened(text)
    return derivative, _Reader(state, known).load()


class Unchanged:
    """Refuse what a model keeps from one call for the next: what is computed elsewhere would be lost.

    >>> from types import SimpleNamespace
    >>> counter = SimpleNamespace(count=1)
    >>> with Unchanged(counter):
    ...     counter.count += 1
    Traceback (most recent call last):
    tangentlite.errors.DerivativeError: the loss changes `count`, which no other worker would see
    Call model.eval() before (batch norm, dropout), or keep nothing in the model.
    """

    def __init__(self, nest: Any) -> None:
        self.nest, self.before = nest, self._now(nest)

    def _now(self, nest: Any) -> dict[str, Any]:
        known = {name: told(value) for name, (_, _, value) in kept(nest).items()}
        return copy.deepcopy({**known, **named(nest)})

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, *_: Any) -> None:
        now = self._now(self.nest)
        both = {**now, **self.before}
        changed = [n for n in both if not _same(self.before.get(n), now.get(n))]
        if changed and kind is None:
            raise tl.DerivativeError(
                f"the loss changes `{changed[0].lstrip('.')}`, which no other worker would see",
                None,
                "Call model.eval() before (batch norm, dropout), or keep nothing in the model.",
            )


def _same(a: Any, b: Any) -> bool:
    arrays = isinstance(a, np.ndarray | float) and isinstance(b, np.ndarray | float)
    return np.array_equal(a, b, equal_nan=True) if arrays else bool(a == b)
