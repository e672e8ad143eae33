"""Lengths as texts: a few less, a few more.

In: the text of a length.
Out: the same length in fewer words.
Next: lengths.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

SHORTER = re.compile(r"max\((?P<whole>.+) - (?P<less>\d+), 0\)")
LONGER = re.compile(r"\((?P<whole>.+) \+ (?P<more>\d+)\)")


def simpler(text: str, equal: Mapping[str, str]) -> str:
    """A length by the text that is ``equal`` to it, or by a shorter one.

    >>> simpler("max(max(n - 1, 0) - 2, 0)", {}), simpler("max((n + 3) - 1, 0)", {})
    ('max(n - 3, 0)', '(n + 2)')
    >>> simpler("max(m - 1, 0)", {"m": "n"})
    'max(n - 1, 0)'
    """
    if text in equal:
        return equal[text]
    found = SHORTER.fullmatch(text)
    if found is None:
        longer = LONGER.fullmatch(text)
        return text if longer is None else added(longer["whole"], int(longer["more"]))
    whole, less = found["whole"], int(found["less"])
    inner = SHORTER.fullmatch(whole)
    if inner is not None:
        return f"max({inner['whole']} - {int(inner['less']) + less}, 0)"
    longer = LONGER.fullmatch(whole)
    if longer is not None:
        return added(longer["whole"], int(longer["more"]) - less)
    whole = equal.get(whole, whole)
    return str(max(int(whole) - less, 0)) if whole.isdigit() else f"max({whole} - {less}, 0)"


def added(text: str, more: int) -> str:
    """A length and a number.

    >>> added("n", 2), added("n", 0), added("n", -1), added("3", 1), added("(n + 1)", 1)
    ('(n + 2)', 'n', 'max(n - 1, 0)', '4', '(n + 2)')
    """
    if text.isdigit():
        return str(max(int(text) + more, 0))
    longer = LONGER.fullmatch(text)
    if longer is not None:
        return added(longer["whole"], int(longer["more"]) + more)
    return f"({text} + {more})" if more > 0 else f"max({text} - {-more}, 0)" if more else text
