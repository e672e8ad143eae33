"""Exercise 5: reverse mode by operator overloading, in sixty lines.

A node is a number that remembers what it was made of. ``parents`` has pairs (node, slope): the nodes that the operation
read, and the partial derivative of its result in each of them.
"""

import math


class Node:
    def __init__(self, value, parents=()):
        self.value, self.parents, self.adjoint = value, tuple(parents), 0.0

    def __add__(self, other):
        """Give the node of self + other, where other is a node or a number (see ``node``)."""
        raise NotImplementedError

    def __mul__(self, other):
        """Give the node of self * other."""
        raise NotImplementedError

    def __pow__(self, number):
        """Give the node of self ** number, where number is a plain number."""
        raise NotImplementedError

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -node(other)

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        return self * node(other) ** -1

    def __rtruediv__(self, other):
        return self**-1 * other


def node(x):
    return x if isinstance(x, Node) else Node(x)


def exp(x):
    """Give the node of eˣ."""
    raise NotImplementedError


def tanh(x):
    """Give the node of tanh x."""
    raise NotImplementedError


def ordered(result):
    """Give a list of all nodes that the result was made of, itself included: each once, and after its parents.

    A loop of ten thousand trips makes a chain of ten thousand nodes, which is too deep for a recursive function.
    """
    raise NotImplementedError


def backward(result):
    """Set the ``adjoint`` of every node that the result was made of; what an earlier sweep left there is forgotten."""
    raise NotImplementedError


def gradient(f, *arguments):
    """Give the partial derivatives of f at some numbers, a tuple: make nodes, call f, sweep, read the adjoints."""
    raise NotImplementedError
