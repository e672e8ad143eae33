"""Values as text that gives the same value again, bit for bit.

In: a value, and what names modules, functions and classes in the text.
Out: an expression; ExportError for what no text can give.
Next: gathering.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite.errors import ExportError

SIMPLE = (bool, int, str, bytes, type(None), type(...))
LIMIT = 4096  # elements of an array
LISTED = 128  # elements of an array that is written as lists
NUMBERS = "biufcUS"
PASS = "Pass it as an argument of the function, or make it inside the function."
Refer = Callable[[Any, str], str]


class Writer:
    """Writes one value; ``refer`` gives the name of a module, a function or a class, under a wish."""

    def __init__(self, refer: Refer) -> None:
        self.refer = refer
        self._inside: list[int] = []

    def text(self, value: Any) -> str:
        """The expression.

        >>> write = Writer(lambda value, wish: wish).text
        >>> write((1, -0.0, [float("nan")])), write(2j), write(frozenset()), write(np.float32(0.1))
        ('(1, -0.0, [float("nan")])', 'complex(0.0, 2.0)', 'frozenset()', 'np.float32(0.10000000149011612)')
        >>> write(np.array([[1.0, np.inf]]))
        'np.array([[1.0, np.inf]], dtype=np.float64)'
        """
        kind = type(value)
        if kind in SIMPLE:
            return "..." if value is ... else repr(value)
        if kind is float:
            return _number(value)
        if kind is complex:
            return f"complex({_number(value.real)}, {_number(value.imag)})"
        if kind in (tuple, list, dict, set, frozenset, range, slice):
            return self._container(value)
        if kind is np.ndarray:
            return self._array(value)
        if isinstance(value, np.generic):
            return self._scalar(value)
        if isinstance(value, np.dtype):
            return self._dtype(value)
        return self.refer(value, getattr(value, "__name__", "value"))

    def _container(self, value: Any) -> str:
        if id(value) in self._inside:
            raise ExportError("a container that holds itself cannot be written down", None, PASS)
        self._inside.append(id(value))
        parts = [] if isinstance(value, dict | range | slice) else list(map(self.text, value))
        match value:
            case dict():
                text = ", ".join(f"{self.text(k)}: {self.text(v)}" for k, v in value.items())
                text = "{" + text + "}"
            case list():
                text = "[" + ", ".join(parts) + "]"
            case tuple():
                text = "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"
            case set() | frozenset():
                name, inside = type(value).__name__, ", ".join(sorted(parts))
                shown = "{" + inside + "}" if parts else ""
                text = shown if name == "set" and parts else f"{name}({shown})"
            case _:
                ends = (value.start, value.stop, value.step)
                text = f"{type(value).__name__}({', '.join(map(self.text, ends))})"
        self._inside.pop()
        return text

    def _array(self, x: Any) -> str:
        if x.dtype.kind not in NUMBERS or x.dtype.char in "gG":
            raise ExportError(f"an array of dtype {x.dtype} cannot be written down", None, PASS)
        if x.size > LIMIT:
            said = f"an array of {x.size} elements is too large to be written into a file"
            raise ExportError(said, None, f"{PASS} Up to {LIMIT} elements are written.")
        np_, dtype = self.refer(np, "np"), self._type(x.dtype)
        if x.size == 0:
            text = f"{np_}.zeros({x.shape!r}, dtype={dtype})"
        elif x.size <= LISTED or x.dtype.kind not in "biuf" or self._inside:
            text = f"{np_}.array({self._nested(x.tolist())}, dtype={dtype})"
        else:
            text = self._block(x, np_, dtype)
        if x.ndim > 1 and x.flags.f_contiguous and not x.flags.c_contiguous:
            text = f"{np_}.asfortranarray({text})"
        return self._checked(text, x)

    def _block(self, x: Any, np_: str, dtype: str) -> str:
        """Many numbers stand in a text, on lines of their own."""
        words = " ".join(repr(int(v) if v is True or v is False else v) for v in x.ravel().tolist())
        lines = textwrap.indent(textwrap.fill(words, 80, break_on_hyphens=False), "    ")
        read, cast = (f"{np_}.int64", f".astype({dtype})") if x.dtype.kind == "b" else (dtype, "")
        shaped = "" if x.ndim == 1 else f".reshape({x.shape!r})"
        return f'{np_}.array(\n    """\n{lines}\n""".split(),\n    dtype={read},\n){cast}{shaped}'

    def _nested(self, value: Any) -> str:
        if isinstance(value, list):
            return "[" + ", ".join(map(self._nested, value)) + "]"
        if isinstance(value, float) and not math.isfinite(value):
            name = "nan" if math.isnan(value) else "inf"
            return f"{'-' if value < 0 else ''}{self.refer(np, 'np')}.{name}"
        return self.text(value)

    def _scalar(self, value: Any) -> str:
        if value.dtype.kind not in NUMBERS or value.dtype.char in "gG":
            raise ExportError(f"{value!r} cannot be written down", None, PASS)
        name = type(value).__name__
        name = "bool_" if value.dtype.kind == "b" else name
        text = f"{self.refer(np, 'np')}.{name}({self.text(value.item())})"
        return self._checked(text, value)

    def _type(self, dtype: Any) -> str:
        plain = dtype.kind in "biufc" and dtype == np.dtype(dtype.type)
        name = "bool_" if dtype.kind == "b" else dtype.type.__name__
        return f"{self.refer(np, 'np')}.{name}" if plain else self._dtype(dtype)

    def _dtype(self, dtype: Any) -> str:
        if dtype.names is not None or dtype.hasobject:
            raise ExportError(f"the dtype {dtype} cannot be written down", None, PASS)
        return f"{self.refer(np, 'np')}.dtype({dtype.str!r})"

    def _checked(self, text: str, value: Any) -> str:
        """The text, if it gives the same bits: some NaN do not."""
        again = eval(text, {self.refer(np, "np"): np})
        same = again.dtype == value.dtype and again.tobytes() == value.tobytes()
        if not same or again.shape != value.shape:
            raise ExportError(f"{value!r} cannot be written down bit for bit", None, PASS)
        return text


def _number(value: float) -> str:
    if math.isfinite(value):
        return repr(value)
    return f'float("{value!r}")'
