"""Settings and text that the command line reads, in every supported encoding."""

from __future__ import annotations

import pytest

from sonde_client import SondeUsageError
from sonde_client.cli.settings import parse_env
from sonde_client.cli.terminal.live import cut
from sonde_client.cli.terminal.prompt import decode

KOREAN = "짜장면의 역사를 자세히 알려줘"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949"])
def test_reads_korean(encoding: str) -> None:
    assert decode(KOREAN.encode(encoding)) == KOREAN


def test_reads_utf16_of_either_order() -> None:
    assert decode(b"\xff\xfe" + KOREAN.encode("utf-16-le")) == KOREAN
    assert decode(b"\xfe\xff" + KOREAN.encode("utf-16-be")) == KOREAN


def test_input_is_not_trimmed() -> None:
    assert decode(b" a\r\n") == " a\r\n"


def test_rejects_bytes_that_are_not_text() -> None:
    with pytest.raises(SondeUsageError):
        decode(b"\xff\xff\xff")


def test_parses_settings_of_other_tools() -> None:
    text = (
        "# a comment\r\n\r\nexport A=\"b c\" # why\r\nB = 'x#y'\r\nC=plain # why\n"
        "D=a#b\nE=\nF='half\nno setting\n=x\nG=#all\nA=last\n한글=x\n"
    )
    assert parse_env(text) == {
        "A": "last",
        "B": "x#y",
        "C": "plain",
        "D": "a#b",
        "E": "",
        "F": "'half",
        "G": "",
    }


def test_a_line_is_truncated_to_the_width_of_the_terminal() -> None:
    assert cut("짜장면", 5) == ("짜장", 4)
    assert cut("abc", 5) == ("abc", 3)
    assert cut("abcdef", 5) == ("abcde", 5)
