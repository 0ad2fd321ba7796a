"""Runs the command line as a separate process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

CommandLine = Callable[
    [Sequence[str], Path, Mapping[str, str], bytes], subprocess.CompletedProcess[bytes]
]

SETTINGS = ("LITELLM_", "RELAY_", "XDG_", "PYTHONIOENCODING", "LC_", "LANG")


def environment(home: Path, env: Mapping[str, str]) -> dict[str, str]:
    """The environment of this process without the settings of the command line."""
    rest = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
    return {**rest, "HOME": str(home), "USERPROFILE": str(home), **env}


def command(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "sonde_client", *arguments]


def run(
    arguments: Sequence[str], home: Path, env: Mapping[str, str], stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command(arguments),
        input=stdin,
        capture_output=True,
        env=environment(home, env),
        cwd=home,
        timeout=120,
        check=False,
    )
