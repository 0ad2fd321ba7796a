"""Programs that print their URLs as one line of JSON and exit when standard input closes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def served(program: Path, env: Mapping[str, str] | None = None) -> Iterator[dict[str, str]]:
    process = subprocess.Popen(
        ["node", str(program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **(env or {})},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"{program} did not start: run `npm run build` first")
        yield json.loads(line)
    finally:
        process.stdin.close()
        process.wait(timeout=60)
        process.stdout.close()
