"""Tokens of runs started without an API key."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path

from .settings import TOKEN, SondeEndpoint

_KEPT_SECONDS = 30 * 86_400
"""Exceeds the retention of records in any service."""


class Tokens:
    """Stores one file per run, readable by its owner only.

    The first line is the token, the second the base URL of the service; the token is never sent
    to another service.
    """

    def __init__(self, sonde: SondeEndpoint) -> None:
        self._sonde = sonde
        self._folder = _folder()

    def save(self, run_id: str, token: str | None) -> str:
        """Stores the token. Returns the prefix of commands that resume the run, empty if it was
        stored.
        """
        if self._sonde.api_key or token is None:
            return ""
        try:
            if self._folder is None or not re.fullmatch(r"[A-Za-z0-9_-]{1,200}", run_id):
                raise OSError
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _delete_expired(self._folder)
            file = os.open(self._folder / run_id, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(file, "wb") as stream:
                stream.write(f"{token}\n{self._sonde.configured}\n".encode())
        except OSError:
            return f"{TOKEN}={token} "
        return ""

    def of(self, run_id: str) -> str | None:
        """Returns the token of a run, if it is known."""
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


def _delete_expired(folder: Path) -> None:
    """Deletes tokens whose records have expired."""
    for file in folder.iterdir():
        # Another process may delete the file first.
        with suppress(OSError):
            if time.time() - file.stat().st_mtime > _KEPT_SECONDS:
                file.unlink()
