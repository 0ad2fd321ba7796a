"""Records: lenient with what is new, and silent about tokens."""

from __future__ import annotations

import pytest

from sonde_client import ChatReply, Invocation
from sonde_client._record import BadRecord


def test_what_is_unknown_is_kept_aside() -> None:
    record = Invocation.read(
        {"invocation_id": "inv_1", "status": "dreaming", "new": 1, "progress": {"new": 2}}
    )
    assert str(record.status) == "dreaming"
    assert record.raw["new"] == 1
    assert record.progress is not None
    assert record.progress.raw == {"new": 2}


def test_what_is_absent_is_as_if_nothing_applied() -> None:
    reply = ChatReply.read({"status": "completed"})
    assert (reply.content, reply.tool_called, reply.tool_calls) == (None, False, [])


@pytest.mark.parametrize("data", [None, [], "x", {}, {"invocation_id": "inv_1"}])
def test_what_is_no_record_is_refused(data: object) -> None:
    with pytest.raises(BadRecord):
        Invocation.read(data)


def test_tokens_are_not_shown() -> None:
    data = {"invocation_id": "inv_1", "status": "queued", "invocation_token": "ivt_secret"}
    assert "ivt_secret" not in repr(Invocation.read(data))
