"""Replies that an installation rarely sends, on the command line."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .support.answers import answering, stream
from .support.command import command, environment, run
from .support.until import until

RELAY = ["--target", "relay"]
CHAT = [*RELAY, "--auto-tool-call"]


def test_prints_the_id_of_a_stored_chat_before_waiting_for_it(tmp_path: Path) -> None:
    created = {"status": "running", "chat_id": "chat_1", "invocation_token": "ivt_1"}
    answers = {
        "POST /api/v1/chat": (202, created),
        "GET /api/v1/chat/chat_1/events": (404, {}),
        "GET /api/v1/chat/chat_1/wait": (404, {}),
    }
    with answering(answers) as url:
        done = run([*CHAT, "Hello!"], tmp_path, {"RELAY_BASE_URL": url})
    assert done.stderr.decode().splitlines()[:2] == ["chat_id: chat_1", "invocation_token: ivt_1"]
    assert (done.stdout, done.returncode) == (b"", 1)


def test_a_streamed_research_that_fails_keeps_the_text_printed(tmp_path: Path) -> None:
    record = {"invocation_id": "inv_1", "status": "queued"}
    body = stream(("output_text", envelope({"text": "Half"})), ("error", envelope({"code": "x"})))
    answers = {
        "POST /api/v1/tool-invocations": (202, record),
        "GET /api/v1/tool-invocations/inv_1/events": (200, body),
        "GET /api/v1/tool-invocations/inv_1/wait": (200, {**record, "status": "failed"}),
    }
    with answering(answers) as url:
        done = run([*RELAY, "--stream", "Hello!"], tmp_path, {"RELAY_BASE_URL": url})
    assert (done.stdout, done.returncode) == (b"Half\n", 1)
    assert b"sonde: the research failed: failed" in done.stderr


def envelope(data: object) -> dict[str, object]:
    return {"invocation_id": "inv_1", "status": "running", "data": data}


def test_a_chat_with_a_malformed_final_event_fails(tmp_path: Path) -> None:
    part = {"type": "text", "text": "Half", "index": 0}
    body = stream(("tool_call", {}), ("delta", None), ("delta", {"contents": [part]}))
    answers = {"POST /api/v1/chat": (200, body + stream(("completed", {})))}
    with answering(answers) as url:
        done = run([*CHAT, "--stream", "Hello!"], tmp_path, {"RELAY_BASE_URL": url})
    assert (done.stdout, done.returncode) == (b"Half\n", 3)
    expected = f"sonde: Sonde sent a malformed event\n  at {url}\n"
    assert done.stderr.decode() == expected


def test_an_output_event_without_text_is_ignored(tmp_path: Path) -> None:
    record = {"invocation_id": "inv_1", "status": "completed", "output_text": "All"}
    body = stream(("output_text", envelope(None)), ("completed", envelope(record)))
    answers = {
        "POST /api/v1/tool-invocations": (202, {**record, "status": "queued"}),
        "GET /api/v1/tool-invocations/inv_1/events": (200, body),
        "GET /api/v1/tool-invocations/inv_1/wait": (200, record),
    }
    with answering(answers) as url:
        done = run([*RELAY, "--stream", "Hello!"], tmp_path, {"RELAY_BASE_URL": url})
    assert (done.stdout, done.returncode) == (b"All\n", 0)


def test_rejects_a_file_name_that_cannot_be_inspected(tmp_path: Path) -> None:
    name = "x" * 1000
    done = run([*RELAY, "--output", name, "Hello!"], tmp_path, {})
    assert done.stderr.decode() == f'sonde: --output: "{name}" cannot be written\n'
    assert (done.stdout, done.returncode) == (b"", 2)


def test_the_answer_is_printed_although_standard_error_is_closed(tmp_path: Path) -> None:
    record = {"invocation_id": "inv_1", "status": "completed", "output_text": "All"}
    with (
        answering({"POST /api/v1/tool-invocations": (200, record)}) as url,
        subprocess.Popen(
            command([*RELAY, "Hello!"]),
            env=environment(tmp_path, {"RELAY_BASE_URL": url}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process,
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        process.stderr.close()
        assert process.stdout.read() == b"All\n"
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.parametrize(("closed", "output"), [(">&-", b""), ("2>&-", b"All\n")])
def test_runs_with_a_closed_stream(closed: str, output: bytes, tmp_path: Path) -> None:
    record = {"invocation_id": "inv_1", "status": "completed", "output_text": "All"}
    with answering({"POST /api/v1/tool-invocations": (200, record)}) as url:
        done = subprocess.run(
            ["sh", "-c", f'exec "$@" {closed}', "sh", *command([*RELAY, "Hello!"])],
            env=environment(tmp_path, {"RELAY_BASE_URL": url}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            check=False,
        )
    assert b"Traceback" not in done.stderr
    assert (done.stdout, done.returncode) == (output, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_ctrl_c_ends_the_process_during_a_name_lookup(tmp_path: Path) -> None:
    program = (
        "import os, socket, sys, threading\n"
        "def look_up(*_, **__):\n"
        "    os.write(2, b'looked up\\n')\n"
        "    threading.Event().wait()\n"
        "socket.getaddrinfo = look_up\n"
        "from sonde_client.cli import main\n"
        "sys.exit(main(['--target', 'direct', 'Hello!']))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env=environment(tmp_path, {"LITELLM_BASE_URL": "https://model.example"}),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"looked up\n"

        def ended() -> bool:
            process.send_signal(signal.SIGINT)
            return process.poll() is not None

        try:
            until(ended)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGINT
