"""What the command line makes of answers that an installation seldom gives."""

from __future__ import annotations

from pathlib import Path

from .support.answers import answering
from .support.command import run

CHAT = ["--target", "relay", "--auto-tool-call"]


def test_tells_of_a_chat_that_goes_on_before_it_waits_for_it(tmp_path: Path) -> None:
    begun = {"status": "running", "chat_id": "chat_1", "invocation_token": "ivt_1"}
    answers = {"POST /api/v1/chat": (202, begun), "GET /api/v1/chat/chat_1/wait": (404, {})}
    with answering(answers) as url:
        done = run([*CHAT, "Hello!"], tmp_path, {"RELAY_BASE_URL": url})
    assert done.stderr.decode().splitlines()[:2] == ["chat_id: chat_1", "invocation_token: ivt_1"]
    assert (done.stdout, done.returncode) == (b"", 1)
