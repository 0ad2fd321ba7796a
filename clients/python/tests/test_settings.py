"""Sources of the settings of the command line."""

from __future__ import annotations

import sys

import pytest

from sonde_client.cli.flags import Flags
from sonde_client.cli.settings import read_settings

if sys.platform == "win32":
    pytest.skip("the home is found in another way", allow_module_level=True)
import pwd


def unknown_user(_: int) -> pwd.struct_passwd:
    raise KeyError


def test_without_a_home_directory_no_file_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown_user)
    monkeypatch.setenv("RELAY_BASE_URL", "http://127.0.0.1:4711")
    settings = read_settings(Flags(target="relay"))
    assert settings.sonde is not None
    assert settings.sonde.base_url == "http://127.0.0.1:4711"
