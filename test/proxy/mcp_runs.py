"""The life of a run through the Python SDK. Arguments: URL, API key, the end that the run is to have, mode."""

import asyncio
import sys

from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

TOOLS = {"research", "research_start", "research_status", "research_result", "research_cancel"}


async def main(url: str, key: str, end: str, mode: str) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    async with create_mcp_http_client(headers=headers) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode) as client:
            assert TOOLS <= {tool.name for tool in (await client.list_tools()).tools}
            question = f"A history that is {end}, by {mode}"
            begun = await client.call_tool("research_start", {"research_question": question})
            run = {"invocation_id": begun.structured_content["invocation_id"]}
            assert not begun.is_error and begun.structured_content["output_text"] is None
            if end == "cancelled":
                early = await client.call_tool("research_result", run)
                assert early.structured_content["output_text"] is None
                assert not (await client.call_tool("research_cancel", run)).is_error
            while True:
                # Shorter than the time limit of the client.
                state = await client.call_tool("research_status", run | {"wait_seconds": 5})
                assert not state.is_error
                if state.structured_content["status"] not in {"queued", "running"}:
                    break
            assert state.structured_content["status"] == end
            result = await client.call_tool("research_result", run)
            assert result.is_error == (end == "cancelled")
            assert bool(result.structured_content["output_text"]) == (end == "completed")
            # In the form of an id.
            other = "inv_" + run["invocation_id"].removeprefix("inv_")[::-1]
            unknown = await client.call_tool("research_status", {"invocation_id": other})
            assert unknown.is_error
            assert unknown.structured_content["error"]["code"] == "invocation_not_found"


asyncio.run(main(*sys.argv[1:]))
