"""Time-outs apply while data keeps arriving but the reply never completes."""

from __future__ import annotations

import asyncio

import pytest

from sonde_client import AsyncSondeClient, SondeTimeoutError


async def trickle(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """The head of a reply that does not end before the client disconnects."""
    writer.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    try:
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.02)
    except ConnectionError:
        writer.close()


async def ask() -> None:
    server = await asyncio.start_server(trickle, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, AsyncSondeClient(f"http://127.0.0.1:{port}") as sonde:
        await asyncio.wait_for(sonde.tools(timeout=0.3), 30)


def test_a_call_times_out_while_its_reply_is_still_arriving() -> None:
    with pytest.raises(SondeTimeoutError):
        asyncio.run(ask())
