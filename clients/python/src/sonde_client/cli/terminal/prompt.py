"""Reads the prompt from arguments or standard input and decodes it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from ... import EditedDirection, EditedPlan, SondeUsageError
from ..usage import usage_error
from .output import path_of


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
    text = decode(_read_stdin())
    if "\0" in text:
        usage_error("standard input contains NUL characters")
    if not text.strip():
        usage_error("standard input is empty")
    return text


def read_plan(file: str) -> EditedPlan:
    """Returns the plan in a file, or in standard input for `-`; other fields are left out."""
    name = "standard input" if file == "-" else f'"{file}"'
    try:
        data = _read_stdin() if file == "-" else path_of(file).read_bytes()
    except (OSError, ValueError):
        usage_error(f"--edit: {name} cannot be read")
    try:
        return _plan_of(json.loads(decode(data)))
    except (SondeUsageError, RecursionError, ValueError):
        usage_error(f'--edit: {name} is not a plan in the form that "sonde plan ID" prints')


def _plan_of(value: Any) -> EditedPlan:
    directions = value.get("directions") if isinstance(value, dict) else None
    if not isinstance(directions, list):
        raise ValueError
    return {"directions": [_direction_of(each) for each in directions]}


def _direction_of(value: Any) -> EditedDirection:
    title, queries = (
        (value.get("title"), value.get("queries")) if isinstance(value, dict) else (None, None)
    )
    if not isinstance(title, str) or not isinstance(queries, list):
        raise ValueError
    if not all(isinstance(query, str) for query in queries):
        raise ValueError
    return {"title": title, "queries": queries}


def _read_stdin() -> bytes:
    # Standard input may be closed.
    return sys.stdin.buffer.read() if sys.stdin else b""


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
