"""Ctrl-C detaches from a run that can be resumed and cancels any other; a terminal asks first."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from .output import Output

T = TypeVar("T")

CANCEL_SECONDS = 10.0
"""Time limit for finding or cancelling a run."""
_QUESTION = "Cancel it now? [y/N] "


@dataclass(frozen=True)
class ActiveRun:
    """Work that continues after this process exits.

    ``prefix``: prefix of the commands that resume it; None if it cannot be resumed.
    """

    id: str
    cancel: Callable[[], Awaitable[object]]
    prefix: str | None = None

    def resume_hints(self) -> list[str]:
        first = f"sonde: {self.id} is still running and incurs cost until it ends"
        if self.prefix is None:
            return [first]
        return [
            first,
            f"  to resume: {self.prefix}sonde attach {self.id}",
            f"  to cancel: {self.prefix}sonde cancel {self.id}",
        ]


class Interrupt:
    """``find_run`` finds the active run; None if nothing would continue.

    ``tracked``: the active run, once it has been found.
    """

    def __init__(self, output: Output) -> None:
        self.find_run: Callable[[], Awaitable[ActiveRun]] | None = None
        self.tracked: ActiveRun | None = None
        self.requested = asyncio.Event()
        self._output = output
        self._prompting: asyncio.Task[None] | None = None
        self._cancel_requested = False
        loop = asyncio.get_running_loop()
        # Event loops have no signal handlers on Windows.
        signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(self._on_sigint))

    def track(self, run: ActiveRun) -> None:
        async def find() -> ActiveRun:
            return run

        self.tracked, self.find_run = run, find

    def untrack(self) -> None:
        """The run has ended."""
        self.tracked = self.find_run = None

    async def detach(self) -> None:
        """Detaches from the active run or cancels it, and prints which."""
        if self._prompting is not None:
            self._prompting.cancel()
            self._output.log("")
        if self.find_run is None:
            return
        try:
            run = await _within_cancel_timeout(self.find_run)
        except Exception:
            self._output.log("sonde: a run may have started; its id is unknown")
            return
        if run.prefix is None or self._cancel_requested:
            try:
                await _within_cancel_timeout(run.cancel)
                note = "cost incurred so far is not refunded"
                self._output.log(f"sonde: {run.id} is cancelled; {note}")
                return
            except Exception:
                self._output.log(f"sonde: {run.id} could not be cancelled")
        for line in run.resume_hints():
            self._output.log(line)

    def release(self) -> None:
        """Ctrl-C ends the process from here on, even during a name lookup, which cannot be
        cancelled.
        """
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def _on_sigint(self) -> None:
        can_prompt = sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
        if self.find_run is None or not can_prompt or self._prompting is not None:
            self.requested.set()
            return
        self._prompting = asyncio.get_running_loop().create_task(self._prompt(self.find_run))

    async def _prompt(self, find: Callable[[], Awaitable[ActiveRun]]) -> None:
        self._output.live.stop()
        try:
            lines = (await _within_cancel_timeout(find)).resume_hints()
        except Exception:
            lines = []
        for line in lines:
            self._output.log(line)
        sys.stderr.write(_QUESTION)
        sys.stderr.flush()
        loop = asyncio.get_running_loop()

        def ask() -> None:
            # Reading through `sys.stdin` would hold its lock until the process exits.
            line = os.read(sys.stdin.fileno(), 1024)
            loop.call_soon_threadsafe(self._answered, line)

        threading.Thread(target=ask, daemon=True).start()

    def _answered(self, line: bytes) -> None:
        self._prompting = None
        if line.strip().lower() == b"y":
            self._cancel_requested = True
            self.requested.set()
        else:
            self._output.live.start()


async def _within_cancel_timeout(what: Callable[[], Awaitable[T]]) -> T:
    async def awaited() -> T:
        return await what()

    return await asyncio.wait_for(awaited(), CANCEL_SECONDS)
