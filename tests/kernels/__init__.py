"""Numerical kernels as people write them: arrays filled, swept and swapped in place."""
