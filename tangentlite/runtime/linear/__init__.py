"""Linear algebra: products, sums over axes, norms, and what the factors of a matrix are made of."""
