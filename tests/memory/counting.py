"""Counting calls of functions, and states that are alive, while a derivative runs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any


def watched(run: Callable[[], Any], prefix: str) -> tuple[dict[str, int], int]:
    """How often functions whose names begin like this are called, and how many ``states`` their callers hold at most."""
    found, most = Counter[str](), 0

    def see(frame: FrameType, event: str, _: Any) -> None:
        nonlocal most
        if event == "call" and frame.f_code.co_name.startswith(prefix):
            found[frame.f_code.co_name] += 1
            if frame.f_back is not None:
                most = max(most, len(frame.f_back.f_locals.get("states", ())))

    sys.setprofile(see)
    try:
        run()
    finally:
        sys.setprofile(None)
    return dict(found), most


def calls(function: Callable[..., Any], prefix: str, *args: Any) -> dict[str, int]:
    """How often functions whose names begin like this are called."""
    return watched(lambda: function(*args), prefix)[0]
