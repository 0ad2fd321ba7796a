"""Server-Sent Events: https://html.spec.whatwg.org/multipage/server-sent-events.html."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINE_END = re.compile(rb"\r\n|\r|\n")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Frame:
    """``id`` of this frame itself: None without an `id` field, "" for one without a value."""

    id: str | None
    type: str
    data: str


class SseDecoder:
    """Decodes frames from byte chunks of any size."""

    def __init__(self) -> None:
        self._rest = b""
        self._after_cr = False
        self._first = True
        self._id: str | None = None
        self._type = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[Frame]:
        for line in self._lines(chunk):
            if line:
                self._take(line.decode("utf-8", errors="replace"))
                continue
            if self._data:
                yield Frame(self._id, self._type or "message", "\n".join(self._data))
            self._start_frame()

    def _lines(self, chunk: bytes) -> Iterator[bytes]:
        # The LF of a CRLF may arrive in the next chunk.
        if self._after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
            self._after_cr = False
        if not chunk:
            return
        self._after_cr = chunk.endswith(b"\r")
        *lines, self._rest = _LINE_END.split(self._rest + chunk)
        for line in lines:
            yield line.removeprefix(_BOM) if self._first else line
            self._first = False

    def _take(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._type = value
        elif name == "id" and "\0" not in value:
            self._id = value

    def _start_frame(self) -> None:
        self._id, self._type, self._data = None, "", []
