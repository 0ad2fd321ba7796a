"""Complete replies, and the errors that they describe."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

from ..errors import FieldError, SondeApiError, SondeError, SondeProtocolError
from .wire import Endpoint, Head


@dataclass(frozen=True)
class Reply:
    head: Head
    body: bytes

    @property
    def status(self) -> int:
        return self.head.status

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def request_id(self) -> str | None:
        return self.head.headers.get("x-request-id")

    @property
    def is_problem(self) -> bool:
        return self.head.headers.get("content-type", "").startswith("application/problem+json")

    @property
    def retry_after(self) -> float | None:
        """Retry-After in seconds, from either form of the header; None if missing or invalid."""
        value = self.head.headers.get("retry-after", "").strip()
        if re.fullmatch(r"[0-9]{1,9}", value):
            return float(value)
        try:
            at = parsedate_to_datetime(value)
        except (ValueError, OverflowError):
            return None
        if at.tzinfo is None:
            at = at.replace(tzinfo=timezone.utc)
        return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())

    def json_object(self, endpoint: Endpoint) -> dict[str, Any]:
        data = _parsed(self.body)
        if not isinstance(data, dict):
            raise self.unexpected(endpoint, "a body that is not a JSON object")
        return data

    def unexpected(self, endpoint: Endpoint, what: str) -> SondeProtocolError:
        return SondeProtocolError(
            f"{endpoint.name} answered with {what}",
            status=self.status,
            request_id=self.request_id,
        )

    def error(self, endpoint: Endpoint) -> SondeError:
        """The exception for a reply that is not ``ok``."""
        if self.status < 400:
            # Redirects are not followed, because the API key would be sent to their target.
            return self.unexpected(endpoint, f"the unexpected status {self.status}")
        data = _parsed(self.body)
        data = data if isinstance(data, dict) else {}
        upstream = data.get("error")
        if self.is_problem:
            code, message = data.get("code"), data.get("detail") or data.get("title")
        elif isinstance(upstream, dict):
            code, message = upstream.get("code") or upstream.get("type"), upstream.get("message")
        else:
            code, message = None, None
        text = str(message or f"{endpoint.name} answered with HTTP status {self.status}")
        if endpoint.api_key is not None:
            # Some endpoints repeat the rejected key in their error message.
            text = text.replace(endpoint.api_key, "***")
        return SondeApiError(
            text,
            status=self.status,
            code=str(code or "http_error"),
            errors=_field_errors(data.get("errors")) if self.is_problem else (),
            request_id=_string(data.get("request_id")) or self.request_id,
            retry_after_seconds=self.retry_after,
        )


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _field_errors(value: object) -> tuple[FieldError, ...]:
    entries = value if isinstance(value, list) else []
    return tuple(
        FieldError(str(entry.get("path", "")), str(entry.get("message", "")))
        for entry in entries
        if isinstance(entry, dict)
    )
