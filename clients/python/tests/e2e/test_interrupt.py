"""Ctrl-C detaches from runs that can be resumed, prints how, and cancels all others."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..support.command import command, environment, run
from ..support.sandbox import Sandbox
from ..support.until import until

if sys.platform == "win32":
    pytest.skip("needs signals and pseudo terminals", allow_module_level=True)
import pty

PROMPT = "짜장면의 역사를 자세히 알려줘"
RELAY = ["--target", "relay"]
# The first output once the run continues independently; runs in the foreground print nothing
# first.
RUNS = [
    pytest.param(RELAY, "", "inv_", id="a research run in the foreground"),
    pytest.param(
        [*RELAY, "--background"], "invocation_id", "inv_", id="a research run in the background"
    ),
    pytest.param([*RELAY, "--stream"], "invocation_id", "inv_", id="a research as a stream"),
    pytest.param([], "", "chat_", id="a chat in the foreground"),
    pytest.param(["--background"], "chat_id", "chat_", id="a chat in the background"),
    pytest.param(["--stream"], "invocation_id", "inv_", id="research of a streamed chat"),
    pytest.param(
        ["--target", "direct", "--auto-tool-call"], "invocation_id", "inv_", id="tool calling"
    ),
]


@pytest.fixture(autouse=True)
def unending(sandbox: Sandbox) -> Iterator[None]:
    """A research run that never ends."""
    sandbox.reset()
    with sandbox.fault(kind="stay", status="in_progress", match={"background": True}):
        yield


def env(stand: dict[str, str], home: Path) -> dict[str, str]:
    return environment(home, {"LITELLM_BASE_URL": stand["model"], "RELAY_BASE_URL": stand["relay"]})


def wait_for_create(sandbox: Sandbox) -> None:
    until(lambda: sandbox.stats()["creates"])


def interrupted(
    flags: list[str], expected: str, env: dict[str, str], sandbox: Sandbox
) -> tuple[int, bytes, str]:
    with subprocess.Popen(
        command([*flags, PROMPT]),
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        wait_for_create(sandbox)
        output = b""
        while expected.encode() not in output:
            more = os.read(process.stderr.fileno(), 4096)
            assert more, output
            output += more
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        return process.returncode, stdout, (output + stderr).decode()


@pytest.mark.parametrize(("flags", "expected", "kind"), RUNS)
def test_detaches_and_prints_how_to_resume(
    flags: list[str],
    expected: str,
    kind: str,
    stand: dict[str, str],
    sandbox: Sandbox,
    tmp_path: Path,
) -> None:
    code, stdout, stderr = interrupted(flags, expected, env(stand, tmp_path), sandbox)
    assert (code, stdout) == (130, b""), stderr
    goes_on = re.search(
        rf"^sonde: ({kind}\w+) is still running and incurs cost until it ends\n"
        r"  to resume: sonde attach \1\n  to cancel: sonde cancel \1\n\Z",
        stderr,
        re.MULTILINE,
    )
    assert goes_on, stderr
    assert sandbox.stats()["cancels"] == 0
    back = run(["cancel", goes_on[1]], tmp_path, {"RELAY_BASE_URL": stand["relay"]})
    assert back.returncode == 0, back.stderr
    assert until(lambda: sandbox.stats()["cancels"]) == 1


def test_cancels_a_response_that_cannot_be_resumed(
    stand: dict[str, str], sandbox: Sandbox, tmp_path: Path
) -> None:
    flags = ["--background", "--web-search"]
    code, stdout, stderr = interrupted(flags, "response_id", env(stand, tmp_path), sandbox)
    assert (code, stdout) == (130, b"")
    assert re.search(r"^sonde: resp_\w+ is cancelled; ", stderr, re.MULTILINE), stderr
    assert until(lambda: sandbox.stats()["cancels"]) == 1


class Terminal:
    """A process whose standard input and error are a terminal; its standard output is a pipe, or
    also the terminal with ``all_of_it``.
    """

    def __init__(
        self, arguments: list[str], env: dict[str, str], *, all_of_it: bool = False
    ) -> None:
        self._terminal, other = pty.openpty()
        self.process = subprocess.Popen(
            command(arguments),
            env=env,
            stdin=other,
            stdout=other if all_of_it else subprocess.PIPE,
            stderr=other,
        )
        os.close(other)
        self.text = ""

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def read_until(self, text: str) -> None:
        while text not in self.text:
            self.text += os.read(self._terminal, 4096).decode(errors="replace")

    def ended(self) -> int:
        code = self.process.wait(timeout=60)
        if self.process.stdout is not None:
            self.process.stdout.close()
        os.close(self._terminal)
        return code


@pytest.fixture
def terminal(stand: dict[str, str], sandbox: Sandbox, tmp_path: Path) -> Terminal:
    shown = Terminal(["--target", "relay", "--background", PROMPT], env(stand, tmp_path))
    shown.read_until("invocation_token: ")
    wait_for_create(sandbox)
    return shown


def test_shows_a_status_line_on_a_terminal(terminal: Terminal) -> None:
    terminal.read_until("researching, ")
    terminal.process.kill()
    terminal.ended()


def test_messages_during_a_stream_start_on_their_own_line(
    stand: dict[str, str], sandbox: Sandbox, tmp_path: Path
) -> None:
    sandbox.reset()
    words = ["--target", "relay", "--auto-tool-call", "--stream", "Hello!"]
    shown = Terminal(words, env(stand, tmp_path), all_of_it=True)
    shown.read_until("response_id: ")
    assert "\nresponse_id: " in shown.text
    assert shown.ended() == 0


def test_asks_on_a_terminal_and_cancels(terminal: Terminal, sandbox: Sandbox) -> None:
    terminal.interrupt()
    terminal.read_until("  to resume: sonde attach inv_")
    terminal.read_until("Cancel it now? [y/N] ")
    terminal.type("y\n")
    terminal.read_until("is cancelled; cost incurred so far is not refunded")
    assert terminal.ended() == 130
    assert until(lambda: sandbox.stats()["cancels"]) == 1


def test_asks_on_a_terminal_and_continues(terminal: Terminal, sandbox: Sandbox) -> None:
    terminal.interrupt()
    terminal.read_until("[y/N] ")
    terminal.text = ""
    terminal.type("n\n")
    # The status line shows that it is waiting.
    terminal.read_until("researching, ")
    assert terminal.process.poll() is None
    assert sandbox.stats()["cancels"] == 0
    terminal.process.kill()
    terminal.ended()


def test_detaches_when_pressed_twice(terminal: Terminal, sandbox: Sandbox) -> None:
    terminal.interrupt()
    terminal.read_until("[y/N] ")
    terminal.text = ""
    terminal.interrupt()
    terminal.read_until("is still running and incurs cost until it ends")
    assert terminal.ended() == 130
    assert sandbox.stats()["cancels"] == 0


def test_exits_if_cancelling_fails(stand: dict[str, str], sandbox: Sandbox, tmp_path: Path) -> None:
    with (
        sandbox.fault(kind="hang", match={"path": "/responses"}),
        subprocess.Popen(
            command(["--target", "direct", "안녕하세요!"]),
            env=env(stand, tmp_path),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process,
    ):
        # Runs of earlier tests may still be polled.
        until(lambda: sandbox.was_asked("안녕하세요!"))
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60) == (b"", b"")
        assert process.returncode == 130
