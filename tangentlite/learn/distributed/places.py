"""What was meant for a worker that is gone may run anywhere.

In: a scheduler of dask, at which a worker arrives.
Out: its tasks. It lets a task that prefers a worker wait for that one if there was none at all when the task came.
Next: workers.
"""

from __future__ import annotations

from typing import Any

NAME = "tangentlite-places"


def places() -> Any:
    """Give a plugin that looks through what waits before a new worker gets its share."""
    from distributed import SchedulerPlugin

    class Places(SchedulerPlugin):  # type: ignore[misc]
        name = NAME

        def add_worker(self, scheduler: Any, worker: str) -> None:
            release(scheduler)

    return Places()


def release(scheduler: Any) -> None:
    """Let tasks go that prefer workers of which none is there.

    >>> from types import SimpleNamespace as Space
    >>> one, two = (Space(worker_restrictions={w}, loose_restrictions=True) for w in ("gone", "new"))
    >>> release(Space(workers={"new"}, unrunnable=[one, two]))
    >>> one.worker_restrictions, two.worker_restrictions
    (None, {'new'})
    """
    for task in scheduler.unrunnable:
        preferred = task.worker_restrictions or ()
        if task.loose_restrictions and not any(w in scheduler.workers for w in preferred):
            task.worker_restrictions = None
