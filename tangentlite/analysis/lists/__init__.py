"""Lists, tuples and dicts: what they hold, how they grow, and who walks over them."""
