"""Processes that compute for this one.

In: a number of processes, or a client of dask.
Out: ``Workers``, which hold data, spread losses and run stages.
Next: what is trained, by training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import numpy as np

from tangentlite.learn.distributed.places import NAME, places
from tangentlite.learn.distributed.rows import Rows, cut, kept_rows, sizes_of
from tangentlite.learn.distributed.spread import How, Spread
from tangentlite.learn.distributed.stages import Stages

TEXTS = 64  # that are kept with the workers
LARGE = "distributed.admin.large-graph-warning-threshold"
STEADY = {  # a process that died is begun again, however long that takes; a part is computed where it is held
    "distributed.deploy.lost-worker-timeout": "1 day",
    "distributed.scheduler.work-stealing": False,
}


class Workers:
    """``count`` processes of this machine, which end with the ``with`` block, or those of a ``client``, which do not.

    ``options`` are those of ``dask.distributed.LocalCluster``.
    """

    def __init__(self, count: int = 2, *, client: Any = None, **options: Any) -> None:
        self.cluster: Any = None
        self.settings = ExitStack()
        if client is None:
            Client, LocalCluster = _dask()
            import dask

            self.settings.enter_context(dask.config.set(STEADY))
            usual = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
            self.cluster = LocalCluster(n_workers=count, **{**usual, **options})
            client = Client(self.cluster)
        self.client, self.texts = client, dict[bytes, Any]()
        self.client.register_plugin(places(), name=NAME)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """End the processes that were started here."""
        self.texts.clear()
        with self.settings:
            if self.cluster is not None:
                self.client.close()
                self.cluster.close()

    def hold(self, *arrays: Any, parts: int | Sequence[int] | None = None) -> Rows:
        """Give each worker a part of the rows; ``parts``: how many, or how many rows each has."""
        arrays = tuple(np.asarray(a) for a in arrays)
        if not arrays or len({len(a) for a in arrays}) > 1:
            raise ValueError("arrays of one length are needed")
        places = self.places()
        sizes = sizes_of(len(arrays[0]), len(places) if parts is None else parts)
        found = [
            self.asked(kept_rows, *part, place=places[k % len(places)])
            for k, part in enumerate(cut(arrays, sizes))
        ]
        return Rows(found, sizes, tuple(a[:1].copy() for a in arrays))

    def spread(self, loss: Callable[..., Any], how: How = "mean") -> Spread:
        """Give ``loss(parameters, *rows)``, a mean or a sum over rows, as something to train with rows."""
        return Spread(self, loss, how)

    def stages(self, *data: str, **stages: Any) -> Stages:
        """Give a tree of stages, ``name=(function, *inputs)``; the value of the last one is what is differentiated.

        ``data``: the names of what ``value_and_grad(parameters, *data)`` is called with. Inputs are data or stages
        before. A function is called with what ``parameters`` has under the name of its stage, or None, and its inputs.
        """
        return Stages(self, data, stages)

    def places(self) -> list[str]:
        """Give the addresses of the workers that there are."""
        if not self.client.nthreads():
            self.client.wait_for_workers(1)
        return sorted(self.client.nthreads())

    def asked(self, function: Callable[..., Any], *args: Any, place: str | None = None) -> Any:
        """Give the future of a call, by the worker at a place if it is still there."""
        import dask

        where = {} if place is None else {"workers": [place], "allow_other_workers": True}
        key = f"{function.__name__}-{uuid4().hex}"
        with dask.config.set({LARGE: "1 PiB"}):  # what is sent is data, and is sent once
            return self.client.submit(function, *args, key=key, pure=False, **where)

    def sent(self, value: Any) -> Any:
        """Give the future of a value."""
        return self.asked(itself, value)

    def kept(self, text: bytes) -> Any:
        """Give the future of a text, which is sent once."""
        if text not in self.texts:
            if len(self.texts) >= TEXTS:
                del self.texts[next(iter(self.texts))]
            self.texts[text] = self.sent(text)
        return self.texts[text]

    def gathered(self, futures: list[Any]) -> list[Any]:
        """Give what was computed."""
        return list(self.client.gather(futures))


def _dask() -> tuple[Any, Any]:
    try:
        from distributed import Client, LocalCluster
    except ModuleNotFoundError as fault:
        hint = 'dask.distributed is not installed: pip install "tangentlite[distributed]"'
        raise ModuleNotFoundError(hint, name=fault.name) from None
    return Client, LocalCluster


def itself(value: Any) -> Any:
    """Run by a worker: what is sent."""
    return value
