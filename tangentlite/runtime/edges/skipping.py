"""``with tl.insert_grad_of(x) as dx:`` where nobody differentiates: the body is skipped.

In: the frame that the ``with`` stands in.
Out: a context manager.
Next: surgery.

Python has no way to skip a body. What an event raises right after ``__enter__`` counts as raised in the body, even
before ``dx`` is bound, and ``__exit__`` swallows it. Since Python 3.12 the event is one of ``sys.monitoring``, for that
one instruction; before, it comes from a trace function, which is the thread's own and then gives way to the one before.
"""

from __future__ import annotations

import sys
import threading
from types import CodeType, FrameType, FunctionType, MethodType, TracebackType
from typing import Any

UNSKIPPED = (
    "the body of `with tl.insert_grad_of(...)` has run although nothing was differentiated: "
    "this interpreter cannot skip it. Call `tl.primal(f)` instead of `f`."
)
MONITORING: Any = getattr(sys, "monitoring", None)
TOOLS = (4, 3)  # those that belong to nobody


class Skipped(BaseException):
    """Raised where the body would begin."""


class _Monitored:
    """Events of single instructions: all but the first one of a body are switched off when they come by."""

    def __init__(self) -> None:
        self._here = threading.local()
        self._lock = threading.Lock()
        self._tool: int | None = None

    def begin(self, frame: FrameType) -> bool:
        """Whether the next instruction of the frame raises."""
        if self._tool is None and not self._claimed():
            return False
        events = MONITORING.events.INSTRUCTION
        if not MONITORING.get_local_events(self._tool, frame.f_code):
            with self._lock:
                MONITORING.set_local_events(self._tool, frame.f_code, events)
        self._here.frame = frame
        return True

    def end(self) -> None:
        """Nothing raises any more."""
        self._here.frame = None

    def _claimed(self) -> bool:
        with self._lock:
            for tool in TOOLS:
                if self._tool is None and MONITORING.get_tool(tool) is None:
                    MONITORING.use_tool_id(tool, "tangentlite")
                    MONITORING.register_callback(tool, MONITORING.events.INSTRUCTION, self._step)
                    self._tool = tool
        return self._tool is not None

    def _step(self, code: CodeType, offset: int) -> Any:
        awaited = getattr(self._here, "frame", None)
        if awaited is None or awaited is not sys._getframe(1):
            return MONITORING.DISABLE
        self._here.frame = None
        raise Skipped


_monitored = _Monitored() if MONITORING is not None else None


def _untraced(frame: FrameType, event: str, argument: Any) -> None:
    """No new frame is traced while a body is skipped."""


def _skip(frame: FrameType, event: str, argument: Any) -> Any:
    """The first thing that happens after ``__enter__``, be it the binding of ``dx``."""
    raise Skipped


class insert_grad_of:
    """``with tl.insert_grad_of(x) as dx:`` puts its body where the backward sweep has the adjoint of x.

    The body runs in derivatives only. When the function itself is called it is skipped.

    >>> def f(x):
    ...     with insert_grad_of(x) as dx:
    ...         print("never")
    ...     return x * x
    >>> f(3.0)
    9.0
    """

    __slots__ = ("_before",)

    def __init__(self, *values: Any) -> None:
        if not values:
            raise TypeError("insert_grad_of() takes the values whose adjoints are meant")

    def __enter__(self) -> Any:
        frame = sys._getframe(1)
        self._before: Any = None
        if _monitored is None or not _monitored.begin(frame):
            self._before = sys.gettrace(), frame.f_trace, frame.f_trace_opcodes
            frame.f_trace, frame.f_trace_opcodes = _skip, True
            sys.settrace(_untraced)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> bool:
        if self._before is None:
            assert _monitored is not None
            _monitored.end()
        else:
            self._trace_again(sys._getframe(1))
        if kind is None:
            raise RuntimeError(UNSKIPPED)
        return kind is Skipped

    def _trace_again(self, frame: FrameType) -> None:
        tracer, local, frame.f_trace_opcodes = self._before
        compiled = tracer is not None and not isinstance(tracer, (FunctionType, MethodType))
        sys.settrace(tracer)
        # A tracer written in C comes back by way of its local trace function.
        frame.f_trace = tracer if compiled and local is None else local
