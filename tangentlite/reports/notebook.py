"""A derivative in a notebook: the source beside it, counterparts lighting up together.

In: a derivative.
Out: HTML without a script; style sheets do it all, so a notebook that strips scripts shows the same.
Next: nothing.
"""

from __future__ import annotations

from html import escape
from typing import Any

from tangentlite.errors import DerivativeError
from tangentlite.reports.code import clean, colored
from tangentlite.reports.correspondence import Text
from tangentlite.reports.listing import Numbers, numbered
from tangentlite.reports.study import of_units

LIT = "background: rgba(240, 180, 40, 0.35)"
STYLE = """
.tangentlite { display: flex; flex-wrap: wrap; gap: 1em; max-width: 100%; text-align: left; }
.tangentlite pre { flex: 1 1 22em; min-width: 0; max-height: 32em; overflow: auto; margin: 0; padding: .6em 0;
  border: 1px solid rgba(128, 128, 128, 0.4); border-radius: 6px; background: none; color: inherit;
  font: 12px/1.5 ui-monospace, Menlo, Consolas, monospace; }
.tangentlite span { display: block; width: max-content; min-width: 100%; padding: 0 .8em; white-space: pre; }
.tangentlite i { font-style: normal; } .tangentlite i.k, .tangentlite i.d { font-weight: bold; }
.tangentlite i.c { opacity: .8; font-style: italic; }
.tangentlite span:focus { outline: 1px solid currentColor; outline-offset: -1px; }
"""


def small(derivative: Any) -> str:
    """The picture of a derivative.

    >>> import tangentlite as tl
    >>> def f(x):
    ...     return x * x
    >>> "Grad of" in small(tl.grad(f)) and "<script" not in small(tl.grad(f))
    True
    """
    try:
        derivative._ready()
    except DerivativeError:  # there is no text for just any arguments
        return f"<pre>{escape(repr(derivative))}</pre>"
    primal, texts = of_units(derivative._units)
    if not primal:  # it came by pickle
        text = "\n".join(map(clean, derivative.source.split("\n")))
        return f"<pre>{text}</pre>"
    numbers = numbered(primal, texts)
    rules = "".join(
        f".tangentlite:has(.k{k}:hover) .k{k}, .tangentlite:has(.k{k}:focus) .k{k} {{ {LIT} }}\n"
        for k in numbers.values()
    )
    columns = "".join(f"<pre>{_lines(side, numbers)}</pre>" for side in (primal, texts))
    return f'<style>{STYLE}{rules}</style><div class="tangentlite">{columns}</div>'


def _lines(texts: list[Text], numbers: Numbers) -> str:
    found: list[str] = []
    for text in texts:
        if found:
            found.append("<span> </span>")
        for k, html in enumerate(colored(list(text.lines))):
            behind = text.behind[k] if text.behind else [(text.file, text.first + k)]
            own = sorted(numbers[line] for line in behind if line in numbers)
            words = " ".join(f"k{n}" for n in own)
            marks = f' class="{words}" tabindex="0"' if own else ""
            found.append(f"<span{marks}>{html or ' '}</span>")
    return "".join(found)
