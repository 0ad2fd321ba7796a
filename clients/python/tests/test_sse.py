"""Server-Sent Events, however the bytes are cut."""

from __future__ import annotations

import pytest

from sonde_client._sse import Frame, SseDecoder

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


def decoded(*chunks: bytes) -> list[Frame]:
    decoder = SseDecoder()
    return [frame for chunk in chunks for frame in decoder.feed(chunk)]


@pytest.mark.parametrize("place", range(len(TRANSCRIPT) + 1))
def test_a_cut_anywhere_changes_nothing(place: int) -> None:
    assert decoded(TRANSCRIPT[:place], TRANSCRIPT[place:]) == FRAMES


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_small_pieces_change_nothing(size: int) -> None:
    pieces = [TRANSCRIPT[at : at + size] for at in range(0, len(TRANSCRIPT), size)]
    assert decoded(*pieces) == FRAMES


def test_a_crlf_that_is_cut_ends_one_line() -> None:
    assert decoded(b"data: a\r", b"\ndata: b\r", b"\n\r", b"\n") == [Frame(None, "message", "a\nb")]


def test_what_is_no_utf8_is_replaced() -> None:
    assert decoded(b"data: \xff\n\n") == [Frame(None, "message", "\ufffd")]


def test_a_mark_of_byte_order_counts_at_the_start_alone() -> None:
    assert decoded(b"data: a\n\n\xef\xbb\xbfdata: b\n\ndata: c\n\n") == [
        Frame(None, "message", "a"),
        Frame(None, "message", "c"),
    ]
