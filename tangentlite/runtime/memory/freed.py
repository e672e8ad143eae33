"""Memory that arrays leave stays with the process: to fetch it from the system takes longer than to fill it.

In: nothing.
Out: nothing; arrays find the memory of those that were there before.
Next: broadcast.

A derivative lets go of all its arrays at once, when it returns. The C library of Linux gives memory back to the system
if much becomes free at a time, and every page of it must be fetched anew at the next call. What is much it learns from
the largest array that it has seen freed, up to a limit. It is shown one of that size, which nobody ever writes.
"""

from __future__ import annotations

import numpy as np

LARGEST = (1 << 25) - (1 << 16)  # bytes: of a larger one the C library learns nothing

np.empty(LARGEST, np.uint8)
