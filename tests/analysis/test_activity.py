"""Names that carry a derivative, after each statement of the normal form."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

CASES = {
    "only what depends on the input and reaches the output": (
        """
        def f(x, w):
            a = x * w
            b = np.sin(w)
            c = np.sin(x)
            d = a + b
            return d
        """,
        """
        a = x * w  # a
        b = np.sin(w)  # a
        c = np.sin(x)  # a
        d = a + b  # d
        return d  # d
        """,
    ),
    "integers and truth values end the flow": (
        """
        def f(x):
            n = len(x)
            m = x > 0.0
            k = np.argmax(x)
            return x[k] * n
        """,
        """
        n = len(x)  # x
        m = x > 0.0  # x
        k = np.argmax(x)  # x
        t1 = x[k]  # t1
        y = t1 * n  # y
        return y  # y
        """,
    ),
    "a name that is bound anew starts anew": (
        """
        def f(x):
            y = x * x
            x = 2.0
            y = y + x
            return y
        """,
        """
        y = x * x  # y
        x = 2.0  # y
        t1 = y + x  # t1
        y = t1  # y
        return y  # y
        """,
    ),
    "a loop carries it round": (
        """
        def f(x, n):
            a = 0.0
            b = 0.0
            for i in range(n):
                b = b + a
                a = a + x
            return b
        """,
        """
        a = 0.0  # x
        b = 0.0  # x
        for i in range(n):  # a b x
        t1 = b + a  # a t1 x
        b = t1  # a b x
        t2 = a + x  # b t2 x
        a = t2  # a b x
        return b  # b
        """,
    ),
    "branches meet": (
        """
        def f(x, flag):
            y = 1.0
            if flag:
                y = x * 2.0
            return y
        """,
        """
        y = 1.0  # x
        if flag:  # x
        y = x * 2.0  # y
        return y  # y
        """,
    ),
    "a stack keeps its shadow to the end": (
        """
        def f(x):
            s = []
            s.append(x * x)
            y = s.pop()
            return y
        """,
        """
        s = []  # x
        t1 = x * x  # t1
        s.append(t1)  # s
        y = s.pop()  # s y
        return y  # s y
        """,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_active_after_each_statement(name: str, active: Any) -> None:
    text, expected = CASES[name]
    assert active(text) == textwrap.dedent(expected).strip()


def test_several_inputs(active: Any) -> None:
    text = "def f(x, w, b):\n    a = x * w\n    return a + b"
    assert active(text, wrt=("b",)).splitlines()[0] == "a = x * w  # b"
    assert active(text, wrt=("w", "b")).splitlines()[0] == "a = x * w  # a b"
    assert active(text, wrt=("x",)).splitlines()[0] == "a = x * w  # a"
