"""Text that comes from outside, in the encodings that it comes in."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from .flags import fault


def argument_text(argument: str) -> str:
    """An argument as it was meant: a locale such as C leaves the bytes that it does not know."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        given = os.fsencode(argument)
        try:
            return given.decode()
        except UnicodeDecodeError:
            return given.decode("cp949", errors="replace")
    return argument


def read_prompt(words: Sequence[str]) -> str:
    """The words that were given, or standard input for `-`."""
    if list(words) != ["-"]:
        prompt = " ".join(words)
        if prompt.strip():
            return prompt
        fault("a prompt is required; pass it as an argument, or - to read it from standard input")
    # There may be none at all.
    text = decoded(sys.stdin.buffer.read() if sys.stdin else b"")
    if "\0" in text:
        fault("standard input contains NUL characters")
    if not text.strip():
        fault("standard input is empty")
    return text


def decoded(given: bytes) -> str:
    """UTF-8, UTF-16 with a byte order mark, or else code page 949, which Korean Windows writes."""
    is_utf16 = given.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if is_utf16 else ("utf-8-sig", "cp949"):
        try:
            return given.decode(encoding)
        except UnicodeDecodeError:
            continue
    return fault("standard input is not UTF-8, UTF-16 with a byte order mark or code page 949")
