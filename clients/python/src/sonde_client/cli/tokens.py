"""What opens runs that were begun without an API key."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path

from .settings import TOKEN, SondeEndpoint

_KEPT_SECONDS = 30 * 86_400
"""Longer than any service keeps a record."""


class Tokens:
    """A file for each run, which nobody else can read.

    Its first line is the token, its second the base URL of the service; no other service is ever
    sent the token.
    """

    def __init__(self, sonde: SondeEndpoint) -> None:
        self._sonde = sonde
        self._folder = _folder()

    def keep(self, run_id: str, token: str | None) -> str:
        """Keeps it, and returns what has to stand before a command that comes back to the run."""
        if self._sonde.api_key or token is None:
            return ""
        try:
            if self._folder is None or not re.fullmatch(r"[A-Za-z0-9_-]{1,200}", run_id):
                raise OSError
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _sweep(self._folder)
            file = os.open(self._folder / run_id, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(file, "wb") as stream:
                stream.write(f"{token}\n{self._sonde.configured}\n".encode())
        except OSError:
            return f"{TOKEN}={token} "
        return ""

    def of(self, run_id: str) -> str | None:
        """The token of a run, if it is known."""
        if self._sonde.token is not None or self._folder is None:
            return self._sonde.token
        try:
            lines = (self._folder / run_id).read_bytes().decode(errors="replace").split("\n")
        except OSError:
            return None
        return lines[0] if lines[1:2] == [self._sonde.configured] else None


def _folder() -> Path | None:
    state = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(state):
        return Path(state, "sonde")
    try:
        return Path.home() / ".local" / "state" / "sonde"
    except RuntimeError:
        return None


def _sweep(folder: Path) -> None:
    """Forgets what nothing is kept for any more."""
    for file in folder.iterdir():
        # Another process may be faster.
        with suppress(OSError):
            if time.time() - file.stat().st_mtime > _KEPT_SECONDS:
                file.unlink()
