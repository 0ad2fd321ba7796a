"""The commands and their flags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from .usage import usage_error

Command = Literal["get", "attach", "cancel", "plan", "continue", "list"]
COMMANDS: tuple[Command, ...] = ("get", "attach", "cancel", "plan", "continue", "list")
_FOR_PROMPTS = (
    "--target",
    "--api",
    "--background",
    "--web-search",
    "--auto-tool-call",
    "--stream",
    "--deliverable-format",
    "--system-prompt",
    "--context",
    "--plan",
)
"""Flags that apply to a prompt and not to an existing run, except `--stream` for those that are
followed.
"""
_FOLLOWED: tuple[Command, ...] = ("attach", "plan", "continue")
FOR_COMMANDS: dict[str, Command] = {
    "--approve": "plan",
    "--edit": "plan",
    "--refuse": "plan",
    "--reason": "plan",
    "--budget": "continue",
}
"""Flags that apply to one command only."""
_DECISIONS = ("--approve", "--edit", "--refuse")
_LIMIT = re.compile(
    r"(max_(?:cost_usd|searches|pages|tokens|seconds))"
    r"=([0-9]{1,9}(?:\.[0-9]{1,9})?)"
)


def check_command(command: Command, names: set[str], words: Sequence[str]) -> None:
    """Checks the words and the flags of a command."""
    for name in _FOR_PROMPTS:
        if name in names and not (name == "--stream" and command in _FOLLOWED):
            usage_error(f"{name} cannot be used with {command}")
    for name, only in FOR_COMMANDS.items():
        if name in names and only != command:
            usage_error(f"{name} cannot be used with {command}")
    quoted = f'a prompt that begins with "{command}" must be quoted'
    if command == "list":
        if words:
            usage_error(f"list takes no arguments; {quoted}")
        return
    if not words:
        usage_error(f"{command} requires a run id")
    if len(words) > 1:
        usage_error(f"{command} takes one id; {quoted}")
    is_other = command in ("plan", "continue") and words[0].startswith("chat_")
    if is_other or not re.fullmatch(r"[A-Za-z0-9_-]{1,200}", words[0]):
        usage_error(f'{command}: not a run id: "{words[0]}"')
    if command == "plan":
        _check_decision(names)
    if command == "continue" and "--budget" not in names:
        usage_error("continue requires --budget, e.g. --budget max_pages=10")


def _check_decision(names: set[str]) -> None:
    decisions = [name for name in _DECISIONS if name in names]
    if len(decisions) > 1:
        usage_error("--approve, --edit and --refuse are mutually exclusive")
    if "--reason" in names and not decisions:
        usage_error("--reason requires --approve, --edit or --refuse")
    if "--stream" in names and decisions in ([], ["--refuse"]):
        usage_error("--stream requires --approve or --edit")


def add_limit(budget: dict[str, float], value: str) -> None:
    """Adds a limit of `--budget`."""
    limit = _LIMIT.fullmatch(value)
    if limit is None:
        usage_error(f'--budget must be a limit and a number, e.g. max_pages=10, not "{value}"')
    name, number = limit.groups()
    budget[name] = float(number) if "." in number else int(number)
