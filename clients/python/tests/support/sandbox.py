"""Controls the model endpoint of the stand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx


class Sandbox:
    def __init__(self, url: str) -> None:
        self._url = f"{url}/sandbox"

    def stats(self) -> dict[str, Any]:
        return dict(httpx.get(f"{self._url}/stats").json())

    def was_asked(self, text: str) -> bool:
        return text in str(httpx.get(f"{self._url}/requests", params={"last": 50}).json())

    def configure(self, **settings: Any) -> None:
        httpx.post(f"{self._url}/config", json=settings).raise_for_status()

    def reset(self) -> None:
        httpx.post(f"{self._url}/reset").raise_for_status()

    @contextmanager
    def fault(self, **what: Any) -> Iterator[None]:
        """Adds a fault that applies to every request until the reset."""
        httpx.post(f"{self._url}/faults", json={"count": 0, **what}).raise_for_status()
        try:
            yield
        finally:
            self.reset()
