"""Context that every kind of run shares."""

from __future__ import annotations

from dataclasses import dataclass

from .. import AsyncModelClient, AsyncSondeClient, EditedPlan
from .flags import Flags
from .terminal.interrupt import Interrupt
from .terminal.output import Output
from .tokens import Tokens

MAX_TIMEOUT = 90_000.0
"""Only `--timeout` limits a call; this is longer than its maximum."""


def foreground_wait_seconds(flags: Flags) -> int:
    """Seconds that Sonde may delay its reply to a run in the foreground.

    The unfinished record that it then returns provides the id before `--timeout` elapses, and
    waiting for that id survives a restart of the service.
    """
    return min(2, int(flags.seconds // 2))


@dataclass(frozen=True)
class Run:
    """``edited``: the plan that replaces the proposed one."""

    flags: Flags
    prompt: str
    output: Output
    interrupt: Interrupt
    edited: EditedPlan | None


@dataclass(frozen=True)
class SondeRun(Run):
    sonde: AsyncSondeClient
    tokens: Tokens


@dataclass(frozen=True)
class ModelRun(Run):
    model: AsyncModelClient
