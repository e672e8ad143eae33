"""Loops over whatever Python walks over: iterators, generators, comprehensions."""
