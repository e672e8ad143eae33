"""Samples: what the doctests of this package look at.

In: source text of statements.
Out: what is found in them.
Next: tests.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from tangentlite.ir import Function, Namespace
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.numbers.forms import FLOAT, INT
from tangentlite.optimize.numbers.sorts import Sorts
from tangentlite.optimize.samples import function, text_of
from tangentlite.slices.nests import Loop
from tangentlite.slices.reader import Reader
from tangentlite.slices.sizes import Sizes
from tangentlite.values import replace

GIVEN = {"x": 2, "A": 2, "w": 1, "u": 1, "c": FLOAT, "k": INT}
FLAT = {"x": 1, "y": 1, "A": 2, "n": INT, "c": FLOAT}


def sample(text: str, given: dict[str, object] = GIVEN) -> Function:
    """A function of arguments that are given."""
    return function(text, params=list(given))


def sizes(text: str, given: dict[str, object] = GIVEN) -> Sizes:
    """The sizes of a text."""
    made = sample(text, given)
    purity = Purity(made.namespace, made.local, lambda callee: False)
    return Sizes(made, Sorts(made.body, given, purity))


def nest(text: str) -> Loop:
    """The loop that a text is, over places of vectors."""
    found = sizes(text, FLAT)
    (loop,) = found.function.body
    return Reader(found).loop(loop, {})


def calling() -> tuple[Function, Callable[[Any], Function]]:
    """A function that calls helpers, and how to read them."""
    texts = {
        "logistic": "s = np.exp(-v)\nreturn 1.0 / (1.0 + s)",
        "triple": "for i in range(len(a)):\n    a[i] = a[i] * 3.0",
    }
    helpers = {"logistic": lambda v: None, "triple": lambda a: None}
    space = {**helpers, "np": np}
    plain = {n: FunctionType(h.__code__, space, n) for n, h in helpers.items()}
    space.update(plain)
    names = {id(h): n for n, h in plain.items()}

    def read(callee: Any) -> Function:
        name = names[id(callee)]
        made = sample(texts[name], dict.fromkeys(callee.__code__.co_varnames))
        return replace(made, namespace=Namespace(space))

    body = "y = x.copy()\nfor i in range(len(x)):\n    y[i] = logistic(x[i]) * 2.0\ntriple(y)\nreturn np.sum(y)"
    return replace(sample(body), namespace=Namespace(space)), read


def show(text: str) -> None:
    """Print what becomes of a text."""
    from tangentlite.slices.slicing import sliced

    made = sliced(sample(text.strip("\n")), GIVEN, True)
    print(text_of(made[0].function.body) if made else "nothing")
