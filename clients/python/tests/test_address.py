"""Validation of base URLs, keys and ids."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from sonde_client import AsyncSondeClient, ModelClient, SondeClient, SondeUsageError
from sonde_client._internal.address import model_base_url, path_segment, sonde_base_url

from .support.places import CONTRACT

URLS: dict[str, dict[str, list[Any]]] = json.loads((CONTRACT / "base-urls.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://127.8.9.1:8080/", "http://127.8.9.1:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://localhost/", "http://localhost"),
        ("https://example.com/sonde//", "https://example.com/sonde"),
        ("https://example.com/sonde/api/v1/", "https://example.com/sonde"),
        (" https://example.com ", "https://example.com"),
    ],
)
def test_normalizes_a_base_url_of_sonde(given: str, taken: str) -> None:
    assert sonde_base_url(given) == taken


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("https://api.openai.com", "https://api.openai.com/v1"),
        ("https://api.openai.com/v1/", "https://api.openai.com/v1"),
        ("https://x.example/openai/v1", "https://x.example/openai/v1"),
        ("https://x.example/openai", "https://x.example/openai/v1"),
    ],
)
def test_normalizes_a_base_url_of_a_model_endpoint(given: str, taken: str) -> None:
    assert model_base_url(given) == taken


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ("", "not a URL"),
        ("secret", "not a URL"),
        ("https://", "not a URL"),
        ("https://a b", "not a URL"),
        ("https://secret:99999", "not a URL"),
        ("https://secret:port", "not a URL"),
        ("https://[secret", "not a URL"),
        ("ftp://secret", "must begin with https:// or http://"),
        ("http://secret", "http is allowed for loopback addresses only; use https"),
        ("http://127.0.0.1.secret", "http is allowed for loopback addresses only; use https"),
        ("http://128.0.0.1", "http is allowed for loopback addresses only; use https"),
        ("http://[::2]", "http is allowed for loopback addresses only; use https"),
        ("http://0.0.0.0", "http is allowed for loopback addresses only; use https"),
        ("https://secret@a", "must not contain credentials, a query or a fragment"),
        ("https://a?secret", "must not contain credentials, a query or a fragment"),
        ("https://a#secret", "must not contain credentials, a query or a fragment"),
    ],
)
def test_rejects_a_base_url_without_repeating_it(given: str, fault: str) -> None:
    for kind in (SondeClient, AsyncSondeClient, ModelClient):
        with pytest.raises(SondeUsageError) as raised:
            kind(given)
        assert str(raised.value) == f"base_url: {fault}"
        assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize("kind", ["sonde", "model"])
def test_accepts_and_rejects_the_base_urls_of_the_contract(kind: str) -> None:
    create = SondeClient if kind == "sonde" else ModelClient
    for url in URLS[kind]["taken"]:
        create(url).close()
    for url in URLS[kind]["refused"]:
        with pytest.raises(SondeUsageError) as raised:
            create(url)
        assert not url.strip() or url not in str(raised.value)


def test_rejects_invalid_options() -> None:
    with pytest.raises(SondeUsageError):
        SondeClient(timeout=0)
    with pytest.raises(SondeUsageError):
        SondeClient(max_retries=-1)
    with SondeClient() as sonde, pytest.raises(SondeUsageError):
        next(sonde.events("inv_1", last_event_id="1\r\nX: y"))


@pytest.mark.parametrize("key", ["a\nb", "한국", " a", "a\0"])
def test_rejects_a_key_that_no_header_can_carry_without_repeating_it(key: str) -> None:
    with pytest.raises(SondeUsageError) as raised:
        SondeClient(api_key=key)
    assert key not in str(raised.value)


@pytest.mark.parametrize("identity", ["", ".", ".."])
def test_rejects_an_id_that_would_change_the_path(identity: str) -> None:
    with SondeClient() as sonde, pytest.raises(SondeUsageError):
        sonde.get(identity)


def test_an_id_is_escaped_within_the_path() -> None:
    assert path_segment("a/../b?c#d", "id") == "a%2F..%2Fb%3Fc%23d"


def test_rejects_a_reference_without_an_id() -> None:
    async def ask() -> None:
        async with AsyncSondeClient() as sonde:
            await sonde.get({"chat_id": "chat_1"})

    with pytest.raises(SondeUsageError):
        asyncio.run(ask())


def test_rejects_a_request_that_cannot_be_serialized_as_json() -> None:
    with SondeClient("http://127.0.0.1:2") as sonde, pytest.raises(SondeUsageError):
        sonde.invoke("deep_research", {"research_question": {1, 2}})
    with SondeClient("http://127.0.0.1:2") as sonde, pytest.raises(SondeUsageError):
        sonde.invoke("set", {"number": float("nan")})


@pytest.mark.parametrize("key", ["", "a\n", "한국", "x" * 256])
def test_rejects_an_idempotency_key_that_the_service_would_reject(key: str) -> None:
    with SondeClient("http://127.0.0.1:2") as sonde, pytest.raises(SondeUsageError):
        sonde.submit("deep_research", {}, idempotency_key=key)
