"""Exercise 3: a program as a graph.

A program is a list of steps (name, operation, arguments); the arguments are names of inputs or of other steps.
"""

import math

PROGRAM = [
    ("c", "multiply", ("a", "b")),
    ("s", "sin", ("c",)),
    ("y", "add", ("s", "c")),
]

OPERATIONS = {
    "add": lambda x, y: x + y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / y,
    "sin": math.sin,
    "exp": math.exp,
    "log": math.log,
}


def evaluate(program, inputs):
    """Give a dict with the values of all inputs and steps by name; the steps are in a right order. Keep ``inputs``."""
    raise NotImplementedError


def uses(program):
    """Give a dict that says for each name how often it is read; what is read twice by one step counts twice."""
    raise NotImplementedError


def ordered(program):
    """Give the steps in an order in which each comes after all steps that it reads (a topological order).

    They come in any order. Steps that read each other in a circle have no such order: raise ValueError.
    """
    raise NotImplementedError
