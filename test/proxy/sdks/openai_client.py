"""What a program with the SDK of OpenAI does with a Sonde. Arguments: `sync` or `async`, the name of a case, base URL, API key, further ones of the case.

A case ends with an exception where something is not as it should be. What it prints is for the test that started it.
"""

import asyncio
import inspect
import json
import sys
from typing import Any

import openai
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from pydantic import BaseModel
from strict import event, response, strict

RESEARCH = "o3-deep-research"
CHAT = "gpt-4.1"
ENDS = {"completed", "failed", "incomplete", "cancelled"}


async def got(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def each(stream: Any) -> Any:
    """One loop for both kinds of client."""
    if hasattr(stream, "__aiter__"):
        async for item in stream:
            yield item
    else:
        for item in stream:
            yield item


async def events_of(stream: Any) -> list[Any]:
    return [event(item) async for item in each(await got(stream))]


async def cut_everywhere(client: Any, id: str, events: list[Any]) -> None:
    for cut in range(len(events)):
        later = await events_of(client.responses.retrieve(id, stream=True, starting_after=cut))
        assert later == events[cut + 1 :], cut


async def refused(value: Any) -> openai.APIStatusError:
    try:
        # The synchronous client raises in the call itself, so that is a lambda.
        await got(value())
    except openai.APIStatusError as error:
        return error
    raise AssertionError("It was not refused.")


async def ended(client: Any, id: str) -> Any:
    while True:
        found = response(await got(client.responses.retrieve(id)))
        if found.status in ENDS:
            return found
        await asyncio.sleep(0.05)


async def research(client: Any) -> None:
    whole = response(
        await got(
            client.responses.create(
                model=RESEARCH,
                input="The history of kimchi",
                instructions="Be brief.",
                metadata={"topic": "food"},
                reasoning={"effort": "medium", "summary": "auto"},
                tools=[{"type": "web_search_preview"}],
                include=["web_search_call.action.sources"],
            )
        )
    )
    assert whole.status == "completed" and whole.output_text and whole.error is None
    assert whole.metadata == {"topic": "food"}
    message = whole.output[-1]
    assert message.type == "message"
    for citation in message.content[0].annotations:
        assert citation.type == "url_citation"
        assert 0 <= citation.start_index <= citation.end_index <= len(whole.output_text)
    assert message.content[0].annotations
    assert response(await got(client.responses.retrieve(whole.id))) == whole
    items = await got(client.responses.input_items.list(whole.id))
    assert items.data[0].content[0].text == "The history of kimchi"
    await got(client.responses.delete(whole.id))
    error = await refused(lambda: client.responses.retrieve(whole.id))
    assert isinstance(error, openai.NotFoundError) and error.code == "response_not_found"


async def background(client: Any) -> None:
    begun = response(await got(client.responses.create(model=RESEARCH, input="The history of tea", background=True)))
    assert begun.background is True and begun.status in {"queued", "in_progress"}
    found = await ended(client, begun.id)
    assert found.status == "completed" and found.output_text


async def stream(client: Any) -> None:
    for background in (False, True):
        events = await events_of(
            client.responses.create(
                model=RESEARCH, input=f"The history of hangul, {background}", background=background, stream=True
            )
        )
        assert [item.sequence_number for item in events] == list(range(len(events)))
        whole = events[-1].response
        assert events[-1].type == "response.completed"
        text = "".join(item.delta for item in events if item.type == "response.output_text.delta")
        assert text == whole.output_text
        await cut_everywhere(client, whole.id, events)
        assert await got(client.responses.retrieve(whole.id)) == whole


async def helper(client: Any) -> None:
    """The helper puts the response together from the events, and fails where they do not fit."""
    manager = client.responses.stream(model=RESEARCH, input="The history of haenyeo")
    if hasattr(manager, "__aenter__"):
        async with manager as open_stream:
            whole = await open_stream.get_final_response()
    else:
        with manager as open_stream:
            whole = open_stream.get_final_response()
    assert whole.status == "completed"
    assert whole.output_text == (await got(client.responses.retrieve(whole.id))).output_text


async def cancel(client: Any) -> None:
    begun = await got(client.responses.create(model=RESEARCH, input="The history of salt", background=True))
    cancelled = response(await got(client.responses.cancel(begun.id)))
    assert cancelled.status == "cancelled" and cancelled.error.message.startswith("cancelled: ")
    assert response(await got(client.responses.retrieve(begun.id))) == cancelled
    events = await events_of(client.responses.retrieve(begun.id, stream=True))
    assert events[-1].type == "response.failed" and events[-1].response.status == "cancelled"
    await cut_everywhere(client, begun.id, events)
    await got(client.responses.delete(begun.id))


async def end(client: Any, status: str, background: str) -> None:
    """A run that ends as the test has arranged it, streamed, cut at every event, and read."""
    events = await events_of(
        client.responses.create(
            model=RESEARCH, input=f"The history of {status}", background=background == "true", stream=True
        )
    )
    assert events[-1].type == f"response.{status}", events[-1]
    whole = events[-1].response
    assert whole.status == status
    assert bool(whole.error) == (status == "failed")
    assert bool(whole.incomplete_details) == (status == "incomplete")
    await cut_everywhere(client, whole.id, events)
    assert response(await got(client.responses.retrieve(whole.id))) == whole


async def resume(client: Any, other: str) -> None:
    """Prints a line after three events; the process that serves the stream is killed then."""
    first: list[Any] = []
    try:
        async for item in each(
            # A question of each kind of client: the reply to an equal one that was cut off would be this one's too.
            await got(
                client.responses.create(
                    model=RESEARCH,
                    input=f"The history of jajangmyeon, for {type(client).__name__}",
                    background=True,
                    stream=True,
                )
            )
        ):
            first.append(event(item))
            if len(first) == 3:
                print("three", flush=True)
    except Exception as error:
        print(type(error).__name__, file=sys.stderr)
    assert first[-1].type != "response.completed", "It was not cut."
    id = first[0].response.id
    moved = client.with_options(base_url=other)
    later = await events_of(
        moved.responses.retrieve(id, stream=True, starting_after=first[-1].sequence_number)
    )
    assert [item.sequence_number for item in first + later] == list(range(len(first + later)))
    assert later[-1].type == "response.completed"


class Title(BaseModel):
    title: str


def fill(name: str) -> dict[str, Any]:
    return {"type": "json_schema", "name": name, "schema": Title.model_json_schema(), "strict": True}


async def parsed(client: Any) -> None:
    whole = await got(client.responses.parse(model=RESEARCH, input="The history of kimchi", text_format=Title))
    assert whole.status == "completed" and whole.output_parsed.title, whole.output_text
    # The helper adds fields of its own to the response, so it is checked as it is read later.
    assert response(await got(client.responses.retrieve(whole.id))).output_text == whole.output_text


async def structured(client: Any) -> None:
    """The sandbox knows by the name of the schema that it is to fill it."""
    section = json.dumps({"text": "Kimchi is old."})
    text = f'<data name="sections">\n{section}\n</data>'
    schema = {k: v for k, v in fill("research_object").items() if k != "type"}
    schema["schema"]["additionalProperties"] = False
    reply = await got(
        client.chat.completions.create(
            model=CHAT,
            messages=[{"role": "user", "content": text}],
            response_format={"type": "json_schema", "json_schema": schema},
        )
    )
    assert Title.model_validate_json(reply.choices[0].message.content).title == "Kimchi is old."


WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Reports the weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


async def chat(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": '[sandbox: call get_weather {"city": "Seoul"}]'}]
    reply = await got(client.chat.completions.create(model=CHAT, messages=messages, tools=[WEATHER]))
    strict(ChatCompletion, reply)
    assert reply.choices[0].finish_reason == "tool_calls"
    message = reply.choices[0].message
    messages.append(message)
    for call in message.tool_calls:
        city = json.loads(call.function.arguments)["city"]
        messages.append({"role": "tool", "tool_call_id": call.id, "content": f"It is 3 degrees in {city}."})
    reply = await got(client.chat.completions.create(model=CHAT, messages=messages, tools=[WEATHER]))
    strict(ChatCompletion, reply)
    assert "3 degrees in Seoul" in reply.choices[0].message.content
    chunks = [
        chunk
        async for chunk in each(
            await got(
                client.chat.completions.create(
                    model=CHAT,
                    messages=messages,
                    tools=[WEATHER],
                    stream=True,
                    stream_options={"include_usage": True},
                )
            )
        )
    ]
    for chunk in chunks:
        strict(ChatCompletionChunk, chunk)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == reply.choices[0].message.content
    assert chunks[-1].usage == reply.usage


async def errors(client: Any) -> None:
    def ask(**more: Any) -> Any:
        return lambda: client.responses.create(**({"model": RESEARCH, "input": "Kimchi"} | more))

    for call, status, code, param in (
        (ask(conversation="conv_1"), 400, "unsupported_parameter", "conversation"),
        (ask(model="no-such-model"), 404, "model_not_found", "model"),
        (ask(previous_response_id="resp_unknown"), 400, "previous_response_not_found", "previous_response_id"),
        (lambda: client.responses.retrieve("resp_unknown"), 404, "response_not_found", "response_id"),
        (lambda: client.responses.cancel("resp_unknown"), 404, "response_not_found", "response_id"),
        (lambda: client.with_options(api_key="wrong").models.list(), 401, "invalid_api_key", None),
    ):
        error = await refused(call)
        assert error.status_code == status, error
        assert code is None or error.code == code, error
        assert param is None or error.param == param, error
        assert error.code and error.request_id, error
        assert error.body["message"] and error.body["message"] in str(error), error
    names = [model.id async for model in each(await got(client.models.list()))]
    assert {RESEARCH, CHAT} <= set(names), names


CASES = {case.__name__: case for case in (research, background, stream, helper, cancel, end, resume, parsed, structured, chat, errors)}


async def main(kind: str, case: str, url: str, key: str, *rest: str) -> None:
    make = openai.OpenAI if kind == "sync" else openai.AsyncOpenAI
    client = make(base_url=url, api_key=key, max_retries=0)
    await CASES[case](client, *rest)


asyncio.run(main(*sys.argv[1:]))
