"""Products, quotients and copies: none is made twice, none that nobody needs."""
