"""What the command line reads: settings and text, in whatever encoding it comes."""

from __future__ import annotations

import pytest

from sonde_client import SondeUsageError
from sonde_client.cli.live import cut
from sonde_client.cli.prompt import decoded
from sonde_client.cli.settings import parse_env

KOREAN = "짜장면의 역사를 자세히 알려줘"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949"])
def test_reads_korean(encoding: str) -> None:
    assert decoded(KOREAN.encode(encoding)) == KOREAN


def test_reads_utf16_of_either_order() -> None:
    assert decoded(b"\xff\xfe" + KOREAN.encode("utf-16-le")) == KOREAN
    assert decoded(b"\xfe\xff" + KOREAN.encode("utf-16-be")) == KOREAN


def test_nothing_is_cut_off() -> None:
    assert decoded(b" a\r\n") == " a\r\n"


def test_refuses_what_is_no_text() -> None:
    with pytest.raises(SondeUsageError):
        decoded(b"\xff\xff\xff")


def test_reads_settings_as_they_are_written_elsewhere() -> None:
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


def test_a_line_is_cut_to_the_width_of_the_terminal() -> None:
    assert cut("짜장면", 5) == ("짜장", 4)
    assert cut("abc", 5) == ("abc", 3)
    assert cut("abcdef", 5) == ("abcde", 5)
