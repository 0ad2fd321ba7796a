"""The settings: the environment, else `~/.env`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from .._address import checked_key, model_base_url, sonde_base_url
from .flags import Flags, fault

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*", re.ASCII)
_QUOTED = re.compile(r"([\"'])(.*?)\1")


@dataclass(frozen=True)
class Endpoint:
    base_url: str
    api_key: str | None = field(repr=False)


TOKEN = "RELAY_INVOCATION_TOKEN"
"""The variable that has the token of a run which was begun elsewhere."""


@dataclass(frozen=True)
class SondeEndpoint(Endpoint):
    """``configured``: the base URL as it was written. ``token``: of a run begun elsewhere."""

    configured: str
    token: str | None = field(repr=False)


@dataclass(frozen=True)
class Settings:
    """What the run needs; nothing else is looked at."""

    model: Endpoint | None
    model_name: str
    sonde: SondeEndpoint | None


def read_settings(flags: Flags) -> Settings:
    """Raises at the first fault, which never repeats the value."""
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
            fault("LITELLM_BASE_URL is not set, e.g. https://api.openai.com/v1")
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
        # There may be no file, or no home: a user of a container need not have one.
        return {}


def parse_env(text: str) -> dict[str, str]:
    """KEY=VALUE lines; what is none is passed over."""
    matches = (_LINE.fullmatch(line) for line in re.split(r"\r\n|\n|\r", text))
    return {match[1]: _unquoted(match[2]) for match in matches if match}


def _unquoted(value: str) -> str:
    quoted = _QUOTED.match(value)
    return quoted[2] if quoted else re.sub(r"(^|\s+)#.*", "", value)
