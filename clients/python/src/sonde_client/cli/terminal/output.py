"""Writes the answer to standard output, or to a file, and all messages to standard error."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, TextIO

from ..usage import usage_error
from .live import Live


def prepare_streams() -> None:
    """Pipes receive UTF-8; a terminal its own encoding, with `?` for unsupported characters."""
    # A closed stream is None.
    sys.stdout = sys.stdout or _null_stream()
    sys.stderr = sys.stderr or _null_stream()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(  # type: ignore[union-attr]
            encoding=None if stream.isatty() else "utf-8", errors="replace", newline="\n"
        )


def _null_stream() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8", errors="replace")


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Output:
    """``text`` is the part of the answer written so far."""

    def __init__(self, file: str | None) -> None:
        self.live = Live()
        self.text = ""
        self._file = file
        self._in_a_line = False

    def write(self, piece: str) -> None:
        """Writes a piece of the answer."""
        self.text += piece
        if self._file is None and piece:
            if sys.stdout.isatty():
                self.live.end()
                self._in_a_line = not piece.endswith("\n")
            self._print(sys.stdout, piece)

    def write_json(self, value: object) -> None:
        self.write(f"{as_json(value)}\n")

    def field(self, name: str, value: Any) -> None:
        """Prints a named value, unless it is None."""
        if value is not None:
            self.log(f"{name}: {value}")

    def progress(self, step: Any) -> None:
        """Shows a step in the status line or on a line of its own, never within a line of text."""
        line = self.live.progress(step)
        if line is not None and not self._in_a_line:
            self.log(line)

    def log(self, line: str) -> None:
        """Prints a line to standard error."""
        if self._in_a_line and sys.stderr.isatty():
            # The answer and the messages share one terminal.
            sys.stderr.write("\n")
            self._in_a_line = False
        try:
            self._print(sys.stderr, f"{line}\n")
        except BrokenPipeError:
            # Standard error is closed; the answer may still be read.
            sys.stderr = _null_stream()

    def finish(self) -> bool:
        """Completes the answer. Returns False if its file could not be written; it is then
        printed.
        """
        if self.text and not self.text.endswith("\n"):
            self.write("\n")
        self.live.stop()
        if self._file is None or not self.text:
            return True
        try:
            path_of(self._file).write_bytes(self.text.encode(errors="replace"))
        except OSError:
            self.log(f'sonde: --output: "{self._file}" cannot be written')
            self._print(sys.stdout, self.text)
            return False
        return True

    def _print(self, stream: TextIO, text: str) -> None:
        self.live.clear()
        stream.write(text)
        stream.flush()


def check_output(file: str | None) -> None:
    """Rejects an unwritable output file before the answer is paid for."""
    if file is None:
        return
    path = path_of(file)
    try:
        if not path.exists() and (file.endswith(("/", os.sep)) or not path.parent.is_dir()):
            usage_error(f'--output: the folder of "{file}" does not exist')
        if file and path.is_dir():
            usage_error(f'--output: "{file}" is a folder')
        writable = file and os.access(path if path.exists() else path.parent, os.W_OK)
    except OSError:
        # The name is invalid or must not be inspected.
        writable = False
    if not writable:
        usage_error(f'--output: "{file}" cannot be written')


def path_of(file: str) -> Path:
    try:
        os.fsencode(file)
    except UnicodeEncodeError:
        # The locale lacks the characters; file names are most likely UTF-8.
        return Path(os.fsdecode(file.encode(errors="replace")))
    return Path(file)
