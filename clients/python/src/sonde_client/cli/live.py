"""On a terminal, one line that says what is waited for, written again and again."""

from __future__ import annotations

import asyncio
import shutil
import sys
from time import monotonic
from typing import Any
from unicodedata import east_asian_width


class Live:
    def __init__(self) -> None:
        self._started_at = monotonic()
        self._searches: int | None = None
        self._step = ""
        self._width = 0
        self._task: asyncio.Task[None] | None = None
        self._ended = False

    def start(self) -> None:
        if self._task is None and not self._ended and sys.stderr.isatty():
            self._task = asyncio.get_running_loop().create_task(self._draw())

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self.clear()

    def end(self) -> None:
        """For good: from here on it would overwrite the answer."""
        self._ended = True
        self.stop()

    def clear(self) -> None:
        if self._width:
            sys.stderr.write(f"\r{' ' * self._width}\r")
            sys.stderr.flush()
            self._width = 0

    def progress(self, data: Any) -> None:
        """Something that an invocation is doing."""
        data = data if isinstance(data, dict) else {}
        self._searches = (self._searches or 0) + (data.get("kind") == "web_search")
        self._step = " ".join(str(data.get("detail") or "").split())

    async def _draw(self) -> None:
        while True:
            await asyncio.sleep(1)
            text, width = cut(self._line(), shutil.get_terminal_size().columns - 1)
            sys.stderr.write(f"\r{text}{' ' * (self._width - width)}")
            sys.stderr.flush()
            self._width = max(width, self._width)

    def _line(self) -> str:
        seconds = round(monotonic() - self._started_at)
        if self._searches is None:
            return f"waiting, {seconds} s"
        searches = f"{self._searches} {'search' if self._searches == 1 else 'searches'}"
        step = f": {self._step}" if self._step else ""
        return f"researching, {seconds} s, {searches}{step}"


def cut(text: str, columns: int) -> tuple[str, int]:
    """What fits into ``columns``, and how many it takes."""
    width = 0
    for index, character in enumerate(text):
        wide = 2 if east_asian_width(character) in "WF" else 1
        if width + wide > columns:
            return text[:index], width
        width += wide
    return text, width
