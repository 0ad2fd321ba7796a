"""What can go wrong. No message holds a key, a token, a prompt or the model endpoint's host."""

from __future__ import annotations

from dataclasses import dataclass


class SondeError(Exception):
    """The base of everything that the clients raise by themselves.

    ``url``: what was asked for, without its query; None where no request failed. It is no part
    of the message.
    """

    url: str | None = None


class SondeUsageError(SondeError, ValueError):
    """A fault of the caller that was found before anything was sent."""


class SondeConnectionError(SondeError):
    """The other side could not be reached, or the connection was lost."""


class SondeTimeoutError(SondeConnectionError):
    """The time of the call is over. What was begun goes on."""


class SondeProtocolError(SondeError):
    """An answer that is not what it should be: HTML with status 200, a redirect, broken JSON."""

    def __init__(
        self, message: str, *, status: int | None = None, request_id: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.request_id = request_id


@dataclass(frozen=True)
class FieldError:
    """One fault of the input, by its dotted path."""

    path: str
    message: str


class SondeApiError(SondeError):
    """The other side refused, or failed, with an HTTP status.

    ``code`` is the code of the problem document, or of the model endpoint's error object,
    and ``http_error`` for any other body. ``retry_after_seconds`` is set if the reply said so.
    (The defaults are there so that it can be pickled.)
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "http_error",
        errors: tuple[FieldError, ...] = (),
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.errors = errors
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
