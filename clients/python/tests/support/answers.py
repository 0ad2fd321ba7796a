"""A service that always returns the same reply to a request."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Answers = Mapping[str, tuple[int, Any]]
"""Keyed by `METHOD path` without the query: the status and the body; strings are event streams."""


@contextmanager
def answering(answers: Answers) -> Iterator[str]:
    """Its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self._answer()

        def log_message(self, *_: Any) -> None:
            pass

        def _answer(self) -> None:
            status, body = answers[f"{self.command} {self.path.partition('?')[0]}"]
            streams = isinstance(body, str)
            self.send_response(status)
            self.send_header("Content-Type", "text/event-stream" if streams else "application/json")
            self.end_headers()
            self.wfile.write((body if streams else json.dumps(body)).encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def stream(*events: tuple[str, Any]) -> str:
    """An event stream of these types and data, with ids from 1."""
    return "".join(
        f"id: {number}\nevent: {name}\ndata: {json.dumps(data)}\n\n"
        for number, (name, data) in enumerate(events, 1)
    )
