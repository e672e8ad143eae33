"""The normal form does what the function does: values, effects, their order, errors."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

Agree = Callable[..., None]

PROGRAMS = dict(
    block.split("\n", 1)
    for block in """\
# operands
def f(a, b):
    return note(a) + note(b) * note(3) - note(4)

# call
def f(a, b):
    return max(note(a), note(b), key=note('k', abs))

# walrus
def f(a, b):
    return a + (a := b + 1) + a * (b := 2) - b

# walrus in a test
def f(a, b):
    if (c := note(a)) > b:
        return c
    return c + b

# ternary
def f(a, b):
    return note(1) + (note(a) if note(b) > 0 else note(-a))

# nested ternary
def f(a, b):
    return 1 if a > 1 else 2 if b > 1 else note(3)

# ternary to itself
def f(a, b):
    a = a + 1 if a > b else b
    return a

# and or
def f(a, b):
    return (note(a) and note(b)) or note(7)

# and to itself
def f(a, b):
    a = b and a + 1
    b = b or a or b
    return a, b

# short circuit
def f(a, b):
    if a and (c := note(b)):
        return c
    return a

# short circuit or
def f(a, b):
    return 1 if a or (c := note(b)) else 2

# not
def f(a, b):
    return not (a and (c := b)), not note(a)

# chain
def f(a, b):
    return note(a) < note(b) < note(3)

# chain with walrus
def f(a, b):
    return note(a) < (c := note(b)) < (d := note(2)) <= note(3)

# chain walrus first
def f(a, b):
    return a < (a := b) < 3, a

# swap
def f(a, b):
    a, b = b, a
    return a - 2 * b

# rotate
def f(a, b):
    c = 3
    a, b, c = b, c, a
    return [a, b, c]

# parallel
def f(a, b):
    a, b = note(a + b), note(a - b)
    return a, b

# nested target
def f(a, b):
    (a, c), b = (b, a), a
    return a, b, c

# unpack
def f(a, b):
    c, d = divmod(a, 3)
    return c - d

# unpack wrong
def f(a, b):
    c, d = (a,) * b
    return c - d

# starred
def f(a, b):
    c, *d, e = range(a, a + 4)
    *g, h = d
    return c, d, e, g, h

# starred tail
def f(a, b):
    c, *d = [a, b]
    return c, d

# chained
def f(a, b):
    c = d = note(a)
    (e, g) = h = (c, b)
    return c, d, e, g, h

# augmented
def f(a, b):
    a += note(b)
    a *= a
    return a

# annotated
def f(a, b):
    c: float = a
    d: int
    return c

# early return
def f(a, b):
    if a > 1:
        return 1
    if b > 1:
        return 2
    return a

# late fall
def f(a, b):
    if a > 0:
        if b > 0:
            return note(1)
        c = 2
    else:
        c = 3
        if b > 1:
            return note(5)
    note('rest')
    if c > 2:
        return c
    return note(c + 1)

# only some return
def f(a, b):
    if a > 0:
        return b

# bare
def f(a, b):
    if a > 0:
        return
    note(a)

# raise
def f(a, b):
    if a > 0:
        return b
    else:
        raise ValueError(f'{a}')

# assertion
def f(a, b):
    assert note(a) < 2, note('no')
    return a

# result name
def f(a, b):
    y = a
    if b > 0:
        return y * 2
    y = y + 1
    return y

# parameter result
def f(a, b):
    if b > 0:
        return a
    return a * 2

# y is taken
def f(a, y):
    if y > 0:
        return a
    return y * 2

# while
def f(a, b):
    n = 0
    while note(a) < 4:
        a = a + 1
        n += b
    return n

# while walrus
def f(a, b):
    while (c := note(a)) < 3 and b:
        a += 1
    return c

# while call
def f(a, b):
    while note(a, a < 3):
        a += 1
    return a

# range
def f(a, b):
    n = 3
    for n in range(note(n) + 1):
        a += n
    return a, n

# range backward
def f(a, b):
    for n in reversed(range(b, 4)):
        a = a * 2 + n
    return a

# sequence
def f(a, b):
    for v in [a, b, 3]:
        note(v)
    return v

# empty sequence
def f(a, b):
    for v in []:
        note(v)
    return v

# set
def f(a, b):
    for v in {'k': a, 'm': b}:
        note(v)
    return v

# tuple target
def f(a, b):
    for v, (w, u) in [(a, (b, 1)), (b, (a, 2))]:
        note(v * w + u)

# zip
def f(a, b):
    for v, w in zip([a, b, 3], note(5, (b, a))):
        note(v - w)

# zip whole
def f(a, b):
    for v in zip([a, b, 3], (b, a)):
        note(v)

# enumerate
def f(a, b):
    for i, v in enumerate([a, b]):
        note(i * v)
        i = 9
    return i

# enumerate same
def f(a, b):
    for i, (i, j) in enumerate(zip([a, b], [b, a])):
        note((i, j))

# enumerate start
def f(a, b):
    for i, v in enumerate([a, b], start=note(a)):
        note((i, v))

# mixed
def f(a, b):
    for i, (v, w) in enumerate(zip([a, b], reversed([1, 2, 3])), 2):
        note((i, v, w))

# zip of enumerate
def f(a, b):
    for (i, v), w in zip(enumerate([a, b], 1), [4, 5]):
        note((i, v, w))

# reversed
def f(a, b):
    for v in reversed([a, b, 3]):
        note(v)

# reversed zip
def f(a, b):
    for v in reversed(zip([a], [b])):
        note(v)

# items
def f(a, b):
    d = {'p': a, 'q': b}
    for k, v in d.items():
        d = k
        note((k, v))

# items whole
def f(a, b):
    for kv in {'p': a, 'q': b}.items():
        note(kv)

# values
def f(a, b):
    for v in {'p': a, 'q': b}.values():
        note(v)

# keys
def f(a, b):
    for v in {'p': a, 'q': b}.keys():
        note(v)

# rebound in loop
def f(a, b):
    xs = [a, b, 1]
    for x in xs:
        xs = x
    return xs

# list comprehension
def f(a, b):
    return [note(v * 2) for v in [a, b, 3] if note(v) > 1]

# two generators
def f(a, b):
    return [v + w for v in range(a) if v for w in range(v) if w > b]

# clash
def f(a, b):
    v = b
    c = [v + a for v in range(3)]
    return v, c

# clash inside
def f(a, b):
    return [[i for i in range(i)] + [i] for i in range(3)]

# clash between
def f(a, b):
    return [(i, j) for i in range(3) for j in [i for i in [b, a]]]

# iterates itself
def f(a, b):
    x = [a, b]
    x = [x * 2 for x in x]
    return x

# walrus in comprehension
def f(a, b):
    c = [(w := v + b) for v in range(3)]
    return c, w

# sum
def f(a, b):
    return sum(note(v) for v in range(3)) + max(v for v in [a, b])

# sum start
def f(a, b):
    return sum((v for v in range(b)), a), tuple(v for v in [a]), list(v for v in [b])

# any
def f(a, b):
    return any(note(v) > a for v in [a, b, 5, 6]), all(note(v) < b for v in [a, b])

# any with if
def f(a, b):
    return any(note(v) > b for v in [0, 1, 2] for w in range(v) if note(w) >= a)

# array
def f(a, b):
    return np.array([v * a for v in range(3)]).sum() * np.pi

# f-string
def f(a, b):
    return f'{note(a)} {a if b > 0 else b:>{note(b) + 5}} {a!r}'

# slices
def f(a, b):
    x = np.arange(12).reshape(3, 4)
    return x[note(0):note(2), ::note(a + 3)].T[a][b:]

# index order
def f(a, b):
    return note(5, [1, 2, 3])[note(a)] + {note(a): note(b)}[a]

# method
def f(a, b):
    return np.ones(3).sum(axis=note(0)) + np.linalg.norm(np.ones(note(2)))

# star arguments
def f(a, b):
    xs = [a, b]
    d = {'start': 4}
    return max(note(1), *xs, note(2)), sum(xs, **d)

# stack
def f(a, b):
    s = []
    s.append(a)
    s.append((b, note(a)))
    b, a = s.pop()
    return a, s[-1] + b

# pop in order
def f(a, b):
    s = [a, b]
    return s.pop() * 10 + s.pop(), len(s)

# pop in a test
def f(a, b):
    s = [a, b]
    if a and s.pop() > 1:
        a = 5
    return a, s

# effect
def f(a, b):
    print(note(a) + 1, end=note(''))
    'text'
    pass
    a.missing

# docstring
def f(a, b):
    'text'

# unary
def f(a, b):
    return -a, +b, ~a, - -1, -1.5, -(-a)

# unreachable
def f(a, b):
    return a
    note(b)

# closure value
def f(a, b):
    return rate * a

# in
def f(a, b):
    return a in (1, 2) or b not in {1, 3}, a is None, a in [b] in [[b]]

# empty branches
def f(a, b):
    if a:
        pass
    else:
        pass
    for i in range(a):
        pass
    return b
""".removeprefix("# ").split("\n# ")
)


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(name: str, agree: Agree) -> None:
    agree(PROGRAMS[name], *itertools.product([0, 1, 2], [0, 1, 2]), rate=2.5)


def test_rebound_global_is_read_first(agree: Agree) -> None:
    text = """
    level = 1

    def bump(to):
        global level
        level = to
        return note(level)

    def f(a):
        bump(a)
        return level + bump(5) * level
    """
    agree(text, (1,))


def test_defaults_and_kinds_of_parameters(agree: Agree) -> None:
    agree("def f(a, /, b=2, *, c=3):\n    return a + b * c", (1,), (1, 5))
