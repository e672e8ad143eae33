"""What an example says of an argument: its kind for the compiler, and a test for the text.

In: the name and the value of an argument.
Out: ``Fact``; for arrays also which of their axes are equally long.
Next: opening.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tangentlite import arguments
from tangentlite.analysis.kinds import FLOAT, Dict, Inert, Kind, List, Nothing, Num, Tuple, Value
from tangentlite.analysis.shapes import extents
from tangentlite.runtime.edges.entry import is_alike
from tangentlite.values import immutable, replace

SORTS = {"f": "float", "i": "integer", "u": "unsigned integer", "b": "boolean", "c": "complex"}
PLAIN = "numbers, arrays, texts, None, functions, and lists, tuples and dicts of numbers and arrays"
NO_EXAMPLE = f"specialize() takes {PLAIN}"


@immutable
class Fact:
    """``kind`` of an argument; ``misfit``: a test, in ``x``, that is true of what is not so; ``wanted``: in words.

    ``like``: what a test by ``is_alike`` compares with.
    """

    kind: Kind
    misfit: str
    wanted: str
    like: Any = None


def fact(name: str, value: Any, active: bool) -> Fact:
    """What an example says.

    >>> fact("x", 2.0, True).misfit, fact("n", 3, False).wanted
    ('type(x) is not float', 'an int')
    >>> fact("w", np.ones((2, 3)), True).wanted
    'a float array with 2 axes'
    """
    kind = arguments.kind(name, value)
    if isinstance(kind, Num):
        ranked = (
            kind
            if kind.exact == "complex" or kind.persistent
            else arguments.ranked(kind, value, active)
        )
        if type(value) is float:
            ranked = FLOAT
        if isinstance(value, np.ndarray):
            return _array(ranked, value)  # type: ignore[arg-type]
        if type(value) in (float, int, bool, complex) or isinstance(value, np.generic):
            return Fact(ranked, f"type(x) is not {_spelled(type(value))}", _one(type(value)))
    if isinstance(kind, Nothing):
        return Fact(kind, "x is not None", "None")
    if isinstance(kind, Inert) and isinstance(value, str | bytes):
        return Fact(kind, f"type(x) is not {type(value).__name__}", _one(type(value)))
    if isinstance(kind, Tuple | List | Dict) and _is_plain(value):
        skeleton = _skeleton(value)
        if is_alike(value, skeleton):
            word = f"a {type(value).__name__} like the example's"
            return Fact(kind, "not is_alike(x, y)", word, skeleton)
    if isinstance(kind, Value) and callable(value):
        shown = getattr(value, "__qualname__", getattr(value, "__name__", "of the example"))
        return Fact(kind, "not is_alike(x, y)", f"the function `{shown}`", value)
    raise TypeError(f"{NO_EXAMPLE}: `{name}` is {type(value).__name__}")


def _array(kind: Num, value: np.ndarray) -> Fact:
    sort, axes = value.dtype.kind, value.ndim
    test = f'type(x) is not np.ndarray or x.dtype.kind != "{sort}" or x.ndim != {axes}'
    article = "an" if SORTS[sort][0] in "iu" else "a"
    wanted = f"{article} {SORTS[sort]} array with {axes} {'axis' if axes == 1 else 'axes'}"
    return Fact(kind, test, wanted)


def _one(kind: type) -> str:
    name = _spelled(kind)
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _spelled(kind: type) -> str:
    return f"np.{kind.__name__}" if issubclass(kind, np.generic) else kind.__name__


def _is_plain(value: Any) -> bool:
    """Whether a nest holds numbers, arrays, texts and None: nothing whose kind may change while it is the same."""
    if isinstance(value, list | tuple | dict):
        return all(map(_is_plain, value.values() if isinstance(value, dict) else value))
    return value is None or isinstance(value, np.ndarray | np.number | int | float | str | bytes)


def _skeleton(value: Any) -> Any:
    """The structure of a nest, without its arrays."""
    if isinstance(value, list | tuple):
        parts = list(map(_skeleton, value))
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, dict):
        return {key: _skeleton(part) for key, part in value.items()}
    return 0.0 if isinstance(value, np.ndarray | np.number | int | float) else value


def classes(values: Mapping[str, Any], facts: Mapping[str, Fact]) -> list[tuple[str, ...]]:
    """The axes of equal length, of arrays that are floats or integers: where they are one, each is its own.

    >>> values = {"w": np.ones((4, 3)), "b": np.zeros(3), "c": np.ones(1), "d": np.ones(1)}
    >>> classes(values, {n: fact(n, v, True) for n, v in values.items()})
    [('w.shape[1]', 'b.shape[0]')]
    """
    found: dict[int, list[str]] = {}
    for name, value in values.items():
        if _has_axes(facts[name]):
            for k, length in enumerate(value.shape):
                found.setdefault(length, []).append(f"{name}.shape[{k}]")
    return [tuple(same) for n, same in found.items() if n != 1 and len(same) > 1]


def shaped(facts: Mapping[str, Fact], same: Sequence[tuple[str, ...]]) -> dict[str, Fact]:
    """Facts with shapes in which the axes of a class have one name.

    >>> known = {n: fact(n, v, True) for n, v in {"w": np.ones((4, 3)), "b": np.zeros(3)}.items()}
    >>> w, b = (f.kind.shape for f in shaped(known, [("w.shape[1]", "b.shape[0]")]).values())
    >>> w | b == w
    True
    """
    names = {axis: axes[0] for axes in same for axis in axes}
    made = dict(facts)
    for name, known in facts.items():
        if _has_axes(known):
            axes = (f"{name}.shape[{k}]" for k in range(known.kind.ndim or 0))  # type: ignore[attr-defined]
            shape = extents.shape(tuple(names.get(a, a) for a in axes))
            made[name] = replace(known, kind=replace(known.kind, shape=shape))
    return made


def _has_axes(known: Fact) -> bool:
    kind = known.kind
    return isinstance(kind, Num) and kind.shape is None and bool(kind.ndim) and not kind.persistent
