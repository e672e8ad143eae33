"""Learning on top of the compiler: operations, layers, losses, optimizers, a training loop.

In: functions of parameters, or models, objects whose ``loss`` is differentiated as it stands.
Out: parameters that fit.
Next: ops, windows, images.
"""

from tangentlite.learn import rules as _rules  # noqa: F401
