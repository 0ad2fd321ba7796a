"""FastMCP: research and chat as tools. Arguments: the base URL of /v1, a key."""

import asyncio
import sys

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

url, key = sys.argv[1:]
transport = StreamableHttpTransport(url.removesuffix("/v1") + "/mcp", headers={"Authorization": f"Bearer {key}"})


async def main() -> None:
    async with Client(transport) as client:
        assert {"research", "chat"} <= {tool.name for tool in await client.list_tools()}
        reply = await client.call_tool("chat", {"message": '[sandbox: answer "It is 3 degrees in Seoul."]'})
        print(reply.structured_content["output_text"])
        report = await client.call_tool("research", {"research_question": "The history of kimchi"})
        print(report.structured_content["output_text"])


asyncio.run(main())
