"""Functions of NumPy and of the runtime, as Numba reads them."""
