"""Memory of kernels: what need not be made, kept or copied."""
