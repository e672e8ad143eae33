"""What scikit-learn asks of a model to copy it, to judge it by parts of the data, and to search for its settings.

In: a class whose ``__init__`` keeps each of its parameters in an attribute of that name.
Out: those parameters by name, and a model made anew with others. scikit-learn need not be installed.
Next: models.

>>> import numpy as np
>>> class Net(Estimator):
...     def __init__(self, width=16):
...         self.width, self.w = width, np.zeros(width)
>>> Net(8).get_params(), Net().set_params(width=3).w.shape
({'width': 8}, (3,))
"""

from __future__ import annotations

import inspect
from typing import Any

OPEN = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Estimator:
    """A model for scikit-learn: its settings are the parameters of ``__init__``."""

    _estimator_type = "regressor"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Give the settings by name; they are no nests, so that ``deep`` changes nothing."""
        given = inspect.signature(type(self)).parameters.values()
        names = [p.name for p in given if p.kind not in OPEN]
        for name in names:
            if not hasattr(self, name):
                kind = type(self).__name__
                raise AttributeError(
                    f"{kind}.__init__ does not keep its parameter {name!r}: write self.{name} = {name}"
                )
        return {name: getattr(self, name) for name in names}

    def set_params(self, **settings: Any) -> Any:
        """Make the model anew with other settings, and give it: what it has learned is gone."""
        known = self.get_params()
        if unknown := sorted(settings.keys() - known.keys()):
            raise ValueError(f"no setting {unknown[0]!r}; there are {', '.join(known)}")
        if settings:
            vars(self).clear()
            type(self).__init__(self, **(known | settings))
        return self

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, RegressorTags, Tags, TargetTags

        tags = Tags(estimator_type=self._estimator_type, target_tags=TargetTags(required=True))
        if self._estimator_type == "classifier":
            tags.classifier_tags = ClassifierTags()
        else:
            tags.regressor_tags = RegressorTags()
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return True
