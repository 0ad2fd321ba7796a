"""Ctrl-C: what can be cancelled is; what cannot be is just left."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable

from .output import Output

CANCEL_SECONDS = 10.0
_QUESTION = "Cancel it? What it has cost so far is spent. [y/N] "


class Interrupt:
    """``cancel`` cancels what is under way at the moment; None: nothing that can be."""

    def __init__(self, output: Output) -> None:
        self.cancel: Callable[[], Awaitable[object]] | None = None
        self.wanted = asyncio.Event()
        self._output = output
        self._asking = False
        loop = asyncio.get_running_loop()
        # As a handler of the loop there is none on Windows.
        signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(self._pressed))

    async def end(self) -> None:
        """Cancels what is under way, unless that takes too long."""
        if self._asking:
            self._output.say("")
        if self.cancel is None:
            return
        try:
            await asyncio.wait_for(_awaited(self.cancel), CANCEL_SECONDS)
        except Exception:
            self._output.say("sonde: it could not be cancelled, and goes on")

    def over(self) -> None:
        """From here on Ctrl-C ends the program: a name that is still looked up would hold it."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def _pressed(self) -> None:
        can_ask = sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
        if self.cancel is None or not can_ask or self._asking:
            self.wanted.set()
            return
        self._asking = True
        self._output.live.stop()
        sys.stderr.write(_QUESTION)
        sys.stderr.flush()
        loop = asyncio.get_running_loop()

        def ask() -> None:
            # Not through `sys.stdin`: its lock would outlive the program.
            line = os.read(sys.stdin.fileno(), 1024)
            loop.call_soon_threadsafe(self._answered, line)

        threading.Thread(target=ask, daemon=True).start()

    def _answered(self, line: bytes) -> None:
        self._asking = False
        if line.strip().lower() == b"y":
            self.wanted.set()
        else:
            self._output.live.start()


async def _awaited(cancel: Callable[[], Awaitable[object]]) -> None:
    await cancel()
