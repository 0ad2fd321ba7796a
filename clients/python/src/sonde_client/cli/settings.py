"""Settings from the environment, then from `~/.env`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from .._internal.address import checked_key, model_base_url, sonde_base_url
from .flags import Flags
from .usage import usage_error

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*", re.ASCII)
_QUOTED = re.compile(r"([\"'])(.*?)\1")


@dataclass(frozen=True)
class Endpoint:
    base_url: str
    api_key: str | None = field(repr=False)


TOKEN = "RELAY_INVOCATION_TOKEN"
"""Environment variable with the token of a run started elsewhere."""


@dataclass(frozen=True)
class SondeEndpoint(Endpoint):
    """``configured``: the base URL as written. ``token``: of a run started elsewhere."""

    configured: str
    token: str | None = field(repr=False)


@dataclass(frozen=True)
class Settings:
    """Only the settings that the run needs are read and validated."""

    model: Endpoint | None
    model_name: str
    sonde: SondeEndpoint | None


def read_settings(flags: Flags) -> Settings:
    """Raises at the first invalid setting, without repeating its value."""
    file = _env_file()

    def get(name: str) -> str | None:
        return os.environ.get(name) or file.get(name) or None

    def endpoint(prefix: str, url: str, checked_url: Callable[[str, str], str]) -> Endpoint:
        checked = checked_url(url, f"{prefix}_BASE_URL")
        return Endpoint(checked, checked_key(get(f"{prefix}_API_KEY"), f"{prefix}_API_KEY"))

    model = sonde = None
    if flags.target == "direct":
        url = get("LITELLM_BASE_URL")
        if url is None:
            usage_error("LITELLM_BASE_URL is not set, e.g. https://api.openai.com/v1")
        model = endpoint("LITELLM", url, model_base_url)
    if flags.target == "relay" or flags.auto_tool_call:
        url = get("RELAY_BASE_URL") or "http://127.0.0.1:8080"
        checked = endpoint("RELAY", url, sonde_base_url)
        token = checked_key(get(TOKEN), TOKEN) if flags.command else None
        sonde = SondeEndpoint(checked.base_url, checked.api_key, url, token)
    return Settings(model, get("LITELLM_MODEL") or "gpt-4o", sonde)


def _env_file() -> dict[str, str]:
    try:
        file = Path.home() / ".env"
        return parse_env(file.read_bytes().decode("utf-8-sig", errors="replace"))
    except (OSError, RuntimeError):
        # The file or the home directory may not exist, e.g. in a container.
        return {}


def parse_env(text: str) -> dict[str, str]:
    """Parses KEY=VALUE lines and ignores all others."""
    matches = (_LINE.fullmatch(line) for line in re.split(r"\r\n|\n|\r", text))
    return {match[1]: _unquoted(match[2]) for match in matches if match}


def _unquoted(value: str) -> str:
    quoted = _QUOTED.match(value)
    return quoted[2] if quoted else re.sub(r"(^|\s+)#.*", "", value)
