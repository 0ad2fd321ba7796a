"""A status line on a terminal that is redrawn every second."""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
from time import monotonic
from typing import Any
from unicodedata import east_asian_width

_QUIET_SECONDS = 10
"""Without a terminal, steps of the same kind are printed at most once in this many seconds."""
_INVISIBLE = re.compile(r"[\x00-\x20\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


class Live:
    def __init__(self) -> None:
        self._started_at = monotonic()
        self._kinds: dict[str, int] = {}
        self._last: tuple[str, float] | None = None
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
        """Stops permanently, because the line would overwrite the answer."""
        self._ended = True
        self.stop()

    def clear(self) -> None:
        if self._width:
            sys.stderr.write(f"\r{' ' * self._width}\r")
            sys.stderr.flush()
            self._width = 0

    def progress(self, data: Any) -> str | None:
        """Records a step.

        Returns the line to print if there is no status line, or None if the step repeats the last
        kind.
        """
        data = data if isinstance(data, dict) else {}
        kind = str(data.get("kind"))
        self._kinds[kind] = self._kinds.get(kind, 0) + 1
        self._step = one_line(str(data.get("detail") or ""))
        if sys.stderr.isatty() and not self._ended:
            return None
        now = monotonic()
        if self._last and self._last[0] == kind and now - self._last[1] < _QUIET_SECONDS:
            return None
        self._last = (kind, now)
        step = f": {self._step}" if self._step else ""
        return f"[{self._seconds()} s] {kind}{step}"

    async def _draw(self) -> None:
        while True:
            await asyncio.sleep(1)
            text, width = cut(self._line(), shutil.get_terminal_size().columns - 1)
            sys.stderr.write(f"\r{text}{' ' * (self._width - width)}")
            sys.stderr.flush()
            self._width = max(width, self._width)

    def _line(self) -> str:
        if not self._kinds:
            return f"waiting, {self._seconds()} s"
        kinds = ", ".join(f"{kind} {count}" for kind, count in self._kinds.items())
        step = f": {self._step}" if self._step else ""
        return f"researching, {self._seconds()} s, {kinds}{step}"

    def _seconds(self) -> int:
        return round(monotonic() - self._started_at)


def one_line(text: str) -> str:
    """Replaces line ends and other control characters, which a terminal would interpret."""
    return _INVISIBLE.sub(" ", text).strip(" ")


def cut(text: str, columns: int) -> tuple[str, int]:
    """The text truncated to ``columns``, and its width."""
    width = 0
    for index, character in enumerate(text):
        wide = 2 if east_asian_width(character) in "WF" else 1
        if width + wide > columns:
            return text[:index], width
        width += wide
    return text, width
