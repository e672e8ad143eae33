"""Training on several processes or machines, by dask.distributed (``pip install "tangentlite[distributed]"``).

In: a loss and data, whose rows are split over workers; or the stages of a model, each on a worker of its own.
Out: something to train: ``value_and_grad(parameters, *data)``, which ``training.train`` and ``Model.fit`` call.
Next: programs, rows, spread, stages, workers.
"""

from tangentlite.learn.distributed.workers import Workers

__all__ = ["Workers"]
