"""tangentlite: derivatives of plain Python and NumPy functions, as plain Python and NumPy source.

In: a function.
Out: its derivative, a function with a ``.source`` that is meant to be read.
Next: api (what users call), pipeline (the compiler on one page).
"""

from importlib import import_module as _import
from os import path as _path
from typing import TYPE_CHECKING as _CHECKING, Any as _Any

_here = _path.dirname(__file__)
if not _path.isdir(_path.join(_here, "templates")):  # a checkout without symbolic links
    __path__.append(_path.dirname(_path.realpath(_here)))

if _CHECKING:
    from tangentlite import runtime as rt
    from tangentlite.api import (
        autodiff,
        grad,
        hessian,
        hvp,
        jacfwd,
        jacobian,
        jacrev,
        jvp,
        stages,
        value_and_grad,
        vjp,
    )
    from tangentlite.check import check_grads
    from tangentlite.errors import (
        AliasError,
        DerivativeError,
        GradientMismatchError,
        MissingRuleError,
        RuleError,
        SourceUnavailableError,
        UnsupportedSyntaxError,
    )
    from tangentlite.exporting import export
    from tangentlite.persistent import PersistentArray
    from tangentlite.pictures import graph
    from tangentlite.reports import report
    from tangentlite.rules import expand
    from tangentlite.rules.notation import (
        adjoint,
        b,
        d,
        elementwise,
        inactive,
        linear,
        rule,
        tangent,
    )
    from tangentlite.runtime import ZERO
    from tangentlite.runtime.checkpoints import checkpoint, checkpoint_loop
    from tangentlite.runtime.containers.objects import Gradient
    from tangentlite.runtime.edges.skipping import insert_grad_of
    from tangentlite.runtime.edges.surgery import stop_gradient
    from tangentlite.specializing import specialize
    from tangentlite.without_blocks import primal

__all__ = [
    "AliasError",
    "DerivativeError",
    "Gradient",
    "GradientMismatchError",
    "MissingRuleError",
    "PersistentArray",
    "RuleError",
    "SourceUnavailableError",
    "UnsupportedSyntaxError",
    "ZERO",
    "adjoint",
    "autodiff",
    "b",
    "check_grads",
    "checkpoint",
    "checkpoint_loop",
    "d",
    "elementwise",
    "expand",
    "export",
    "grad",
    "graph",
    "hessian",
    "hvp",
    "inactive",
    "insert_grad_of",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jvp",
    "linear",
    "primal",
    "report",
    "rt",
    "rule",
    "specialize",
    "stages",
    "stop_gradient",
    "tangent",
    "value_and_grad",
    "vjp",
]

_HOMES = {
    "api": "autodiff grad hessian hvp jacfwd jacobian jacrev jvp stages value_and_grad vjp",
    "check": "check_grads",
    "errors": "AliasError DerivativeError GradientMismatchError MissingRuleError RuleError "
    "SourceUnavailableError UnsupportedSyntaxError",
    "exporting": "export",
    "persistent": "PersistentArray",
    "pictures": "graph",
    "reports": "report",
    "rules": "expand",
    "rules.notation": "adjoint b d elementwise inactive linear rule tangent",
    "runtime": "ZERO",
    "runtime.checkpoints": "checkpoint checkpoint_loop",
    "runtime.containers.objects": "Gradient",
    "runtime.edges.skipping": "insert_grad_of",
    "runtime.edges.surgery": "stop_gradient",
    "specializing": "specialize",
    "without_blocks": "primal",
}


def __getattr__(name: str) -> _Any:
    """The public names are imported when they are first used."""
    if name == "rt":
        return _import("tangentlite.runtime")
    for home, names in _HOMES.items():
        if name in names.split():
            value = getattr(_imported(f"tangentlite.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'tangentlite' has no attribute {name!r}")


def _imported(module: str) -> _Any:
    """A module, with the hundreds that it needs: they make no garbage that is worth a search."""
    from tangentlite.conditions import undisturbed

    return undisturbed(_import)(module)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
