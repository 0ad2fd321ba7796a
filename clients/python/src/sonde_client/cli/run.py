"""What every run works with, and what the kinds of runs have in common."""

from __future__ import annotations

from dataclasses import dataclass

from .. import AsyncModelClient, AsyncSondeClient
from .flags import Flags
from .interrupt import Interrupt
from .output import Output
from .tokens import Tokens

ANY_TIME = 90_000.0
"""`--timeout` alone ends a call: its own limit is longer than any of those."""


def held_seconds(flags: Flags) -> int:
    """How long Sonde is to hold the reply to a run in the foreground.

    The unfinished record that comes then says how to find what goes on, before `--timeout` passes;
    and a wait for that outlives a restart of the service.
    """
    return min(2, int(flags.seconds // 2))


@dataclass(frozen=True)
class Run:
    flags: Flags
    prompt: str
    output: Output
    interrupt: Interrupt


@dataclass(frozen=True)
class SondeRun(Run):
    sonde: AsyncSondeClient
    tokens: Tokens


@dataclass(frozen=True)
class ModelRun(Run):
    model: AsyncModelClient
