"""Runs calls of functions side by side, in threads or tasks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from time import monotonic

import anyio
import anyio.to_thread

from .function_chat import FunctionCall


def run_calls(calls: Sequence[FunctionCall], timeout: float) -> list[str | None]:
    """A call that has not ended in time goes on in its thread, which does not keep the process."""
    told: list[str | None] = [None] * len(calls)

    def work(index: int) -> Callable[[], None]:
        def run() -> None:
            told[index] = calls[index].told()

        return run

    deadline = monotonic() + timeout
    threads = [
        threading.Thread(target=copy_context().run, args=(work(index),), daemon=True)
        for index in range(len(calls))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, deadline - monotonic()))
    # A thread that ends only now is not heard any more.
    return list(told)


async def run_calls_async(calls: Sequence[FunctionCall], timeout: float) -> list[str | None]:
    """Tasks that have not ended in time are cancelled; threads go on."""
    told: list[str | None] = [None] * len(calls)

    async def run(index: int) -> None:
        call = calls[index]
        if call.is_async:
            told[index] = await call.told_async()
        else:
            told[index] = await anyio.to_thread.run_sync(call.told, abandon_on_cancel=True)

    with anyio.move_on_after(timeout):
        async with anyio.create_task_group() as tasks:
            for index in range(len(calls)):
                tasks.start_soon(run, index)
    return told
