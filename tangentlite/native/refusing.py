"""What is said when Numba refuses: which function it does not know, and the user's line behind it.

In: what Numba raised, the tree of a kernel, the text that it was made of.
Out: an error of ours.
Next: calls.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Any

from numba.core.errors import NumbaError
from numba.core.registry import cpu_target

from tangentlite.errors import UnsupportedSyntaxError

LEAVE_OUT = "Leave compile= out, or write this part as a loop over elements."
GRAD_OF = "# Grad of: "
FUNCTIONS = (
    (r"Unknown attribute '(\w+)' of type Module\(<module 'tangentlite", "rt.{}"),
    (r"Use of unsupported NumPy function 'numpy\.([\w.]+)'", "np.{}"),
    (r"No implementation of function Function\(<(?:ufunc|function) '?([a-z]\w+)", "{}"),
)


def refusal(
    fault: Exception, tree: ast.FunctionDef, meaning: Callable[[ast.expr], Any], text: str
) -> UnsupportedSyntaxError:
    """Numba's reason, in short, with the line of the kernel, and that of the user if it is known."""
    lines = [line.strip() for line in str(fault).splitlines() if line.strip()]
    said = next((line for line in lines if not line.startswith("Failed in")), "no reason given")
    if not isinstance(fault, (NumbaError, NotImplementedError)):
        said = "Numba itself fails at what is given here"
    arrow = next((k for k, line in enumerate(lines) if set(line) <= {"^", "~"}), 0)
    shown = f" in `{lines[arrow - 1]}`" if arrow else ""
    name = tree.name.removesuffix("_kernel")
    known = next((n for n in _named(said)), "") or next(unknown(tree, meaning), "")
    reason = f"it has no `{known}` for what is given here" if known else said
    line = behind(known, text) if known else ""
    origin = f" (the derivative of `{line}`)" if line else ""
    return UnsupportedSyntaxError(
        f"Numba does not compile `{name}`{shown}{origin}: {reason}", None, LEAVE_OUT
    )


def _named(said: str) -> Iterator[str]:
    """The function that a message of Numba is about.

    >>> list(_named("Use of unsupported NumPy function 'numpy.tile' or unsupported use of the function."))
    ['np.tile']
    """
    for pattern, name in FUNCTIONS:
        if found := re.search(pattern, said):
            yield name.format(found[1])


def unknown(tree: ast.FunctionDef, meaning: Callable[[ast.expr], Any]) -> Iterator[str]:
    """The functions of NumPy and of the runtime that Numba knows nothing of."""
    cpu_target.typing_context.refresh()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        meant = meaning(node.func)
        if meant is None:
            continue
        try:
            cpu_target.typing_context.resolve_value_type(meant)
        except Exception:
            yield ast.unparse(node.func)


def behind(function: str, text: str) -> str:
    """The user's line whose derivative calls a function.

    >>> behind("rt.uncross", "    # Grad of: c = np.cross(a, b)\\n    ba = rt.uncross(b, bc, a)")
    'c = np.cross(a, b)'
    """
    user = ""
    for line in text.splitlines():
        if GRAD_OF in line:
            user = line.partition(GRAD_OF)[2]
        elif "# " in line:
            user = ""
        elif re.search(rf"(?<!\w){re.escape(function)}\(", line):
            return user
    return ""
