"""Standard output has the answer and nothing else; what is said of it goes to standard error."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, TextIO

from .flags import fault
from .live import Live


def prepare_streams() -> None:
    """Pipes get UTF-8; a terminal its own encoding, and `?` for what it lacks."""
    # One that was closed is not there at all.
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(  # type: ignore[union-attr]
            encoding=None if stream.isatty() else "utf-8", errors="replace", newline="\n"
        )


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8", errors="replace")


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Output:
    """``text`` is what was written of the answer."""

    def __init__(self, file: str | None) -> None:
        self.live = Live()
        self.text = ""
        self._file = file
        self._in_a_line = False

    def write(self, piece: str) -> None:
        """A piece of the answer."""
        self.text += piece
        if self._file is None and piece:
            if sys.stdout.isatty():
                self.live.end()
                self._in_a_line = not piece.endswith("\n")
            self._print(sys.stdout, piece)

    def write_json(self, value: object) -> None:
        self.write(f"{as_json(value)}\n")

    def note(self, name: str, value: Any) -> None:
        """Something that is known by a name, if there is any."""
        if value is not None:
            self.say(f"{name}: {value}")

    def progress(self, step: Any) -> None:
        """A step of a run: in the live line, or a line of its own; never in the middle of text."""
        line = self.live.progress(step)
        if line is not None and not self._in_a_line:
            self.say(line)

    def say(self, line: str) -> None:
        """A line on standard error."""
        if self._in_a_line and sys.stderr.isatty():
            # The answer and what is said of it are on the same terminal.
            sys.stderr.write("\n")
            self._in_a_line = False
        try:
            self._print(sys.stderr, f"{line}\n")
        except BrokenPipeError:
            # Nobody hears it any more; the answer may still be wanted.
            sys.stderr = _nowhere()

    def finish(self) -> bool:
        """The answer is whole. False: it could not be written to its file, and is printed."""
        if self.text and not self.text.endswith("\n"):
            self.write("\n")
        self.live.stop()
        if self._file is None or not self.text:
            return True
        try:
            _path(self._file).write_bytes(self.text.encode(errors="replace"))
        except OSError:
            self.say(f'sonde: --output: "{self._file}" cannot be written')
            self._print(sys.stdout, self.text)
            return False
        return True

    def _print(self, stream: TextIO, text: str) -> None:
        self.live.clear()
        stream.write(text)
        stream.flush()


def check_output(file: str | None) -> None:
    """Refuses a file that an answer could not be written to, before it is paid for."""
    if file is None:
        return
    path = _path(file)
    try:
        if not path.exists() and (file.endswith(("/", os.sep)) or not path.parent.is_dir()):
            fault(f'--output: the folder of "{file}" does not exist')
        if file and path.is_dir():
            fault(f'--output: "{file}" is a folder')
        writable = file and os.access(path if path.exists() else path.parent, os.W_OK)
    except OSError:
        # It must not even be looked for, or no file can have such a name.
        writable = False
    if not writable:
        fault(f'--output: "{file}" cannot be written')


def _path(file: str) -> Path:
    try:
        os.fsencode(file)
    except UnicodeEncodeError:
        # The locale does not know the characters; most likely the files' names are UTF-8.
        return Path(os.fsdecode(file.encode(errors="replace")))
    return Path(file)
