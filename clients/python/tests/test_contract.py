"""Every case of the contract, with the sync and with the async client."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from sonde_client._internal.tool_calling import DEEP_RESEARCH_TOOL

from .support.cases import play, play_async
from .support.places import CONTRACT

CASES = sorted((CONTRACT / "cases").glob("*.json"))


@pytest.mark.parametrize("kind", ["sync", "async"])
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_follows_the_contract(path: Path, kind: str, replay: str) -> None:
    case: dict[str, Any] = json.loads(path.read_text("utf-8"))
    url = f"{replay}/{path.stem}"
    httpx.post(f"{url}/_reset").raise_for_status()
    if kind == "sync":
        play(case, url)
    else:
        asyncio.run(play_async(case, url))
    report = httpx.get(f"{url}/_report", timeout=30).json()
    assert report == {"ok": True, "faults": []}


def test_there_are_cases() -> None:
    assert len(CASES) > 0


def test_the_tool_definition_is_that_of_the_contract() -> None:
    expected = json.loads((CONTRACT / "deep-research-tool.json").read_text("utf-8"))
    assert expected == DEEP_RESEARCH_TOOL
