"""Formulas as MathML, which browsers draw themselves: no script, no font, nothing loaded.

In: the formulas of a page, in TeX.
Out: ``<math>`` elements.
"""

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert


def inline(writer: Any, node: Any) -> None:
    writer.body.append(convert(node.astext()))
    raise nodes.SkipNode


def displayed(writer: Any, node: Any) -> None:
    formula = convert(node.astext(), display="block")
    writer.body.append(f'<div class="math">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (inline, None), (displayed, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
