"""Texts that were written with numbers: no derivative flows through them, so none may be read from them.

In: the kinds of what a text is made of, or of what a call is given.
Out: kinds that tell which texts hold numbers, and the operations that read such numbers again.
Next: containers, calls.
"""

from __future__ import annotations

import builtins
import collections
import io
import os
from functools import cache
from typing import Any

import numpy as np

from tangentlite.analysis.kinds import (
    CHANCE,
    TEXT_OR_NUMBER,
    Dict,
    Inert,
    Kind,
    List,
    Num,
    Tuple,
    Unknown,
    floating,
)
from tangentlite.analysis.operations import NoFlow, Operation, Primitive, UserCall
from tangentlite.values import immutable, replace

STRINGS = ("str", "JoinedStr")
WRITERS = {str, repr, format, builtins.ascii, np.array2string, np.array_str, np.array_repr}
WRITERS |= {np.format_float_positional, np.format_float_scientific}


KEPT = "it is a deque whose longest length only `append` and `appendleft` of one function keep"


PATH = Inert("path", written=True)


@cache
def paths() -> list[Any]:
    """Callables that give names of files and folders."""
    import pathlib  # which imports much itself
    import tempfile

    names = "join", "abspath", "dirname", "basename", "expanduser"
    made = [getattr(os.path, name) for name in names]
    made += [getattr(tempfile, name) for name in ("gettempdir", "mkdtemp", "mktemp")]
    return [open, os.getcwd, pathlib.Path, *made]


@cache
def sources() -> list[tuple[Any, Kind]]:
    """Callables that make objects without derivatives (files, texts, random numbers), and the kinds of those."""
    import random  # which imports much itself

    chance = np.random.default_rng, np.random.RandomState, random.Random
    files = [(open, Inert("file", written=True)), (io.StringIO, Inert("text", written=True))]
    files += [(function, PATH) for function in paths()[1:]]
    return [*files, (collections.deque, Unknown(KEPT)), *((f, CHANCE) for f in chance)]


@immutable(eq=False)
class Read(NoFlow):
    """A number that is read from text which was written with numbers."""


def written(kind: object) -> bool:
    """Whether there may be text in a value that was written with numbers."""
    match kind:
        case Inert(written=found):
            return found
        case Unknown():
            return kind == TEXT_OR_NUMBER
        case Tuple(items=items) | Dict(items=items):
            keys = kind.keys if isinstance(kind, Dict) else ()
            return any(map(written, items)) or any(map(written, keys))
        case List(item=item):
            return written(item)
    return False


def says(kinds: list[Kind]) -> bool:
    """Whether a text made of such values says what a number is through which a derivative may flow."""
    return any(written(k) or floating(k) for k in kinds)


def text(kinds: list[Kind], type_: str = "") -> Inert:
    """The kind of a text that is made of such values."""
    return Inert(type_, written=says(kinds))


def taken(base: Kind, found: Kind) -> Kind:
    """What is taken out of a text that was written with numbers is such a text, too."""
    return replace(found, written=True) if written(base) and isinstance(found, Inert) else found


def of_dtype(dtype: Any) -> bool:
    """Whether arrays of a type of elements hold text."""
    try:
        return dtype is not None and np.dtype(dtype).kind in "USV"
    except TypeError:
        return False


def read(operation: Operation, kind: Kind, given: list[Kind]) -> Operation:
    """The operation of a call that gives a number, where it is given such a text."""
    numbers = isinstance(kind, Num) and floating(kind)
    others = [k for k in given if not written(k)]
    plain = isinstance(operation, Primitive) and not any(map(floating, others))
    if numbers and (plain or type(operation) is NoFlow) and any(map(written, given)):
        return Read()
    return operation


def reads(operation: Operation) -> bool:
    """Whether a statement reads numbers from such texts."""
    return isinstance(operation, Read) or (isinstance(operation, UserCall) and operation.reads)
