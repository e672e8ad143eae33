"""Exercise 6: reverse mode by source transformation, for straight lines.

The functions that are read have one operation in a line, give each name once, and return a name:

    def f(a, b):
        c = a * b
        s = np.sin(c)
        y = s + c
        return y
"""

import ast


def read(text):
    function = ast.parse(text).body[0]
    *lines, last = function.body
    steps = [(line.targets[0].id, *operation(line.value)) for line in lines]
    return function.name, [p.arg for p in function.args.args], steps, last.value.id


def operation(value):
    match value:
        case ast.BinOp(ast.Name(x), sign, ast.Name(y)):
            return type(sign).__name__, (x, y)
        case ast.Call(ast.Attribute(ast.Name("np"), name), [ast.Name(x)]):
            return name, (x,)
    raise SyntaxError(f"one operation in a line: {ast.unparse(value)}")


def backward_lines(name, operation, arguments):
    """Give the lines, a list of strings, that add to the adjoints of the arguments of one step.

    The adjoint of x is called ``bx``. The step ("c", "Mult", ("a", "b")), from ``c = a * b``, has the lines
    ``ba = ba + bc * b`` and ``bb = bb + bc * a``. The operations are Add, Sub, Mult, Div, sin, cos, exp and log; the
    result of a step can be read as well, it has a name.
    """
    raise NotImplementedError


def gradient_source(text):
    """Give the source of a function ``df`` with the parameters of the one in ``text``, which is called f, say.

    It gives a tuple of the partial derivatives. Its lines: those of f but for the return; zero for all adjoints; 1 for
    that of the result; the lines of ``backward_lines`` for all steps, from the last to the first; the return. ``read``
    gives the name of f, its parameters, its steps and the name of its result.
    """
    raise NotImplementedError
