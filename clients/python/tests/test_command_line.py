"""What the command line makes of answers that an installation seldom gives."""

from __future__ import annotations

from pathlib import Path

from .support.answers import answering, stream
from .support.command import run

RELAY = ["--target", "relay"]
CHAT = [*RELAY, "--auto-tool-call"]


def test_tells_of_a_chat_that_goes_on_before_it_waits_for_it(tmp_path: Path) -> None:
    begun = {"status": "running", "chat_id": "chat_1", "invocation_token": "ivt_1"}
    answers = {"POST /api/v1/chat": (202, begun), "GET /api/v1/chat/chat_1/wait": (404, {})}
    with answering(answers) as url:
        done = run([*CHAT, "Hello!"], tmp_path, {"RELAY_BASE_URL": url})
    assert done.stderr.decode().splitlines()[:2] == ["chat_id: chat_1", "invocation_token: ivt_1"]
    assert (done.stdout, done.returncode) == (b"", 1)


def test_of_a_streamed_research_that_fails_the_text_is_left_as_it_is(tmp_path: Path) -> None:
    record = {"invocation_id": "inv_1", "status": "queued"}
    told = stream(("output_text", envelope({"text": "Half"})), ("error", envelope({"code": "x"})))
    answers = {
        "POST /api/v1/tool-invocations": (202, record),
        "GET /api/v1/tool-invocations/inv_1/events": (200, told),
        "GET /api/v1/tool-invocations/inv_1/wait": (200, {**record, "status": "failed"}),
    }
    with answering(answers) as url:
        done = run([*RELAY, "--stream", "Hello!"], tmp_path, {"RELAY_BASE_URL": url})
    assert (done.stdout, done.returncode) == (b"Half\n", 1)
    assert b"sonde: the research failed: failed" in done.stderr


def envelope(data: object) -> dict[str, object]:
    return {"invocation_id": "inv_1", "status": "running", "data": data}


def test_a_chat_whose_end_cannot_be_read_is_no_answer(tmp_path: Path) -> None:
    part = {"type": "text", "text": "Half", "index": 0}
    told = stream(("tool_call", {}), ("delta", None), ("delta", {"contents": [part]}))
    answers = {"POST /api/v1/chat": (200, told + stream(("completed", {})))}
    with answering(answers) as url:
        done = run([*CHAT, "--stream", "Hello!"], tmp_path, {"RELAY_BASE_URL": url})
    assert (done.stdout, done.returncode) == (b"Half\n", 3)
    assert done.stderr == b"sonde: Sonde sent an event that cannot be read\n"


def test_a_piece_of_a_research_that_is_no_text_is_passed_over(tmp_path: Path) -> None:
    record = {"invocation_id": "inv_1", "status": "completed", "output_text": "All"}
    told = stream(("output_text", envelope(None)), ("completed", envelope(record)))
    answers = {
        "POST /api/v1/tool-invocations": (202, {**record, "status": "queued"}),
        "GET /api/v1/tool-invocations/inv_1/events": (200, told),
        "GET /api/v1/tool-invocations/inv_1/wait": (200, record),
    }
    with answering(answers) as url:
        done = run([*RELAY, "--stream", "Hello!"], tmp_path, {"RELAY_BASE_URL": url})
    assert (done.stdout, done.returncode) == (b"All\n", 0)


def test_refuses_a_file_that_cannot_be_looked_for(tmp_path: Path) -> None:
    name = "x" * 1000
    done = run([*RELAY, "--output", name, "Hello!"], tmp_path, {})
    assert done.stderr.decode() == f'sonde: --output: "{name}" cannot be written\n'
    assert (done.stdout, done.returncode) == (b"", 2)
