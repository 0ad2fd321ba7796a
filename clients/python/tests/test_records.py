"""Records ignore unknown fields and never show tokens."""

from __future__ import annotations

import pytest

from sonde_client import ChatReply, Invocation
from sonde_client._internal.record import BadRecord


def test_unknown_fields_are_available_in_raw() -> None:
    record = Invocation.read(
        {"invocation_id": "inv_1", "status": "dreaming", "new": 1, "progress": {"new": 2}}
    )
    assert str(record.status) == "dreaming"
    assert record.raw["new"] == 1
    assert record.progress is not None
    assert record.progress.raw == {"new": 2}


def test_absent_fields_are_none_or_empty() -> None:
    reply = ChatReply.read({"status": "completed"})
    assert (reply.content, reply.tool_called, reply.tool_calls) == (None, False, [])


@pytest.mark.parametrize("data", [None, [], "x", {}, {"invocation_id": "inv_1"}])
def test_a_value_that_is_not_a_record_is_rejected(data: object) -> None:
    with pytest.raises(BadRecord):
        Invocation.read(data)


def test_tokens_are_not_part_of_repr() -> None:
    data = {"invocation_id": "inv_1", "status": "queued", "invocation_token": "ivt_secret"}
    assert "ivt_secret" not in repr(Invocation.read(data))
