from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from .support.command import CommandLine, run
from .support.forks import forks
from .support.places import CONTRACT, STAND
from .support.sandbox import Sandbox
from .support.served import served


@pytest.fixture(scope="session")
def replay() -> Iterator[str]:
    """URL of the server that replays the cases of the contract."""
    with served(CONTRACT / "replay.mjs") as where:
        yield where["url"]


@pytest.fixture(scope="session")
def stand() -> Iterator[dict[str, str]]:
    """A complete installation with the URLs `relay`, `model` and `control`."""
    with served(STAND) as where:
        yield where


@pytest.fixture
def sandbox(stand: dict[str, str]) -> Sandbox:
    return Sandbox(stand["model"])


@pytest.fixture(scope="session")
def command_line() -> Iterator[CommandLine]:
    """Runs the command line with arguments, home directory, settings and standard input."""
    if sys.platform == "win32":
        yield run
    else:
        with forks() as each:
            yield each.run
