"""What a client of the Python SDK sees of a Sonde: one line of JSON. Arguments: URL, API key, question, mode."""

import asyncio
import json
import sys

from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


async def main(url: str, key: str, question: str, mode: str) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    steps: list[float] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        steps.append(done)

    async with create_mcp_http_client(headers=headers) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            arguments = {"research_question": question}
            result = await client.call_tool("research", arguments, progress_callback=progress)
            found = result.structured_content
            again = await client.call_tool("research_start", arguments)
            report = await client.read_resource(found["report_uri"])
            faulty = await client.call_tool("research", {})
            print(
                json.dumps(
                    {
                        "tools": tools,
                        "result": found,
                        "joined": again.structured_content["invocation_id"],
                        "steps": steps,
                        "report": report.contents[0].text,
                        "fault": faulty.structured_content["error"],
                        "is_error": [result.is_error, faulty.is_error],
                    }
                )
            )


asyncio.run(main(*sys.argv[1:]))
