"""Runs the examples of the README, with only the addresses replaced."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ..support.command import environment, run
from ..support.places import ROOT

README = (ROOT / "clients" / "python" / "README.md").read_text("utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"^(?:echo .* \| )?sonde .*$", README, re.MULTILINE)


def settings(stand: dict[str, str], home: Path) -> dict[str, str]:
    return environment(home, {"LITELLM_BASE_URL": stand["model"], "RELAY_BASE_URL": stand["relay"]})


def test_finds_the_examples() -> None:
    assert (len(PROGRAMS), len(COMMANDS)) == (7, 7)


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


@pytest.mark.skipif(sys.platform == "win32", reason="needs sh")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs(command: str, stand: dict[str, str], tmp_path: Path) -> None:
    if "inv_…" in command:
        words = ["--target", "relay", "--background", "Hello!"]
        created = run(words, tmp_path, {"RELAY_BASE_URL": stand["relay"]}).stderr.decode()
        command = command.replace("inv_…", re.findall(r"^invocation_id: (\w+)$", created, re.M)[0])
    sonde = f"{shlex.quote(sys.executable)} -m sonde_client"
    done = subprocess.run(
        ["sh", "-c", re.sub(r"\bsonde ", f"{sonde} ", command, count=1)],
        env=settings(stand, tmp_path),
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout or (tmp_path / "report.md").stat().st_size > 0
