"""Neither endpoint receives the key of the other."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from sonde_client import AsyncModelClient, AsyncSondeClient, ModelClient, SondeClient


@contextmanager
def witness(url: str) -> Iterator[tuple[str, list[str]]]:
    """A server that forwards every request to ``url`` and records it."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            seen.append(f"{self.requestline}\n{self.headers}\n{body.decode()}")
            headers = {k: v for k, v in self.headers.items() if k.lower() != "host"}
            reply = httpx.request(
                self.command, url + self.path, headers=headers, content=body, timeout=60
            )
            self.send_response(reply.status_code)
            self.send_header("content-type", reply.headers["content-type"])
            self.send_header("content-length", str(len(reply.content)))
            self.end_headers()
            self.wfile.write(reply.content)

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _check(by_relay: list[str], by_model: list[str]) -> None:
    assert all("Bearer sk-for-sonde" in request for request in by_relay)
    assert all("Bearer sk-for-model" in request for request in by_model)
    assert not any("sk-for-model" in request for request in by_relay)
    assert not any("sk-for-sonde" in request or "ivt_" in request for request in by_model)
    # Tokens are sent in a header, never in a URL.
    assert any("ivt_" in request for request in by_relay)
    assert not any("ivt_" in request.splitlines()[0] for request in by_relay)


def test_the_sync_clients_do_not_share_keys(stand: dict[str, str]) -> None:
    with (
        witness(stand["relay"]) as (relay, by_relay),
        witness(stand["model"]) as (endpoint, by_model),
    ):
        with (
            SondeClient(relay, "sk-for-sonde") as sonde,
            ModelClient(endpoint, "sk-for-model") as model,
        ):
            result = model.create_response_with_tool_calling(
                "짜장면의 역사를 자세히 알려줘", sonde=sonde
            )
        assert result.tool_called
        _check(by_relay, by_model)


def test_the_async_clients_do_not_share_keys(stand: dict[str, str]) -> None:
    async def call(relay: str, endpoint: str) -> bool:
        async with (
            AsyncSondeClient(relay, "sk-for-sonde") as sonde,
            AsyncModelClient(endpoint, "sk-for-model") as model,
        ):
            result = await model.create_response_with_tool_calling(
                "짜장면의 역사를 자세히 알려줘", sonde=sonde
            )
            return result.tool_called

    with (
        witness(stand["relay"]) as (relay, by_relay),
        witness(stand["model"]) as (endpoint, by_model),
    ):
        assert asyncio.run(call(relay, endpoint))
        _check(by_relay, by_model)
