"""The clients of Sonde against a complete installation, including a restart of its API."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing, closing

import httpx
import pytest

from sonde_client import (
    AsyncSondeClient,
    SondeApiError,
    SondeClient,
    SondeTimeoutError,
)

from ..support.places import STAND
from ..support.sandbox import Sandbox
from ..support.served import served
from ..support.until import until

QUESTION = {"research_question": "짜장면의 역사"}
DETAILED = "짜장면의 역사를 자세히 알려줘"
KEY = "sk-stand"


@pytest.fixture
def sonde(stand: dict[str, str]) -> Iterator[SondeClient]:
    with SondeClient(stand["relay"]) as client:
        yield client


def test_a_chat_answers(sonde: SondeClient) -> None:
    reply = sonde.chat("안녕하세요!")
    assert (reply.status, reply.tool_called, reply.chat_id) == ("completed", False, None)
    assert (reply.content or "").startswith("안녕하세요!")


def test_a_chat_calls_the_research_tool(sonde: SondeClient) -> None:
    reply = sonde.chat(DETAILED, context=["춘장"], deliverable_format="markdown_report")
    assert (reply.tool_called, reply.tool_name) == (True, "deep_research")
    record = sonde.get(reply.tool_calls[0])
    assert record.output_text == reply.research_summary
    assert record.deliverable_format == "markdown_report"


def test_the_deltas_of_a_chat_add_up_to_its_reply(sonde: SondeClient) -> None:
    events = list(sonde.chat_stream("Hello!"))
    text = "".join(
        part["text"]
        for event in events
        if event.type == "delta"
        for part in event.data.get("contents", [])
    )
    assert events[-1].type == "completed"
    assert text == events[-1].data["content"]


def test_the_same_key_returns_the_same_chat(sonde: SondeClient) -> None:
    first = sonde.chat("Hello!", idempotency_key="chat-1")
    again = sonde.chat("Hello!", idempotency_key="chat-1")
    assert first.chat_id is not None
    assert first.chat_id == again.chat_id


def test_a_chat_in_the_background(sonde: SondeClient) -> None:
    created = sonde.chat(DETAILED, background=True)
    assert created.chat_id is not None
    events = list(sonde.chats.events(created))
    assert events[-1].type == "completed"
    ended = sonde.chats.wait(created)
    assert ended.content == events[-1].data["content"]
    assert ended.invocation_token == created.invocation_token
    assert sonde.chats.get(created.chat_id, token=created.invocation_token).status == "completed"
    assert sonde.chats.cancel(ended).status == "completed"
    sonde.chats.delete(ended)
    with pytest.raises(SondeApiError) as raised:
        sonde.chats.get(ended)
    assert (raised.value.status, raised.value.code) == (404, "chat_not_found")


def test_a_chat_waits_for_an_answer(sonde: SondeClient) -> None:
    waiting = sonde.chat("이거 조사해줘", clarification="auto")
    assert waiting.status == "requires_action"
    assert waiting.required_action is not None
    question = waiting.required_action.questions[0]
    sonde.chats.answer(waiting, [{"call_id": question.call_id, "answer": "짜장면의 역사"}])
    assert sonde.chats.wait(waiting).status == "completed"


def test_a_chat_waits_for_an_approval(sonde: SondeClient) -> None:
    waiting = sonde.chat("Please erase_note")
    assert waiting.required_action is not None
    call = waiting.required_action.approvals[0]
    assert call.tool_name == "erase_note"
    sonde.chats.approve(waiting, [{"call_id": call.call_id, "approve": False, "reason": "No."}])
    ended = sonde.chats.wait(waiting)
    assert (ended.status, ended.tool_called) == ("completed", False)


def test_a_research_in_the_foreground(sonde: SondeClient) -> None:
    record = sonde.invoke("deep_research", QUESTION)
    assert (record.status, record.mode) == ("completed", "foreground")
    assert record.output_text is not None
    assert record.citations
    citation = record.citations[0]
    cited = record.output_text[citation.start_index : citation.end_index]
    assert citation.url in cited


def test_the_same_key_is_billed_once(sonde: SondeClient) -> None:
    first = sonde.submit("deep_research", QUESTION, idempotency_key="order-4711")
    again = sonde.submit("deep_research", QUESTION, idempotency_key="order-4711")
    assert first.invocation_id == again.invocation_id
    with pytest.raises(SondeApiError) as raised:
        sonde.submit("deep_research", {"research_question": "x"}, idempotency_key="order-4711")
    assert (raised.value.status, raised.value.code) == (422, "idempotency_mismatch")


def test_waits_for_a_background_research(sonde: SondeClient) -> None:
    record = sonde.submit("deep_research", QUESTION, priority="high")
    assert (record.mode, record.priority) == ("background", "high")
    ended = sonde.wait(record)
    assert (ended.status, ended.invocation_token) == ("completed", record.invocation_token)


def test_a_wait_times_out(sonde: SondeClient, sandbox: Sandbox) -> None:
    with sandbox.fault(kind="stay", status="in_progress"):
        record = sonde.submit("deep_research", QUESTION)
        with pytest.raises(SondeTimeoutError, match="the run continues"):
            sonde.wait(record, timeout=0.3)
        sonde.cancel(record)


def test_cancelling_also_cancels_at_the_model_endpoint(
    sonde: SondeClient, sandbox: Sandbox
) -> None:
    with sandbox.fault(kind="stay", status="in_progress"):
        record = sonde.submit("deep_research", QUESTION, stream=True)
        until(lambda: sonde.get(record).upstream_response_id)
        sonde.cancel(record)
        last = list(sonde.events(record))[-1]
        assert (last.type, last.data["code"]) == ("error", "cancelled")
        assert sonde.wait(record).status == "cancelled"
        assert until(lambda: sandbox.stats()["cancels"]) == 1


def test_a_deleted_record_is_not_found(sonde: SondeClient) -> None:
    record = sonde.invoke("deep_research", QUESTION)
    sonde.delete(record)
    with pytest.raises(SondeApiError) as raised:
        sonde.get(record)
    assert (raised.value.status, raised.value.code) == (404, "invocation_not_found")
    assert raised.value.request_id


def test_a_record_cannot_be_read_without_its_token(sonde: SondeClient) -> None:
    record = sonde.submit("deep_research", QUESTION)
    with pytest.raises(SondeApiError) as raised:
        sonde.get(record.invocation_id)
    assert raised.value.status == 403


def test_a_validation_error_names_the_fields(sonde: SondeClient) -> None:
    with pytest.raises(SondeApiError) as raised:
        sonde.invoke("deep_research", {"research_question": ""})
    assert (raised.value.status, raised.value.code) == (422, "validation_failed")
    assert raised.value.errors[0].path == "arguments.research_question"


def test_lists_the_tools(sonde: SondeClient) -> None:
    tools = {tool.name: tool for tool in sonde.tools().tools}
    assert "research_question" in tools["deep_research"].parameters["properties"]


def test_events_continue_across_an_api_restart(stand: dict[str, str], sandbox: Sandbox) -> None:
    sandbox.configure(research_ms=3000)
    try:
        with SondeClient(stand["relay"]) as sonde:
            record = sonde.submit("deep_research", QUESTION, stream=True)
            got = []
            with closing(sonde.events(record)) as events:
                for event in events:
                    got.append(event)
                    if len(got) == 3:
                        httpx.post(f"{stand['control']}/restart", timeout=60).raise_for_status()
            ids = [int(event.id or "-1") for event in got]
            assert ids == list(range(1, len(got) + 1))
            text = "".join(event.data["text"] for event in got if event.type == "output_text")
            assert text == sonde.get(record).output_text
            resumed = list(sonde.events(record, last_event_id=got[3].id))
            assert resumed == got[4:]
    finally:
        sandbox.reset()


def test_many_concurrent_runs_with_the_async_client(stand: dict[str, str]) -> None:
    async def one(sonde: AsyncSondeClient) -> str | None:
        record = await sonde.submit("deep_research", QUESTION, stream=True)
        text = ""
        async with aclosing(sonde.events(record)) as events:
            async for event in events:
                text += event.data["text"] if event.type == "output_text" else ""
        ended = await sonde.wait(record)
        assert text == ended.output_text
        return ended.output_text

    async def all_of_them() -> list[str | None]:
        async with AsyncSondeClient(stand["relay"]) as sonde:
            return await asyncio.gather(*(one(sonde) for _ in range(20)))

    assert len(set(asyncio.run(all_of_them()))) == 1


def test_cancelling_a_task_raises_cancelled_error(stand: dict[str, str], sandbox: Sandbox) -> None:
    async def left() -> None:
        async with AsyncSondeClient(stand["relay"]) as sonde:
            record = await sonde.submit("deep_research", QUESTION)
            waiting = asyncio.ensure_future(sonde.wait(record))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await sonde.cancel(record)

    with sandbox.fault(kind="stay", status="in_progress"):
        asyncio.run(left())


def test_with_an_api_key() -> None:
    with served(STAND, {"STAND_API_KEYS": "true"}) as where:
        with SondeClient(where["relay"]) as stranger, pytest.raises(SondeApiError) as raised:
            stranger.tools()
        assert (raised.value.status, raised.value.code) == (401, "missing_api_key")
        with SondeClient(where["relay"], KEY) as sonde:
            ids = [sonde.submit("deep_research", QUESTION).invocation_id for _ in range(3)]
            for identity in ids:
                assert sonde.wait(identity).status == "completed"
            first = sonde.list(tool_name="deep_research", status="completed", limit=2)
            assert (len(first.data), first.has_more) == (2, True)
            rest = sonde.list(limit=2, cursor=first.next_cursor)
            listed = [record.invocation_id for record in [*first.data, *rest.data]]
            assert listed == ids[::-1]
