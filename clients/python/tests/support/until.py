from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(get: Callable[[], T | None], seconds: float = 60) -> T:
    """Polls until the first truthy result."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        result = get()
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError(f"it did not happen within {seconds} s")
