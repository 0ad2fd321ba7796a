"""What the operations of the clients are made of.

An operation is a generator: it yields what is to be done (a command), is sent the outcome, or has
a ``SondeError`` thrown into it, and returns its result. It does no input or output by itself, so
that it is written once for the sync and the async client; see ``_drivers``.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ._version import __version__
from .errors import SondeUsageError

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Head:
    """Of a reply; the names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Open:
    """Send ``request``; gives the ``Head``. ``timeout``: seconds for each step, the reads too."""

    request: Request
    timeout: float


@dataclass(frozen=True)
class Read:
    """Gives the next bytes of the body, and none at its end."""


@dataclass(frozen=True)
class Close:
    """Leave the reply that is open, if there is one."""


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Emit:
    """Hand ``event`` to the caller; only in operations that are iterated."""

    event: Any


@dataclass(frozen=True)
class Via:
    """Run ``operation`` with another client's driver; gives its result."""

    driver: Any
    operation: Generator[Any, Any, Any]


Command = Open | Read | Close | Sleep | Emit | Via
Operation = Generator[Command, Any, T]


@dataclass(frozen=True)
class Endpoint:
    """One side to talk to: ``name`` is what messages call it."""

    name: str
    base_url: str
    api_key: str | None = field(repr=False)
    timeout: float
    max_retries: int

    def __post_init__(self) -> None:
        if not self.timeout > 0:
            raise SondeUsageError("timeout: must be more than 0 seconds")
        if self.max_retries < 0:
            raise SondeUsageError("max_retries: must not be negative")

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Request:
        """``path`` begins with `/`; headers that are None are left out."""
        given: dict[str, str | None] = {
            "User-Agent": f"sonde-client-python/{__version__}",
            "Accept": "application/json",
            "Authorization": None if self.api_key is None else f"Bearer {self.api_key}",
            "Content-Type": None if body is None else "application/json",
            **(headers or {}),
        }
        kept = {name: value for name, value in given.items() if value is not None}
        return Request(method, self.base_url + path, kept, None if body is None else _json(body))


def _json(body: object) -> bytes:
    try:
        text = json.dumps(body, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise SondeUsageError("the request cannot be serialized as JSON") from None
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair, which only an escape can express.
        return json.dumps(body).encode()
