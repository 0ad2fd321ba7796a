"""Usage errors of the command line."""

from __future__ import annotations

from typing import NoReturn

from ..errors import SondeUsageError


def usage_error(message: str) -> NoReturn:
    raise SondeUsageError(message)
