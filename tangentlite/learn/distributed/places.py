"""What was meant for a worker that is gone may run anywhere.

In: a scheduler of dask, at which a worker arrives.
Out: its tasks. It lets a task that prefers a worker wait for that one if there was none at all when the task came.
Next: workers.
"""

from __future__ import annotations

from typing import Any

from distributed import SchedulerPlugin

NAME = "tangentlite-places"


class Places(SchedulerPlugin):  # type: ignore[misc]
    """Looks through what waits, before a new worker gets its share."""

    name = NAME

    def add_worker(self, scheduler: Any, worker: str) -> None:
        """Let tasks go that prefer workers of which none is there."""
        for task in scheduler.unrunnable:
            preferred = task.worker_restrictions or ()
            if task.loose_restrictions and not any(w in scheduler.workers for w in preferred):
                task.worker_restrictions = None
