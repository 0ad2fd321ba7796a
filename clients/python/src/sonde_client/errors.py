"""Errors of the clients. No message contains a key, a token, a prompt or a host name."""

from __future__ import annotations

from dataclasses import dataclass


class SondeError(Exception):
    """Base class of all errors of this library.

    ``url``: URL of the failed request, without its query; None if no request failed. It is not
    part of the message.
    """

    url: str | None = None


class SondeUsageError(SondeError, ValueError):
    """The arguments of the call are invalid; no request was sent."""


class SondeConnectionError(SondeError):
    """The endpoint is unreachable, or the connection was lost."""


class SondeTimeoutError(SondeConnectionError):
    """The time limit of the call has elapsed. Work that was already started may continue."""


class SondeProtocolError(SondeError):
    """The response is not of the expected form: HTML with status 200, a redirect, invalid JSON."""

    def __init__(
        self, message: str, *, status: int | None = None, request_id: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.request_id = request_id


@dataclass(frozen=True)
class FieldError:
    """An invalid field of the request, with its dotted path."""

    path: str
    message: str


class SondeApiError(SondeError):
    """The endpoint responded with an HTTP error.

    ``code`` is the code of the problem document or of the model endpoint's error object, and
    ``http_error`` for any other body. ``retry_after_seconds`` is set if the reply states it. (The
    defaults make the error picklable.)
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
