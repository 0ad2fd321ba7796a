from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, Literal

import httpx
import pytest

from sonde_client import AsyncSondeClient, Function, SondeClient

CALL = {
    "type": "function",
    "id": "call_1",
    "function": {"name": "wait", "arguments": {"seconds": 1}},
}
MESSAGE = {"role": "assistant", "contents": [], "tool_calls": [CALL]}
CALLING = {"status": "completed", "message": MESSAGE, "continuation": [MESSAGE]}
ANSWER = {"status": "completed", "content": "Done."}


class Service:
    """Calls the function ``wait`` once, and keeps what it is told."""

    def __init__(self) -> None:
        self.told: str | None = None

    def __call__(self, request: httpx.Request) -> httpx.Response:
        messages = json.loads(request.content).get("messages")
        if messages is None:
            return httpx.Response(200, json=CALLING)
        self.told = messages[-1]["contents"][0]["text"]
        return httpx.Response(200, json=ANSWER)


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def sonde(service: Service) -> Iterator[SondeClient]:
    with (
        httpx.Client(transport=httpx.MockTransport(service)) as http,
        SondeClient(http_client=http) as sonde,
    ):
        yield sonde


def wait(seconds: int) -> str:
    """Waits."""
    return f"waited {seconds} s"


async def wait_async(seconds: int) -> str:
    return f"waited {seconds} s"


def leaves(seconds: int) -> None:
    sys.exit("left")


def test_a_plain_function_is_described_by_its_docstring_and_its_hints() -> None:
    def search(
        query: Annotated[str, "What to look for."],
        limit: int = 10,
        kinds: list[Literal["a", "b"]] | None = None,
        weights: Sequence[float] = (),
        more: dict[str, bool] | None = None,
        other: object = None,
        **_: Any,
    ) -> str:
        """Searches.

        In all documents.
        """
        return query + str((limit, kinds, weights, more, other))

    assert Function(search).described() == {
        "name": "search",
        "description": "Searches.\n\nIn all documents.",
        "parameters": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "What to look for."},
                "limit": {"type": "integer"},
                "kinds": {
                    "anyOf": [
                        {"type": "array", "items": {"enum": ["a", "b"]}},
                        {"type": "null"},
                    ]
                },
                "weights": {"type": "array", "items": {"type": "number"}},
                "more": {"anyOf": [{"type": "object"}, {"type": "null"}]},
                "other": {},
            },
            "required": ["query"],
            "additionalProperties": False,
        },
    }


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (wait, "waited 1 s"),
        (Function(wait_async, name="wait"), "waited 1 s"),
        (Function(leaves, name="wait"), '{"code":"FUNCTION_FAILED","message":"left"}'),
        (Function(lambda seconds: {1, 2}, name="wait"), "The result is not JSON."),
        (Function(lambda: None, name="wait"), "unexpected keyword argument 'seconds'"),
    ],
)
def test_a_function_is_run_with_the_arguments_of_the_model(
    function: Callable[..., Any] | Function, told: str, service: Service, sonde: SondeClient
) -> None:
    assert sonde.chat("Hi", functions=[function]).content == "Done."
    assert service.told is not None
    assert told in service.told

    async def chat() -> None:
        service.told = None
        async with httpx.AsyncClient(transport=httpx.MockTransport(service)) as http:
            await AsyncSondeClient(http_client=http).chat("Hi", functions=[function])

    asyncio.run(chat())
    assert service.told is not None
    assert told in service.told


def test_a_cancelled_chat_cancels_its_functions(service: Service) -> None:
    ended: list[str] = []

    async def chat() -> None:
        begun = asyncio.Event()

        async def never(seconds: int) -> None:
            begun.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                ended.append("cancelled")
                raise

        async with httpx.AsyncClient(transport=httpx.MockTransport(service)) as http:
            sonde = AsyncSondeClient(http_client=http)
            functions = [Function(never, name="wait")]
            task = asyncio.create_task(sonde.chat("Hi", functions=functions))
            await begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(chat())
    assert ended == ["cancelled"]
    assert service.told is None
