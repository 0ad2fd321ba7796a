"""Validation of URLs, keys and ids. Messages never repeat the value, which may be secret."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import quote, urlsplit

import httpx

from ..errors import SondeUsageError

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_INVALID_CHARACTERS = re.compile(r"[\x00-\x20\x7f\\<>^`{|}]")
_VISIBLE = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")
_PRINTABLE = re.compile(r"[\x20-\x7e]{1,255}")


def sonde_base_url(value: str, name: str = "base_url") -> str:
    """Normalizes to the root of the service, without a final `/` or `/api/v1`."""
    return _checked(value, name).removesuffix("/api/v1").rstrip("/")


def model_base_url(value: str, name: str = "base_url") -> str:
    """Normalizes to the root of the model endpoint, which ends in `/v1`."""
    url = _checked(value, name)
    return url if url.endswith("/v1") else f"{url}/v1"


def is_plain_http(url: str) -> bool:
    return url.lower().startswith("http:")


def _checked(value: str, name: str) -> str:
    reason = _invalid_reason(value.strip())
    if reason is not None:
        raise SondeUsageError(f"{name}: {reason}")
    return value.strip().rstrip("/")


def _invalid_reason(url: str) -> str | None:
    if not _SCHEME.match(url) or _INVALID_CHARACTERS.search(url):
        return "not a URL"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
        httpx.URL(url)
    except (ValueError, httpx.InvalidURL):
        return "not a URL"
    if parts.scheme not in ("http", "https"):
        return "must begin with https:// or http://"
    if not host:
        return "not a URL"
    # An API key must never be sent unencrypted over a network.
    if parts.scheme == "http" and not _is_loopback(host):
        return "http is allowed for loopback addresses only; use https"
    if "@" in parts.netloc or "?" in url or "#" in url:
        return "must not contain credentials, a query or a fragment"
    return None


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback if address.version == 4 else address == ipaddress.IPv6Address("::1")


def checked_key(value: str | None, name: str = "api_key") -> str | None:
    """Rejects keys and tokens that a header cannot carry; an empty one becomes None."""
    if not value:
        return None
    if not _VISIBLE.fullmatch(value):
        raise SondeUsageError(f"{name}: must be printable ASCII")
    return value


def checked_idempotency_key(value: str) -> str:
    if not _PRINTABLE.fullmatch(value) or value != value.strip():
        raise SondeUsageError("idempotency_key: must be 1 to 255 printable ASCII characters")
    return value


def checked_event_id(value: str | None) -> str | None:
    """Rejects ids that a header cannot carry; an empty one becomes None."""
    if value and not value.isprintable():
        raise SondeUsageError("last_event_id: must not contain control characters")
    return value or None


def path_segment(value: str, name: str) -> str:
    """Escapes an id for a path; `.` and `..` would refer to another resource."""
    if value in ("", ".", ".."):
        raise SondeUsageError(f"{name}: not a valid id")
    return quote(value, safe="")
