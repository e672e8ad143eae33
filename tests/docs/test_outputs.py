"""Outputs that have changed are written; what still fits stays."""

from __future__ import annotations

from tests.docs.outputs import renewed

PAGE = """# A page

```pycon
>>> import math
>>> def f():
...     raise ValueError("no")
>>> 1 + 1
3
>>> print("a\\n\\nb")
>>> list(range(20))
[0, 1, ..., 19]
>>> f()
5
>>> f()
Traceback (most recent call last):
TypeError: another

```
"""
RENEWED = """# A page

```pycon
>>> import math
>>> def f():
...     raise ValueError("no")
>>> 1 + 1
2
>>> print("a\\n\\nb")
a
<BLANKLINE>
b
>>> list(range(20))
[0, 1, ..., 19]
>>> f()
Traceback (most recent call last):
ValueError: no
>>> f()
Traceback (most recent call last):
ValueError: no

```
"""


def test_outputs_are_those_of_now() -> None:
    assert renewed(PAGE, "page.md") == RENEWED
    assert renewed(RENEWED, "page.md") == RENEWED


def test_an_output_that_is_gone_is_taken_away() -> None:
    assert renewed("```pycon\n>>> None\n1\n\n```\n", "page.md") == "```pycon\n>>> None\n\n```\n"


def test_the_end_of_a_block_is_no_output() -> None:
    assert renewed("```pycon\n>>> 2\n```\n", "page.md") == "```pycon\n>>> 2\n2\n\n```\n"
    assert renewed("```pycon\n>>> x = 2\n```\n", "page.md") == "```pycon\n>>> x = 2\n\n```\n"
