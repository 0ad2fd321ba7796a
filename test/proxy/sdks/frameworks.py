"""What programs of other frameworks do with a Sonde. Arguments: the name of a case, base URL, API key."""

import asyncio
import sys

from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI

RESEARCH = "o3-deep-research"
CHAT = "gpt-4.1"
CALL = '[sandbox: call get_weather {"city": "Seoul"}]'


def weather(city: str) -> str:
    """Reports the weather of a city."""
    return f"It is 3 degrees in {city}."


async def agents_research(url: str, key: str) -> None:
    client = AsyncOpenAI(base_url=url, api_key=key, max_retries=0)
    agent = Agent(
        name="Researcher", instructions="Be brief.", model=OpenAIResponsesModel(RESEARCH, client)
    )
    whole = await Runner.run(agent, "The history of kimchi")
    assert whole.final_output.strip()
    streamed = Runner.run_streamed(agent, "The history of tea")
    text = ""
    async for item in streamed.stream_events():
        if item.type == "raw_response_event" and item.data.type == "response.output_text.delta":
            text += item.data.delta
    assert text and text == streamed.final_output


async def agents_chat(url: str, key: str) -> None:
    client = AsyncOpenAI(base_url=url, api_key=key, max_retries=0)
    agent = Agent(
        name="Weather",
        model=OpenAIChatCompletionsModel(CHAT, client),
        tools=[function_tool(weather, name_override="get_weather")],
    )
    whole = await Runner.run(agent, CALL)
    assert "3 degrees in Seoul" in whole.final_output
    streamed = Runner.run_streamed(agent, CALL)
    async for _ in streamed.stream_events():
        pass
    assert "3 degrees in Seoul" in streamed.final_output


async def langchain_research(url: str, key: str) -> None:
    model = ChatOpenAI(
        model=RESEARCH, base_url=url, api_key=key, use_responses_api=True, max_retries=0
    )
    whole = await model.ainvoke("The history of kimchi")
    assert whole.text.strip() and whole.response_metadata["status"] == "completed"
    assert any(block.get("annotations") for block in whole.content if isinstance(block, dict))
    text = ""
    for chunk in model.stream("The history of tea"):
        text += chunk.text
    assert text.strip()


async def langchain_failure(url: str, key: str) -> None:
    """The message of a failed run is what the program sees."""
    model = ChatOpenAI(
        model=RESEARCH, base_url=url, api_key=key, use_responses_api=True, max_retries=0
    )
    for call in (lambda: model.invoke("Kimchi"), lambda: list(model.stream("Tea"))):
        try:
            call()
        except Exception as error:
            assert "upstream_failed" in str(error), repr(error)
        else:
            raise AssertionError("It did not fail.")


async def langchain_chat(url: str, key: str) -> None:
    model = ChatOpenAI(model=CHAT, base_url=url, api_key=key, max_retries=0)
    bound = model.bind_tools([tool("get_weather")(weather)])
    messages = [HumanMessage(CALL)]
    reply = await bound.ainvoke(messages)
    messages.append(reply)
    for call in reply.tool_calls:
        messages.append(ToolMessage(weather(**call["args"]), tool_call_id=call["id"]))
    assert "3 degrees in Seoul" in (await bound.ainvoke(messages)).text


CASES = {
    case.__name__: case
    for case in (agents_research, agents_chat, langchain_research, langchain_failure, langchain_chat)
}

set_tracing_disabled(True)
name, *rest = sys.argv[1:]
asyncio.run(CASES[name](*rest))
