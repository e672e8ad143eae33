"""Exercise 4: the reverse sweep over a straight-line program."""

import math

OPERATIONS = {
    "add": lambda x, y: x + y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / y,
    "sin": math.sin,
    "exp": math.exp,
    "log": math.log,
}


def evaluate(program, inputs):
    values = dict(inputs)
    for name, operation, arguments in program:
        values[name] = OPERATIONS[operation](*(values[a] for a in arguments))
    return values


def neuron(w, b, x, t):
    z = w * x + b
    h = math.tanh(z)
    r = h - t
    return r * r


def neuron_adjoints(w, b, x, t):
    """Give a dict with the adjoints of r, h, z, w, b, x and t in ``neuron``: how much its result changes with each.

    Run the lines of ``neuron`` as they are, but for the last. Then visit its lines from the last to the first, and
    write one line for each variable that the line reads. No library; it is six multiplications or so.
    """
    z = w * x + b
    h = math.tanh(z)
    r = h - t
    br = 2.0 * r
    bh, bt = br, -br
    bz = bh * (1.0 - h * h)
    return {"r": br, "h": bh, "z": bz, "w": bz * x, "b": bz, "x": bz * w, "t": bt}


def slopes(operation, arguments, result):
    """Give the partial derivatives of one operation, a tuple with one for each argument.

    ``arguments``: the numbers it got. ``result``: the number it gave. For ``multiply`` of (x, y) that is (y, x).
    """
    match operation, arguments:
        case "add", _:
            return (1.0, 1.0)
        case "multiply", (x, y):
            return (y, x)
        case "divide", (_, y):
            return (1.0 / y, -result / y)
        case "sin", (x,):
            return (math.cos(x),)
        case "exp", _:
            return (result,)
        case "log", (x,):
            return (1.0 / x,)
    raise ValueError(operation)


def backward(program, values):
    """Give a dict with the adjoint of every name in ``values`` (see ``evaluate``), for the last step as the result.

    The result has the adjoint 1, what it does not depend on has 0, and a step z = φ(x, y) adds z̄ ∂φ/∂x to x̄ and
    z̄ ∂φ/∂y to ȳ. Visit the steps from the last to the first.
    """
    adjoints = dict.fromkeys(values, 0.0)
    adjoints[program[-1][0]] = 1.0
    for name, operation, arguments in reversed(program):
        found = slopes(operation, tuple(values[a] for a in arguments), values[name])
        for a, slope in zip(arguments, found):
            adjoints[a] += adjoints[name] * slope
    return adjoints
