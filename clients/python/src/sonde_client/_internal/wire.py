"""Commands and types that operations are built from.

An operation is a generator: it yields a command, receives the outcome or a ``SondeError``, and
returns its result. It performs no I/O itself, so that the sync and the async client share it; see
``drivers``.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from .._version import __version__
from ..errors import SondeUsageError

if TYPE_CHECKING:
    from .function_chat import FunctionCall

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Head:
    """Status and headers of a reply; header names are lower-case."""

    status: int
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Open:
    """Sends ``request`` and returns the ``Head``. ``timeout``: seconds for each step, reads
    included.
    """

    request: Request
    timeout: float


@dataclass(frozen=True)
class Read:
    """Returns the next bytes of the body; empty at its end."""


@dataclass(frozen=True)
class Close:
    """Closes the open reply, if any."""


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Emit:
    """Passes ``event`` to the caller; only in operations that are iterated."""

    event: Any


@dataclass(frozen=True)
class Via:
    """Runs ``operation`` with the driver of another client and returns its result."""

    driver: Any
    operation: Generator[Any, Any, Any]


@dataclass(frozen=True)
class Run:
    """Runs the calls of functions side by side, for ``timeout`` seconds. Returns what the model is
    told of each; None for those that have not ended.
    """

    calls: Sequence[FunctionCall]
    timeout: float


Command = Open | Read | Close | Sleep | Emit | Via | Run
Operation = Generator[Command, Any, T]


@dataclass(frozen=True)
class Endpoint:
    """An endpoint with its settings; ``name`` is used in error messages."""

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
        """``path`` begins with `/`; headers with the value None are omitted."""
        all_headers: dict[str, str | None] = {
            "User-Agent": f"sonde-client-python/{__version__}",
            "Accept": "application/json",
            "Authorization": None if self.api_key is None else f"Bearer {self.api_key}",
            "Content-Type": None if body is None else "application/json",
            **(headers or {}),
        }
        present = {name: value for name, value in all_headers.items() if value is not None}
        return Request(method, self.base_url + path, present, None if body is None else _json(body))


def _json(body: object) -> bytes:
    try:
        text = json.dumps(body, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise SondeUsageError("the request cannot be serialized as JSON") from None
    try:
        return text.encode()
    except UnicodeEncodeError:
        # A lone surrogate can only be expressed as an escape sequence.
        return json.dumps(body).encode()
