"""The client of MCP in OpenAI's Agents SDK: chat and research as tools. Arguments: the base URL of /v1, a key."""

import asyncio
import sys

from agents.mcp import MCPServerStreamableHttp

url, key = sys.argv[1:]
server = MCPServerStreamableHttp(
    params={"url": url.removesuffix("/v1") + "/mcp", "headers": {"Authorization": f"Bearer {key}"}},
    client_session_timeout_seconds=1800,
)


async def main() -> None:
    async with server:
        chat = await server.call_tool("chat", {"message": '[sandbox: answer "It is 3 degrees in Seoul."]'})
        report = await server.call_tool("research", {"research_question": "The history of kimchi"})
    for content in chat.content + report.content:
        print(content.text)


asyncio.run(main())
