"""Runs the examples of the README, with only the addresses replaced."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sonde_client import Invocation, ResearchArguments, SondeClient

from ..support.command import environment
from ..support.places import ROOT

README = (ROOT / "clients" / "python" / "README.md").read_text("utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"^(?:echo .* \| )?sonde .*$", README, re.MULTILINE)


def settings(stand: dict[str, str], home: Path) -> dict[str, str]:
    return environment(home, {"LITELLM_BASE_URL": stand["model"], "RELAY_BASE_URL": stand["relay"]})


def test_finds_the_examples() -> None:
    assert (len(PROGRAMS), len(COMMANDS)) == (11, 10)


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_runs(program: str, stand: dict[str, str], tmp_path: Path) -> None:
    program = program.replace("http://127.0.0.1:8080", stand["relay"])
    # The placeholder key must be removed too: a header cannot carry it.
    program = program.replace("https://api.openai.com/v1", stand["model"]).replace("sk-…", "sk-1")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=settings(stand, tmp_path),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout
    assert done.stderr == b""


def created(command: str, stand: dict[str, str]) -> Invocation:
    """A run that the command applies to: one that waits with its plan, or that ended at a limit."""
    arguments: ResearchArguments = {"research_question": "The history of kimchi", "engine": "agent"}
    if "sonde plan" in command:
        arguments |= {"plan": "review"}
    else:
        arguments |= {"depth": "standard", "budget": {"max_pages": 1}}
    with SondeClient(stand["relay"]) as sonde:
        return sonde.wait(sonde.submit("deep_research", arguments))


@pytest.mark.skipif(sys.platform == "win32", reason="needs sh")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs(command: str, stand: dict[str, str], tmp_path: Path) -> None:
    where = settings(stand, tmp_path)
    if "inv_…" in command:
        record = created(command, stand)
        command = command.replace("inv_…", record.invocation_id)
        where["RELAY_INVOCATION_TOKEN"] = record.invocation_token or ""
    sonde = f"{shlex.quote(sys.executable)} -m sonde_client"
    done = subprocess.run(
        ["sh", "-c", re.sub(r"\bsonde ", f"{sonde} ", command, count=1)],
        env=where,
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
        check=False,
    )
    if "--plan" in command:
        assert (done.returncode, done.stdout) == (5, b"")
        assert b"\nestimate: " in done.stderr
        return
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout or (tmp_path / "report.md").stat().st_size > 0
