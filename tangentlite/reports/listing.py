"""Two columns of code whose lines know their counterparts.

In: the texts of the user and the generated ones.
Out: HTML.
Next: page.

Every line of the user that has a counterpart has a number. A generated line names the numbers behind it
(``data-of``), so the page stays as long as the code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tangentlite.lines import Line
from tangentlite.reports.code import clean, colored
from tangentlite.reports.correspondence import Text
from tangentlite.values import field, immutable

Numbers = dict[Line, int]
HEAT = 5
SHOWN = 4  # lines that are quoted as a reason


@immutable
class Notes:
    """What a run tells of lines: ``times`` in seconds, ``shapes``."""

    times: Mapping[Line, float] = field(default_factory=dict)
    shapes: Mapping[Line, str] = field(default_factory=dict)


def numbered(primal: list[Text], derivative: list[Text]) -> Numbers:
    """The numbers of the user's lines that have counterparts."""
    wanted = frozenset().union(*(lines for text in derivative for lines in text.behind))
    own = [(t.file, t.first + k) for t in primal for k in range(len(t.lines))]
    return {line: k for k, line in enumerate((place for place in own if place in wanted), 1)}


def listing(text: Text, side: str, numbers: Numbers, notes: Notes) -> str:
    """A text as a list of lines."""
    clock = _clock(text, notes)
    rows = []
    for k, html in enumerate(colored(list(text.lines))):
        place = text.file, text.first + k
        if text.behind:
            found = sorted(numbers[line] for line in text.behind[k] if line in numbers)
        else:
            found = [numbers[place]] if place in numbers else []
        of = f' data-of="{" ".join(map(str, found))}"' if found else ""
        mark = f' id="line-{found[0]}"' if found and not text.behind else ""
        shape = notes.shapes.get(place)
        told = f'<span class="shape">{clean(shape)}</span>' if shape else ""
        number = f'<b class="no" data-no="{text.first + k}"></b>{clock(place)}'
        rows.append(f'<span class="ln"{mark}{of}>{number}<code>{html or " "}</code>{told}</span>')
    return (
        f'<div class="text"><h3>{clean(text.title)}</h3>{_place(text)}'
        f'<div class="lines {side}" role="group" aria-label="{clean(_label(text, side))}">'
        + "\n".join(rows)
        + "</div></div>"
    )


def _label(text: Text, side: str) -> str:
    what = "your function" if side == "primal" else "the derivative"
    return f"{text.title or 'a helper'}, {what}: arrow keys move from line to line"


def _place(text: Text) -> str:
    if text.file.startswith("<generated") or not text.file:
        return '<p class="where">generated</p>'
    return f'<p class="where">{clean(text.file)}:{text.first}</p>'


def _clock(text: Text, notes: Notes) -> Callable[[Line], str]:
    """A column of times, hotter the longer a line takes; nothing if no line of the text was timed."""
    own = [(text.file, text.first + k) for k in range(len(text.lines))]
    if not any(place in notes.times for place in own):
        return lambda place: ""
    hottest = max(notes.times.values())

    def told(place: Line) -> str:
        taken = notes.times.get(place)
        if taken is None:
            return '<span class="time"></span>'
        heat = min(HEAT, round(HEAT * taken / hottest)) if hottest else 0
        return f'<span class="time h{heat}">{seconds(taken)}</span>'

    return told


def seconds(value: float) -> str:
    """A time that people read.

    >>> seconds(1.5e-05), seconds(0.25), seconds(75.0)
    ('15 µs', '250 ms', '75 s')
    """
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.0f} ns"


def quoted(lines: Any, numbers: Numbers, primal: list[Text]) -> str:
    """Links to lines of the user, each with what stands there."""
    said = {(t.file, t.first + k): line for t in primal for k, line in enumerate(t.lines)}
    known = sorted((line for line in lines if line in numbers), key=numbers.__getitem__)
    shown = [
        f'<li><a href="#line-{numbers[line]}">{line[1]}</a> <code>{clean(said[line].strip())}</code></li>'
        for line in known[:SHOWN]
    ]
    more = f"<li>and {len(known) - SHOWN} more</li>" if len(known) > SHOWN else ""
    return f'<ul class="quoted">{"".join(shown)}{more}</ul>' if shown else "–"


def linked(lines: Any, numbers: Numbers) -> str:
    """Links to lines of the user."""
    known = sorted((line for line in lines if line in numbers), key=numbers.__getitem__)
    return ", ".join(f'<a href="#line-{numbers[line]}">{line[1]}</a>' for line in known) or "–"
