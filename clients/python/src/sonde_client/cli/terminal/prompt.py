"""Reads the prompt from arguments or standard input and decodes it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ..flags import usage_error


def argument_text(argument: str) -> str:
    """Restores an argument; locales such as C pass unknown bytes as surrogates."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        data = os.fsencode(argument)
        try:
            return data.decode()
        except UnicodeDecodeError:
            return data.decode("cp949", errors="replace")
    return argument


def read_prompt(words: Sequence[str]) -> str:
    """Returns the words given, or standard input for `-`."""
    if list(words) != ["-"]:
        prompt = " ".join(words)
        if prompt.strip():
            return prompt
        usage_error(
            "a prompt is required; pass it as an argument, or - to read it from standard input"
        )
    # Standard input may be closed.
    text = decode(sys.stdin.buffer.read() if sys.stdin else b"")
    if "\0" in text:
        usage_error("standard input contains NUL characters")
    if not text.strip():
        usage_error("standard input is empty")
    return text


def decode(data: bytes) -> str:
    """Decodes UTF-8, UTF-16 with a byte order mark, or else code page 949 of Korean Windows."""
    is_utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if is_utf16 else ("utf-8-sig", "cp949"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return usage_error(
        "standard input is not UTF-8, UTF-16 with a byte order mark or code page 949"
    )
