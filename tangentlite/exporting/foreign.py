"""What a file imports: modules, and the functions and classes of libraries.

In: an object.
Out: from where it can be imported.
Next: gathering.
"""

from __future__ import annotations

import importlib
import sys
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Any

from tangentlite.errors import ExportError

PUBLIC = (
    "math",
    "cmath",
    "numpy",
    "numpy.linalg",
    "numpy.fft",
    "builtins",
    "operator",
    "scipy.special",
)
FOLDERS = ("stdlib", "platstdlib", "purelib", "platlib")


def typed(module: str) -> bool:
    """Whether type checkers find the types of a module that they are not told of."""
    first = module.partition(".")[0]
    return first == "numpy" or first in sys.stdlib_module_names


def section(module: str) -> int:
    """Where an import stands: with Python's own modules, with installed ones, with the user's."""
    first = module.partition(".")[0]
    if first in sys.stdlib_module_names:
        return 0
    found = sys.modules.get(first), sys.modules.get(module)
    file = next((f for m in found if (f := getattr(m, "__file__", None))), None)
    return 1 if file is None or _installed(Path(file)) else 2


def is_own(value: Any) -> bool:
    """Whether a function or class was written by the user: not in Python's library, not in an installed package."""
    module = getattr(value, "__module__", None) or "builtins"
    first = module.partition(".")[0]
    if first in sys.stdlib_module_names and first != "__main__":
        return False
    code = getattr(value, "__code__", None)
    file = code.co_filename if code else getattr(sys.modules.get(module), "__file__", None)
    return not (file and _installed(Path(file)))


def _installed(file: Path) -> bool:
    paths = [Path(p) for key in FOLDERS if (p := sysconfig.get_paths().get(key))]
    return any(file.is_relative_to(p) for p in paths) or "site-packages" in file.parts


def importable(value: Any) -> tuple[str, str] | None:
    """The module and the name under which an object can be imported.

    >>> import numpy as np
    >>> importable(np.sin), importable(np.linalg.norm), importable(2.0)
    (('numpy', 'sin'), ('numpy.linalg', 'norm'), None)
    """
    if not callable(value):
        return None
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", "")
    own = getattr(value, "__module__", None)
    for module in (*PUBLIC, own):
        found = sys.modules.get(module) if module else None
        if found is not None and module != "__main__" and getattr(found, str(name), None) is value:
            return str(module), str(name)
    return None


def check_module(module: ModuleType, name: str, reader: str) -> None:
    """Refuse a module that another process cannot import."""
    known = module.__name__
    if known == "__main__" or sys.modules.get(known) is not module:
        said = f"`{name}`, which `{reader}` reads, is a module that cannot be imported by its name"
        raise ExportError(said, None, "Put it where Python finds it, or pass what is read of it.")
    importlib.import_module(known)
