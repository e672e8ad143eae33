"""One page that explains a derivative: HTML that needs nothing else.

In: a study, and what a run told.
Out: HTML text.
Next: the door.

Nothing of the user's is trusted: all of it is escaped, and the page's own policy lets no script run but the one it
comes with, and nothing load.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from difflib import SequenceMatcher
from importlib.resources import files

from tangentlite.pictures import Graph
from tangentlite.pictures.painting import style
from tangentlite.reports.code import clean, colored
from tangentlite.reports.correspondence import Text
from tangentlite.reports.examples import Example
from tangentlite.reports.listing import Notes, Numbers, linked, listing, numbered, quoted, seconds
from tangentlite.reports.recorded import Record, recorded
from tangentlite.reports.ruling import Used, used
from tangentlite.reports.study import Study

STAGES = {
    "source": "What was read",
    "normal": "One operation per statement",
    "derived": "The rules of calculus applied",
    "optimized": "Short and fast: what runs",
}
LARGEST = 600  # nodes of a picture that helps
LEGEND = (
    ("input", "input"),
    ("constant", "constant"),
    ("operation", "operation"),
    ("value", "value with a name"),
    ("result", "result"),
)


def page(study: Study, graph: Graph, example: Example | None) -> str:
    """The whole page."""
    sections = _sections(study, graph, example)
    css, script = _asset("page.css") + style(), _asset("page.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(css)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    links = "".join(f'<a href="#{key}">{clean(title)}</a>' for key, title, _ in sections)
    body = "\n".join(
        f'<section id="{key}" aria-labelledby="{key}-title">'
        f'<h2 id="{key}-title">{clean(title)}</h2>\n{html}\n</section>'
        for key, title, html in sections
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{clean(_title(study))}</title>
<style>{css}</style>
</head>
<body>
<a class="skip" href="#code">Skip to the code</a>
<header>{_head(study)}<nav aria-label="Sections">{links}</nav></header>
<main>
{body}
</main>
<p id="say" class="quiet" role="status" aria-live="polite"></p>
<script>{script}</script>
</body>
</html>
"""


def _sections(study: Study, graph: Graph, example: Example | None) -> list[tuple[str, str, str]]:
    """Names, titles and contents."""
    notes = example.notes if example is not None else Notes()
    numbers = numbered(study.primal, study.derivative)
    sections = [("code", "Source and derivative", _columns(study, numbers, notes))]
    if example is not None:
        sections.append(("example", "An example", _example(example)))
    sections += [
        ("stages", "Stages of the compiler", _stages(study)),
        ("recorded", "What is recorded, and why", _records(study, numbers)),
        ("rules", "Rules", _rules(used(study.facts), numbers)),
    ]
    return [*sections, ("graph", "Computation graph", _graph(graph))]


def _asset(name: str) -> str:
    return (files("tangentlite.reports") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _title(study: Study) -> str:
    return f"The derivative of {study.name} with respect to {', '.join(study.request.wrt)}"


def _head(study: Study) -> str:
    own = sum(len(text.lines) for text in study.primal)
    made = sum(len(text.lines) for text in study.derivative)
    first = study.primal[0]
    names = ", ".join(f"<code>{clean(name)}</code>" for name in study.request.wrt)
    return (
        f"<h1>The derivative of <code>{clean(study.name)}</code> with respect to {names}</h1>"
        f'<p class="where">{clean(first.file)}:{first.first} · {study.request.mode} mode · '
        f"{own} lines of yours, {made} generated</p>"
    )


def _columns(study: Study, numbers: Numbers, notes: Notes) -> str:
    left = "".join(listing(text, "primal", numbers, notes) for text in study.primal)
    right = "".join(listing(text, "derived", numbers, notes) for text in study.derivative)
    return (
        '<p class="hint">A line and its counterparts light up together: point at it, or move to it with the arrow '
        "keys. Enter shows the counterpart.</p>"
        f'<div class="columns"><div class="pane">{left}</div><div class="pane">{right}</div></div>'
    )


# Stages -----------------------------------------------------------------------------------------


def _stages(study: Study) -> str:
    tabs, panels, before = [], [], ""
    for name, text in study.stages.items():
        lines = text.rstrip("\n").split("\n")
        changed = _changed(before, text) if before else set()
        count = f'<span class="count">{len(changed)} new</span>' if before else ""
        tabs.append(f'<a id="tab-{name}" href="#stage-{name}">{name}{count}</a>')
        rows = "\n".join(
            f'<span class="ln{" new" if k in changed else ""}"><b class="no" data-no="{k + 1}"></b>'
            f"<code>{html or ' '}</code></span>"
            for k, html in enumerate(colored(lines))
        )
        panels.append(
            f'<div class="panel" id="stage-{name}"><h3>{name}: {clean(STAGES[name])}</h3>'
            f'<div class="lines" role="group" aria-label="{name}">{rows}</div></div>'
        )
        before = text
    hint = '<p class="hint">Marked lines are not in the stage before.</p>'
    return f'{hint}<div class="tabs">{"".join(tabs)}</div>{"".join(panels)}'


def _changed(before: str, after: str) -> set[int]:
    """The lines of a stage that the one before does not have."""
    old, new = before.rstrip("\n").split("\n"), after.rstrip("\n").split("\n")
    matcher = SequenceMatcher(None, old, new, autojunk=len(new) > 400)
    return {
        k
        for word, _, _, start, end in matcher.get_opcodes()
        if word != "equal"
        for k in range(start, end)
    }


# What is kept, and the rules --------------------------------------------------------------------


def _records(study: Study, numbers: Numbers) -> str:
    first = study.units[0]
    split = {id(unit) for unit in study.units[1:] if len(unit.parts) == 2}
    split |= {id(first)} if study.request.motion == "split" else set()
    kept = [record for unit in study.units for record in recorded(unit, id(unit) in split)]
    rows = list(_rows(kept, numbers, study.primal))
    if not rows:
        return "<p>Nothing: the backward sweep reads no value of the forward sweep.</p>"
    return (
        "<p>The backward sweep reads values of the forward sweep. What it does not read is not kept.</p>"
        '<div class="wide"><table><thead><tr><th>value</th><th>kept</th><th>made in line</th>'
        f"<th>because the adjoint of this line reads it</th></tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _rows(records: Iterable[Record], numbers: Numbers, primal: list[Text]) -> Iterable[str]:
    for record in records:
        how = clean(record.how) + (f" of <code>{clean(record.loop)}</code>" if record.loop else "")
        yield (
            f"<tr><td><code>{clean(record.name)}</code></td><td>{how}</td>"
            f"<td>{linked(record.made, numbers)}</td>"
            f"<td>{quoted(record.read, numbers, primal)}</td></tr>"
        )


def _rules(found: list[Used], numbers: Numbers) -> str:
    if not found:
        return "<p>None: no operation of the function has a derivative that is asked for.</p>"
    parts = []
    for k, rule in enumerate(found):
        gives = f"<h4>What it gives</h4>{_plain(rule.gives)}" if rule.gives else ""
        parts.append(
            f'<details id="rule-{k}"><summary><code>{clean(rule.called)}</code> '
            f'<span class="where">{clean(rule.place)}</span></summary>'
            f"<p>Used for line {linked(rule.lines, numbers)}.</p>{_plain(rule.text)}{gives}</details>"
        )
    names = ", ".join(
        f'<a href="#rule-{k}"><code>{clean(rule.called)}</code></a>' for k, rule in enumerate(found)
    )
    return f"<p>{names}</p>{''.join(parts)}"


def _plain(text: str) -> str:
    rows = "\n".join(
        f'<span class="ln"><code>{html or " "}</code></span>' for html in colored(text.split("\n"))
    )
    return f'<div class="lines small">{rows}</div>'


# The picture and the example --------------------------------------------------------------------


def _graph(graph: Graph) -> str:
    if graph.nodes > LARGEST:
        return (
            f"<p>It has {graph.nodes} nodes, too many to be looked at here; tl.graph draws it.</p>"
        )
    legend = "".join(
        f'<li><svg class="tlg" width="18" height="12" aria-hidden="true"><g class="tlg-{kind}">'
        f'<rect x="1" y="1" width="16" height="10" rx="4"/></g></svg> {clean(said)}</li>'
        for kind, said in LEGEND
    )
    return (
        f'<ul class="legend">{legend}<li><span class="slope">∂</span> gradient of the result</li></ul>'
        f'<div class="wide picture" role="group" aria-label="The graph; scrolls" tabindex="0">{graph.fragment}</div>'
    )


def _example(example: Example) -> str:
    rows = "".join(
        f"<tr><td><code>{clean(name)}</code></td><td>{clean(shape)}</td>"
        f"<td><code>{clean(value)}</code></td></tr>"
        for name, shape, value in example.told
    )
    return (
        '<div class="wide"><table><thead><tr><th>what</th><th>shape</th><th>value</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
        f"<p>A call of the function takes {seconds(example.primal.whole)}, one of the derivative "
        f"{seconds(example.derivative.whole)} (medians of {example.primal.calls} and "
        f"{example.derivative.calls} calls, with the clock of the lines running). The times beside the lines above are "
        "medians, too; a line that calls a function takes as long as the call.</p>"
    )
