"""How a derivative looks where it is shown: in notebooks, as its source beside that of the function.

In: nothing.
Out: ``Shown``, a base of derivatives.
Next: derivative.
"""

from __future__ import annotations

from importlib import import_module


class Shown:
    """What notebooks ask for. The picture is made by a later layer, which is not imported before."""

    def _repr_html_(self) -> str:
        html: str = import_module("tangentlite.reports.notebook").small(self)
        return html
