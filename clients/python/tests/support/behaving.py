"""Functions that do what the ``$run`` of a case says."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from sonde_client import Function


def behaving(functions: list[dict[str, Any]]) -> list[Function | dict[str, Any]]:
    barriers: dict[int, threading.Barrier] = {}

    def made(function: dict[str, Any]) -> Function | dict[str, Any]:
        if "$run" not in function:
            return function
        description = {name: value for name, value in function.items() if name != "$run"}
        return Function(_run(function["$run"], barriers), **description)

    return [made(each) for each in functions]


def _run(does: dict[str, Any], barriers: dict[int, threading.Barrier]) -> Callable[..., Any]:
    def run(**_: Any) -> Any:
        if "meets" in does:
            count = does["meets"]
            barriers.setdefault(count, threading.Barrier(count)).wait()
        if does.get("hangs"):
            # Longer than any test, but the thread of an event loop must end with it.
            time.sleep(3)
        if "raises" in does:
            raise ValueError(does["raises"])
        return does.get("returns")

    return run
