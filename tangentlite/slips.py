"""What was meant by a name that is not there: a slip of the finger, or the word of another library.

In: the name, and those that are there.
Out: a sentence that says what to write.
Next: rules, frontend, analysis.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import numpy as np

CLOSE = 0.74
# Words of other libraries, and of older NumPys, with what NumPy has for them.
FUNCTIONS = {
    "relu": "np.maximum(x, 0.0)",
    "sigmoid": "1.0 / (1.0 + np.exp(-x))",
    "softplus": "np.logaddexp(x, 0.0)",
    "softmax": "e / e.sum(-1, keepdims=True)` with `e = np.exp(x - x.max(-1, keepdims=True))",
    "logsumexp": "np.logaddexp.reduce(x)",
    "norm": "np.linalg.norm(x)",
    "cat": "np.concatenate(arrays)",
    "mm": "a @ b",
    "bmm": "a @ b",
    "mul": "a * b",
    "add": "a + b",
    "sub": "a - b",
    "div": "a / b",
    "pow": "a ** b",
    "neg": "-x",
    "rsqrt": "1.0 / np.sqrt(x)",
    "det": "np.linalg.det(x)",
    "logdet": "np.linalg.slogdet(x)[1]",
    "inverse": "np.linalg.inv(x)",
    "clamp": "np.clip(x, low, high)",
    "unsqueeze": "np.expand_dims(x, axis)",
    "permute": "np.transpose(x, axes)",
    "expand": "np.broadcast_to(x, shape)",
    "expand_as": "np.broadcast_to(x, y.shape)",
    "detach": "tl.stop_gradient(x)",
    "stop_gradient": "tl.stop_gradient(x)",
    "numpy": "x",
    "clone": "x.copy()",
    "t": "x.T",
    "numel": "x.size",
    "trapz": "np.trapezoid(y, x)",
    "product": "np.prod(x)",
    "cumproduct": "np.cumprod(x)",
    "in1d": "np.isin(x, y)",
    "row_stack": "np.vstack(rows)",
}
KEYWORDS = {"dim": "axis", "dims": "axis", "keepdim": "keepdims"}


def meant(name: str, there: Iterable[str]) -> str:
    """The name that ``name`` is a slip of, or nothing.

    >>> meant("sinn", dir(np)), meant("T", ["t"]), meant("quux", dir(np))
    ('sin', 't', '')
    """
    known = {n.lower(): n for n in there if not n.startswith("_")}
    near = difflib.get_close_matches(name.lower(), known, 1, CLOSE)
    return known[near[0]] if near else ""


def function(name: str, path: str, there: Iterable[str]) -> str:
    """What to write for a function that a module, known as ``path``, does not have.

    >>> function("sinn", "np", dir(np)), function("relu", "np", dir(np))
    ('Did you mean `np.sin`?', 'Write `np.maximum(x, 0.0)`.')
    """
    if name in FUNCTIONS:
        return f"Write `{FUNCTIONS[name]}`."
    found = meant(name, there)
    return f"Did you mean `{path}.{found}`?" if found else f"`dir({path})` lists what it has."


def of_array(name: str) -> str:
    """What to write for what arrays do not have.

    >>> of_array("summ"), of_array("exp"), of_array("unsqueeze")
    ('Did you mean `.sum`?', 'It is a function: `np.exp(x)`.', 'Write `np.expand_dims(x, axis)`.')
    """
    if name in FUNCTIONS:
        return f"Write `{FUNCTIONS[name]}`."
    if callable(getattr(np, name, None)):
        return f"It is a function: `np.{name}(x)`."
    found = meant(name, dir(np.ndarray))
    return f"Did you mean `.{found}`?" if found else "Arrays have nothing of that name."


def near(name: str, there: Iterable[str], otherwise: str) -> str:
    """What to write for a name that nothing has, or ``otherwise``.

    >>> near("wieght", ["weight", "bias"], "Bind it."), near("x", ["weight"], "Bind it.")
    ('Did you mean `weight`?', 'Bind it.')
    """
    found = meant(name, there)
    return f"Did you mean `{found}`?" if found else otherwise


def keyword(name: str, there: Iterable[str]) -> str:
    """What to write for a parameter that a function does not have.

    >>> keyword("axs", ["a", "axis"]), keyword("keepdim", ["keepdims"]), keyword("seed", ["a"])
    ('Did you mean `axis`?', 'Did you mean `keepdims`?', 'It has `a`.')
    """
    names = list(there)
    word = KEYWORDS.get(name, name)
    return near(word, names, f"It has {', '.join(f'`{n}`' for n in names)}.")
