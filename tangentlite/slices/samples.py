"""Samples: what the doctests of this package look at.

In: source text of statements.
Out: what is found in them.
Next: tests.
"""

from __future__ import annotations

from tangentlite.ir import Function
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.numbers.forms import FLOAT, INT
from tangentlite.optimize.numbers.sorts import Sorts
from tangentlite.optimize.samples import function, text_of
from tangentlite.slices.nests import Loop
from tangentlite.slices.reader import Reader
from tangentlite.slices.sizes import Sizes

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


def show(text: str) -> None:
    """Print what becomes of a text."""
    from tangentlite.slices.slicing import sliced

    made = sliced(sample(text.strip("\n")), GIVEN, True)
    print(text_of(made.function.body) if made is not None else "nothing")
