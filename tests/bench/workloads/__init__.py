"""The workloads of the benchmark, one module each.

A module has ``loss``, the user's plain function; ``by_hand``, the gradient that an expert writes in NumPy; ``SIZES`` and
``arguments(size)``; ``WRT``, the places of what is differentiated; ``GOAL``, the ratio to the gradient by hand that we want.
Where a peer needs another form than the same text with other imports, ``jax_form``, ``torch_form`` and their like give it.
``LOOPS``: a compiler of traces would unroll them. ``as_loops(numba)`` is a gradient by hand for Numba, if it is not ``by_hand``.
``IN_PLACE`` are kernels that write into their arguments, in the text in which benchmarks of compilers have them.
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

IN_PLACE = (
    "jacobi_1d",
    "jacobi_2d",
    "seidel_2d",
    "adi",
    "cholesky",
    "syrk",
    "trmm",
    "durbin",
    "conv2d_bias",
    "softmax",
)
