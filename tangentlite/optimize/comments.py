"""Comments: a comment without a statement below it goes.

In: a block in which statements were dropped.
Out: the block with the comments and blank lines that still mean something.
Next: prune, refold.
"""

from __future__ import annotations

import gast

from tangentlite import syntax

HEADINGS = ("Forward", "Backward")


def tidy(body: list[gast.stmt], top: bool = False) -> list[gast.stmt]:
    """Drop what stands above nothing; a lone heading heads nothing either.

    >>> body = syntax.parse("y = x") + [syntax.comment(c) for c in ("Grad of: y = x", "Backward")]
    >>> [syntax.unparse(statement) for statement in tidy(body)]
    ['y = x']
    """
    kept: list[gast.stmt] = []
    below, content = "", False  # what stands below; whether a statement does before a heading
    for statement in reversed(body):
        if (kind := statement.__class__) is not syntax.Comment and kind is not syntax.Blank:
            content, below = True, "statement"
            kept.append(statement)
            continue
        role = _role(statement)
        match role:
            case "heading" if content:
                content = False
            case "comment" if below == "statement":
                pass
            case "blank" if below not in ("", "blank"):
                pass
            case _:
                continue
        kept.append(statement)
        below = role
    while kept and _role(kept[-1]) == "blank":
        kept.pop()
    kept.reverse()
    return _without_lone_heading(kept) if top else kept


def without_orphan(before: list[gast.stmt], after: list[gast.stmt]) -> list[gast.stmt]:
    """Drop the comment above the last return if all that it was said of is gone.

    >>> before = [syntax.comment("Grad of: y = x"), *syntax.parse("bx = by; return by")]
    >>> [syntax.unparse(s) for s in without_orphan(before, [before[0], before[2]])]
    ['return by']
    """
    match after:
        case [*start, syntax.Comment() as comment, gast.Return() as end] if end in before:
            if before.index(end) - before.index(comment) > 1:
                return [*start, end]
    return after


def _role(statement: gast.stmt) -> str:
    kind = statement.__class__
    if kind is syntax.Comment:
        return "heading" if statement.text in HEADINGS else "comment"
    return "blank" if kind is syntax.Blank else "statement"


def _without_lone_heading(body: list[gast.stmt]) -> list[gast.stmt]:
    headings = [s for s in body if _role(s) == "heading"]
    return [s for s in body if s is not headings[0]] if len(headings) == 1 else body
