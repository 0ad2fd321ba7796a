"""Ctrl-C: a run that one can come back to is left, any other cancelled; a terminal is asked."""

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
"""How long finding and cancelling a run may take."""
_QUESTION = "Cancel it now? [y/N] "


@dataclass(frozen=True)
class UnderWay:
    """What goes on without its caller.

    ``prefix``: what stands before a command that comes back to it; None: no command does.
    """

    id: str
    cancel: Callable[[], Awaitable[object]]
    prefix: str | None = None

    def goes_on(self) -> list[str]:
        first = f"sonde: {self.id} is still running and incurs cost until it ends"
        if self.prefix is None:
            return [first]
        return [
            first,
            f"  to resume: {self.prefix}sonde attach {self.id}",
            f"  to cancel: {self.prefix}sonde cancel {self.id}",
        ]


class Interrupt:
    """``find`` finds what is under way at the moment; None: nothing that would go on.

    ``known``: the same once it is found.
    """

    def __init__(self, output: Output) -> None:
        self.find: Callable[[], Awaitable[UnderWay]] | None = None
        self.known: UnderWay | None = None
        self.wanted = asyncio.Event()
        self._output = output
        self._asking: asyncio.Task[None] | None = None
        self._cancels = False
        loop = asyncio.get_running_loop()
        # As a handler of the loop there is none on Windows.
        signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(self._pressed))

    def knows(self, run: UnderWay) -> None:
        async def find() -> UnderWay:
            return run

        self.known, self.find = run, find

    def forget(self) -> None:
        """It has ended."""
        self.known = self.find = None

    async def end(self) -> None:
        """Leaves or cancels what is under way, and says so."""
        if self._asking is not None:
            self._asking.cancel()
            self._output.say("")
        if self.find is None:
            return
        try:
            run = await _in_time(self.find)
        except Exception:
            self._output.say("sonde: a run may have started; its id is unknown")
            return
        if run.prefix is None or self._cancels:
            try:
                await _in_time(run.cancel)
                note = "cost incurred so far is not refunded"
                self._output.say(f"sonde: {run.id} is cancelled; {note}")
                return
            except Exception:
                self._output.say(f"sonde: {run.id} could not be cancelled")
        for line in run.goes_on():
            self._output.say(line)

    def over(self) -> None:
        """From here on Ctrl-C ends the program: a name that is still looked up would hold it."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def _pressed(self) -> None:
        can_ask = sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
        if self.find is None or not can_ask or self._asking is not None:
            self.wanted.set()
            return
        self._asking = asyncio.get_running_loop().create_task(self._ask(self.find))

    async def _ask(self, find: Callable[[], Awaitable[UnderWay]]) -> None:
        self._output.live.stop()
        try:
            lines = (await _in_time(find)).goes_on()
        except Exception:
            lines = []
        for line in lines:
            self._output.say(line)
        sys.stderr.write(_QUESTION)
        sys.stderr.flush()
        loop = asyncio.get_running_loop()

        def ask() -> None:
            # Not through `sys.stdin`: its lock would outlive the program.
            line = os.read(sys.stdin.fileno(), 1024)
            loop.call_soon_threadsafe(self._answered, line)

        threading.Thread(target=ask, daemon=True).start()

    def _answered(self, line: bytes) -> None:
        self._asking = None
        if line.strip().lower() == b"y":
            self._cancels = True
            self.wanted.set()
        else:
            self._output.live.start()


async def _in_time(what: Callable[[], Awaitable[T]]) -> T:
    async def awaited() -> T:
        return await what()

    return await asyncio.wait_for(awaited(), CANCEL_SECONDS)
