"""The flags of the command line and their constraints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from ..records import DeliverableFormat
from ..requests import ResearchBudget
from .command_flags import COMMANDS, FOR_COMMANDS, Command, add_limit, check_command
from .usage import usage_error

_SWITCHES = {
    "--background": "background",
    "--web-search": "web_search",
    "--auto-tool-call": "auto_tool_call",
    "--stream": "stream",
    "--json": "json",
    "--approve": "approve",
    "--refuse": "refuse",
    "--help": "help",
    "--version": "version",
}
_VALUES = {
    "--target": "target",
    "--api": "api",
    "--timeout": "timeout",
    "--deliverable-format": "deliverable_format",
    "--system-prompt": "system_prompt",
    "--context": "context",
    "--output": "output",
    "--plan": "plan",
    "--edit": "edit",
    "--reason": "reason",
    "--budget": "budget",
}
_CHOICES = {
    "--target": ("direct", "relay"),
    "--api": ("chat", "responses"),
    "--deliverable-format": ("markdown_brief", "markdown_report", "json_outline"),
    "--plan": ("auto", "review"),
}


@dataclass
class Flags:
    """``command``: None for a prompt; otherwise ``words`` holds the run id, if any.

    ``api``: None if not given. ``timeout``: seconds, as written on the command line. ``edit``: a
    file, or ``-`` for standard input. ``budget``: of ``continue``.
    """

    command: Command | None = None
    target: Literal["direct", "relay"] = "relay"
    api: Literal["chat", "responses"] | None = None
    background: bool = False
    web_search: bool = False
    auto_tool_call: bool = False
    stream: bool = False
    timeout: str = "3600"
    deliverable_format: DeliverableFormat | None = None
    system_prompt: str | None = None
    context: list[str] = field(default_factory=list)
    output: str | None = None
    json: bool = False
    plan: Literal["auto", "review"] | None = None
    approve: bool = False
    edit: str | None = None
    refuse: bool = False
    reason: str | None = None
    budget: ResearchBudget = field(default_factory=ResearchBudget)
    words: list[str] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        return float(self.timeout)


def read_flags(arguments: Sequence[str]) -> Flags | Literal["help", "version"]:
    """Parses the arguments. Returns the first of `--help` and `--version`; raises at the first
    invalid argument.
    """
    given: dict[str, Any] = {}
    context: list[str] = []
    budget: dict[str, float] = {}
    words: list[str] = []
    names: set[str] = set()
    command: Command | None = None
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if argument == "--":
            words += rest
            break
        if argument == "-" or not argument.startswith("-"):
            if command is None and not words and argument in COMMANDS:
                command = argument
            else:
                words.append(argument)
            continue
        name, equals, value = argument.partition("=")
        names.add(name)
        if name in _SWITCHES:
            if equals:
                usage_error(f"{name} takes no value")
            if name == "--help":
                return "help"
            if name == "--version":
                return "version"
            given[_SWITCHES[name]] = True
        elif name in _VALUES:
            if not equals:
                value = rest.pop(0) if rest else usage_error(f"{name} requires a value")
            _check(name, value)
            if name == "--context":
                context.append(value)
            elif name == "--budget":
                add_limit(budget, value)
            else:
                given[_VALUES[name]] = value
        else:
            usage_error(f"unknown flag {name} (see --help)")
    if command is not None:
        check_command(command, names, words)
        limits = cast(ResearchBudget, budget)
        return Flags(**given, command=command, words=words, budget=limits)
    for name, only in FOR_COMMANDS.items():
        if name in names:
            usage_error(f"{name} requires the command {only}")
    if "target" not in given:
        # Defaults to Sonde with automatic tool calls, unless a flag requires the model endpoint or
        # research.
        direct = "api" in given or "web_search" in given
        if "plan" not in given or "auto_tool_call" in given:
            given |= {"target": "direct"} if direct else {"auto_tool_call": True}
    flags = Flags(**given, context=context, words=words)
    _check_together(flags)
    return flags


def _check(name: str, value: str) -> None:
    choices = _CHOICES.get(name)
    if choices and value not in choices:
        usage_error(f'{name} must be {_join_choices(choices)}, not "{value}"')
    if name == "--timeout":
        is_number = re.fullmatch(r"[0-9]+\.?[0-9]*|\.[0-9]+", value)
        if not is_number or not 0.001 <= float(value) <= 86400:
            usage_error(f'--timeout must be a number of seconds from 0.001 to 86400, not "{value}"')


def _check_together(flags: Flags) -> None:
    relay = flags.target == "relay"
    chat = flags.api == "chat"
    together = (
        (flags.stream and not relay, "--stream requires --target relay"),
        (flags.background and flags.stream, "--background and --stream are mutually exclusive"),
        (flags.plan and not relay, "--plan requires --target relay"),
        (
            flags.plan and flags.auto_tool_call,
            "--plan and --auto-tool-call are mutually exclusive",
        ),
        (flags.api and relay, "--api requires --target direct"),
        (flags.web_search and relay, "--web-search requires --target direct"),
        (flags.background and chat, "--background requires --api responses"),
        (flags.web_search and chat, "--web-search requires --api responses"),
        (flags.auto_tool_call and chat, "--auto-tool-call requires --api responses"),
        (
            flags.background and flags.auto_tool_call and not relay,
            "--background with --auto-tool-call requires --target relay",
        ),
        (
            flags.web_search and flags.auto_tool_call,
            "--web-search and --auto-tool-call are mutually exclusive",
        ),
        (
            flags.deliverable_format and not relay and not flags.auto_tool_call,
            "--deliverable-format requires --target relay or --auto-tool-call",
        ),
    )
    for is_wrong, message in together:
        if is_wrong:
            usage_error(message)


def _join_choices(choices: Sequence[str]) -> str:
    return f"{', '.join(choices[:-1])} or {choices[-1]}"
