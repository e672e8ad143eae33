"""Loops over places of arrays become statements about slices, where that says the same.

In: a function as it was read, what its arguments are.
Out: ``Sliced``: the function with slices, and what must hold of the arguments; None where no loop can be written so.
Next: sliced.

``inlined`` writes out helpers, ``states`` parts tuples, ``prepared`` says it in few words, ``rows`` writes loops over
the numbers of rows, ``stretches`` parts loops where their branches and indices ask for another answer, ``sizes`` says
integers and shapes in terms of the arguments (``affine``), ``reader`` reads ``nests`` of loops, ``parallel`` decides
which are done at once, by what may be ``meeting`` in different trips, ``writing`` says it of slices (``spelling``), and
``conditions`` says what must hold.
"""

from __future__ import annotations

from tangentlite.slices.inlined import inlined
from tangentlite.slices.slicing import Sliced, sliced
from tangentlite.slices.states import parted

__all__ = ["Sliced", "inlined", "parted", "sliced"]
