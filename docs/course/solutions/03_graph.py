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
    values = dict(inputs)
    for name, operation, arguments in program:
        values[name] = OPERATIONS[operation](*(values[a] for a in arguments))
    return values


def uses(program):
    """Give a dict that says for each name how often it is read; what is read twice by one step counts twice."""
    found = {}
    for _, _, arguments in program:
        for a in arguments:
            found[a] = found.get(a, 0) + 1
    return found


def ordered(program):
    """Give the steps in an order in which each comes after all steps that it reads (a topological order).

    They come in any order. Steps that read each other in a circle have no such order: raise ValueError.
    """
    left, made, result = list(program), {name for name, _, _ in program}, []
    while left:
        ready = [step for step in left if not made.intersection(step[2])]
        if not ready:
            raise ValueError("a circle")
        result += ready
        made -= {name for name, _, _ in ready}
        left = [step for step in left if step not in ready]
    return result
