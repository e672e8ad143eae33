"""Writes into arrays, and the ways in which NumPy says them."""
