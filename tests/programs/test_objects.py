"""Objects that are read and made: attributes, methods, properties, operators, trees, layers in a list."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

CASES: list[tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]] = []


def case(arguments: Callable[[], tuple[Any, ...]]) -> Callable[..., Any]:
    def add(f: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((f, arguments))
        return f

    return add


rng = np.random.default_rng(0)


class Linear:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, x):
        return self.w @ x + self.b

    def forward(self, x):
        return np.tanh(self(x))

    @property
    def norm(self):
        return np.sum(self.w * self.w)

    @staticmethod
    def square(v):
        return v * v

    @classmethod
    def zero(cls, n):
        return cls(np.zeros((n, n)), np.zeros(n))

    scale = 2.5


L = Linear(rng.normal(size=(2, 2)), rng.normal(size=2))
X = np.array([0.3, 0.7])


class Relu:
    def forward(self, x):
        return np.maximum(x, 0.1 * x)


class Net:
    def __init__(self, layers):
        self.layers = layers

    def forward(self, x):
        for l in self.layers:
            x = l.forward(x)
        return x

    def loss(self, x, t):
        r = self.forward(x) - t
        return np.sum(r * r)


N = Net([L, Linear(np.eye(2) * 0.7, np.array([0.1, 0.2]))])
N2 = Net([L, Relu(), Linear(np.eye(2) * 0.7, np.array([0.1, 0.2]))])


@case(lambda: (L, X))
def read(l, x):
    return np.sum(l.w * x)


@case(lambda: (L, X))
def call(l, x):
    return np.sum(l(x) ** 2)


@case(lambda: (L, X))
def prop(l, x):
    return l.norm * np.sum(x)


@case(lambda: (L, X))
def static(l, x):
    return np.sum(l.square(x)) + np.sum(Linear.square(l.w))


@case(lambda: (L, X))
def classattr(l, x):
    return l.scale * np.sum(l.b * x)


@case(lambda: (N, X))
def net(n, x):
    return np.sum(n.forward(x))


@case(
    lambda: (
        N,
        X,
        np.array([0.1, 0.2]),
    )
)
def netloss(n, x, t):
    return n.loss(x, t)


@case(lambda: (N2, X))
def hetero(n, x):
    return np.sum(n.forward(x))


GL = L


@case(lambda: (X,))
def glob(x):
    return np.sum(GL.forward(x)) * GL.norm


@case(lambda: ([L, L], X))
def objlist(ls, x):
    s = 0.0
    for l in ls:
        s = s + np.sum(l(x))
    return s


class State(NamedTuple):
    x: float
    v: float


P2 = namedtuple("P2", "a b")


@case(lambda: (State(0.3, 0.4),))
def nt(s):
    return s.x * s.v + s[0]


def step(s, dt):
    return State(s.x + dt * s.v, s.v - dt * s.x)


@case(lambda: (State(0.3, 0.4), 0.1))
def ntstep(s, dt):
    for _ in range(4):
        s = step(s, dt)
    return s.x * s.x + s.v


@case(lambda: (1.5, 2.5))
def ntmake(x, y):
    p = P2(x * y, b=y)
    a, b = p
    return p.a * b + a


@dataclass
class Params:
    w: np.ndarray
    b: float = 0.5
    n: int = 3


@dataclass(frozen=True)
class Point:
    x: float
    y: float

    def __add__(self, o):
        return Point(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return Point(self.x * k, self.y * k)

    __rmul__ = __mul__

    def dot(self, o):
        return self.x * o.x + self.y * o.y

    @property
    def norm2(self):
        return self.dot(self)


@case(lambda: (Params(X.copy()), X))
def dc(p, x):
    return np.sum(p.w * x) + p.b * p.n


@case(lambda: (Point(1.0, 2.0), 3.0))
def frozen(p, k):
    return (p * k + k * p).norm2


@case(lambda: (1.2, 0.7))
def dcmake(a, b):
    p = Params(np.array([a, b]))
    q = Params(w=p.w * 2, b=a)
    return np.sum(q.w) * q.b + p.b


@case(lambda: (SimpleNamespace(a=1.0, b=X), 2.0))
def simple(s, k):
    return s.a * np.sum(s.b) * k


@case(lambda: (1.5,))
def simplemake(x):
    s = SimpleNamespace(a=x * x, b=2.0)
    return s.a * s.b


class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        if isinstance(o, Vec):
            return Vec(self.x + o.x, self.y + o.y)
        return Vec(self.x + o, self.y + o)

    __radd__ = __add__

    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - o.y)

    def __mul__(self, o):
        if isinstance(o, Vec):
            return self.x * o.x + self.y * o.y
        return Vec(self.x * o, self.y * o)

    def __rmul__(self, o):
        return self * o

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __matmul__(self, o):
        return self.x * o.x + self.y * o.y

    def __abs__(self):
        return np.sqrt(self.x**2 + self.y**2)

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return self.x if i == 0 else self.y

    def __truediv__(self, k):
        return self * (1.0 / k)

    @classmethod
    def polar(cls, r, t):
        return cls(r * np.cos(t), r * np.sin(t))

    def length(self):
        return abs(self)


@case(lambda: (Vec(1.0, 2.0), 0.5))
def vecops(v, k):
    return (2.0 * v + v * k - (-v)) * (v + 1.0)


@case(lambda: (1.0, 2.0))
def vecmake(a, b):
    v = Vec(a, b)
    w = v + Vec(b, a) * a
    return v @ w + abs(w)


@case(lambda: (1.3, 0.4))
def polar(r, t):
    v = Vec.polar(r, t)
    return v.x * v.y + v.length()


@case(lambda: (Vec(1.0, 2.0),))
def getitem(v):
    return v[0] * v[1] * len(v)


@case(lambda: (Vec(1.0, 2.0),))
def vecdiv(v):
    return (v / 2.0) @ v


@case(lambda: (Vec(1.0, 2.0), 2.0))
def vecloop(v, k):
    acc = Vec(0.0, 0.0)
    for i in range(3):
        acc = acc + v * (k * i)
    return acc @ acc


class Base:
    def __init__(self, a):
        self.a = a

    def f(self, x):
        return self.a * x

    def g(self, x):
        return self.f(x) + 1.0


class Derived(Base):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b

    def f(self, x):
        return super().f(x) * self.b


@case(lambda: (Derived(1.5, 2.5), 0.3))
def inherit(d, x):
    return d.g(x) * d.f(x)


@case(
    lambda: (
        1.5,
        2.5,
        0.3,
    )
)
def inheritmake(a, b, x):
    d = Derived(a, b)
    return d.g(x)


class Poly(ABC):
    @abstractmethod
    def val(self, x): ...


class Quad(Poly):
    def __init__(self, c):
        self.c = np.asarray(c)

    def val(self, x):
        return self.c[0] + self.c[1] * x + self.c[2] * x * x


@case(lambda: (Quad(np.array([1.0, 2.0, 3.0])), 0.4))
def abc(p, x):
    return p.val(x)


@case(lambda: (np.array([1.0, 2.0, 3.0]), 0.4))
def abcmake(c, x):
    return Quad(c).val(x)


class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right

    def total(self, x):
        s = np.sin(self.value * x)
        if self.left is not None:
            s = s + self.left.total(x)
        if self.right is not None:
            s = s + self.right.total(x)
        return s


TREE = Node(1.0, Node(2.0, Node(0.3)), Node(0.7, None, Node(0.2)))


@case(lambda: (TREE, 0.8))
def tree(t, x):
    return t.total(x)


def evaluate(n, x):
    if n is None:
        return 0.0
    return n.value * x + evaluate(n.left, x) * evaluate(n.right, x * x)


@case(lambda: (TREE, 0.8))
def tree2(t, x):
    return evaluate(t, x)


class Act:
    def __init__(self, fn, k):
        self.fn = fn
        self.k = k

    def __call__(self, x):
        return self.k * self.fn(x)


@case(lambda: (Act(np.tanh, 2.0), X))
def fnattr(a, x):
    return np.sum(a(x))


class Nested:
    def __init__(self, inner):
        self.inner = inner


@case(lambda: (Nested(Nested(Linear(np.eye(2), X.copy()))), X))
def nested(n, x):
    return np.sum(n.inner.inner(x) * n.inner.inner.b)


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def f(self):
        return self.a * self.b


@case(lambda: (Slots(1.0, 2.0),))
def slots(s):
    return s.f()


@case(lambda: (1.0, 2.0))
def slotsmake(a, b):
    return Slots(a, b * a).f()


class Priv:
    def __init__(self, a):
        self.__a = a
        self._n = 2

    def get(self):
        return self.__a**self._n


@case(lambda: (1.5,))
def private(a):
    return Priv(a).get()


@case(lambda: (Priv(1.5),))
def private2(p):
    return p.get()


@pytest.mark.parametrize(("f", "arguments"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_program(f, arguments, confirm):
    confirm(f, *arguments())
