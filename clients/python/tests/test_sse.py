"""Server-Sent Events from byte chunks of any size."""

from __future__ import annotations

import pytest

from sonde_client._internal.sse import Frame, SseDecoder

TRANSCRIPT = (
    "\ufeff: a comment\r\n"
    "id: 1\r\nevent: status\r\ndata: {}\r\n\r\n"
    "id: 2\nevent: output_text\ndata: 짜장면\ndata:\ndata:  두 줄 🙂\n\n"
    "id: 3\rdata: by CR alone\r\r"
    "retry: 10\nunknown: x\nnothing\ndata\n\n"
    "id\ndata: no id any more\n\n"
    "event: without-data\n\n"
    "id: a\0b\ndata:x\n\n"
    "id: 9\ndata: never ended"
).encode()
FRAMES = [
    Frame("1", "status", "{}"),
    Frame("2", "output_text", "짜장면\n\n 두 줄 🙂"),
    Frame("3", "message", "by CR alone"),
    Frame(None, "message", ""),
    Frame("", "message", "no id any more"),
    Frame(None, "message", "x"),
]


def decode(*chunks: bytes) -> list[Frame]:
    decoder = SseDecoder()
    return [frame for chunk in chunks for frame in decoder.feed(chunk)]


@pytest.mark.parametrize("place", range(len(TRANSCRIPT) + 1))
def test_frames_do_not_depend_on_where_the_bytes_are_split(place: int) -> None:
    assert decode(TRANSCRIPT[:place], TRANSCRIPT[place:]) == FRAMES


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_frames_do_not_depend_on_the_chunk_size(size: int) -> None:
    pieces = [TRANSCRIPT[at : at + size] for at in range(0, len(TRANSCRIPT), size)]
    assert decode(*pieces) == FRAMES


def test_a_split_crlf_ends_one_line() -> None:
    assert decode(b"data: a\r", b"\ndata: b\r", b"\n\r", b"\n") == [Frame(None, "message", "a\nb")]


def test_invalid_utf8_is_replaced() -> None:
    assert decode(b"data: \xff\n\n") == [Frame(None, "message", "\ufffd")]


def test_a_byte_order_mark_is_removed_at_the_start_only() -> None:
    assert decode(b"data: a\n\n\xef\xbb\xbfdata: b\n\ndata: c\n\n") == [
        Frame(None, "message", "a"),
        Frame(None, "message", "c"),
    ]
