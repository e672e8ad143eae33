"""What to write instead of functions that have no rule.

In: a function.
Out: what says the same, and has one.
Next: callees.
"""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

from tangentlite import runtime

BY_NAME = (
    "Set the attribute of an object of your own class, by a name that is written down: `x.n = …`."
)
# Functions that write, and the arguments with which they are understood.
WRITERS = (
    (np.put, "Write `np.put(a, indices, values)`."),
    (np.place, "Write `np.place(a, mask, values)`."),
    (np.putmask, "Write `np.putmask(a, mask, values)`."),
    (np.copyto, "Write `np.copyto(a, values)` or `np.copyto(a, values, where=mask)`."),
    (np.fill_diagonal, "Write `np.fill_diagonal(a, values)`."),
    *((function, BY_NAME) for function in (setattr, delattr, object.__setattr__)),
    (np.put_along_axis, "Write `np.put_along_axis(a, indices, values, axis)`."),
)
STEPS = (
    "Follow an iterator where it is made: after `it = iter(xs)` write `next(it)`, `for v in it`, `list(it)`, "
    "and nothing else."
)
LONGEST = (
    "A deque with a longest length is bound once, in the function that changes it with `append`, `appendleft`, "
    "`pop` and `popleft`: `q = deque(maxlen=n)`."
)
# Functions without a rule, and what says the same.
INSTEAD: tuple[tuple[Any, str], ...] = (
    (np.nditer, "Walk over the indices: `for i in np.ndindex(a.shape): a[i] = …`."),
    *((function, STEPS) for function in (iter, next)),
    (collections.deque, LONGEST),
    (memoryview, "Store into the array itself: `a[i] = v`."),
    (np.piecewise, "Write conditions and functions out: `np.piecewise(x, [x < 0.0], [f, g])`."),
    (np.rollaxis, "Write `np.moveaxis(a, axis, place)`."),
    (np.compress, "Write `a[mask]`."),
    (np.insert, "Write `np.concatenate((a[:k], values, a[k:]))`."),
    (np.delete, "Write `np.concatenate((a[:k], a[k + 1 :]))`."),
)
# Methods that are not differentiated, and what is handed over by Python itself.
SORT = "Sort and reverse apart: `np.sort(x)[::-1]`, `x[np.argsort(key)]`."
KEYS = "Read and write by keys and indices, and with `append`, `pop`, `update` and their kin."
LOOK = {
    "get": "Write `d[key] if key in d else default`.",
    **dict.fromkeys(("items", "values"), "Loop over it: `for key, value in d.items(): …`."),
}
TAKE_OUT = "Give it the numbers and arrays that the object holds."
AS_DEFINED = "Give it what it takes, no more and no less."
METHODS = "Call a method that its class has."
MAKE_LIST = "Make it a list: `list(items)`."
HANDED_OVER = {
    runtime.begin_with: (
        "what a context manager hands over is not differentiated yet",
        "Bind the value to a name before the `with`.",
    ),
    runtime.error_caught: (
        "what an exception holds is not differentiated yet",
        "Bind the value to a name before it is raised.",
    ),
}
