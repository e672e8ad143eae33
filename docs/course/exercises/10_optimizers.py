"""Exercise 10: optimizers.

Each function makes one step. It takes parameters w and their gradient g, two arrays, and a state, a dict that is empty
before the first step; it gives the new parameters, and changes the state but neither w nor g.
"""

import numpy as np


def momentum(w, g, state, rate, keep=0.9):
    """v ← keep · v + g, beginning with v = 0, and w ← w − rate · v."""
    raise NotImplementedError


def nesterov(w, g, state, rate, keep=0.9):
    """v ← keep · v + g, and w ← w − rate · (g + keep · v), with the new v."""
    raise NotImplementedError


def rmsprop(w, g, state, rate, keep=0.99, tiny=1e-8):
    """s ← keep · s + (1 − keep) · g², beginning with s = 0, and w ← w − rate · g / (√s + tiny)."""
    raise NotImplementedError


def adam(w, g, state, rate, first=0.9, second=0.999, tiny=1e-8):
    """m ← first · m + (1 − first) · g and s ← second · s + (1 − second) · g², both beginning with 0.

    After k steps (the first has k = 1) they are too small by the factors 1 − firstᵏ and 1 − secondᵏ. Divide by these,
    m̂ and ŝ, and w ← w − rate · m̂ / (√ŝ + tiny). The divided ones are not what is kept.
    """
    raise NotImplementedError


def clip(g, largest):
    """Give g, shortened to the norm ``largest`` if it is longer; its direction stays. There may be no 0/0."""
    raise NotImplementedError
