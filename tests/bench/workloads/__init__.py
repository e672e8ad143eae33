"""The workloads of the benchmark, one module each.

A module has ``loss``, the user's plain function; ``by_hand``, the gradient that an expert writes in NumPy; ``SIZES`` and
``arguments(size)``; ``WRT``, the places of what is differentiated; ``GOAL``, the ratio to the gradient by hand that we want.
Where a peer needs another form than the same text with other imports, ``jax_form``, ``torch_form`` and their like give it.
``LOOPS``: a compiler of traces would unroll them. ``AS_LOOPS`` is a gradient by hand for Numba, if it is not ``by_hand``.
"""

NAMES = (
    "cube",
    "while_loop",
    "sine_loop",
    "perceptron",
    "recurrent",
    "logsumexp",
    "jacobi",
    "recurrence",
    "rosenbrock",
    "mixture",
)
