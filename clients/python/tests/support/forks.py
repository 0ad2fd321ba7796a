"""Runs the command line in forks of one preloaded process. Starting Python takes longer than most
runs.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .command import environment


class Forks:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def run(
        self, arguments: Sequence[str], home: Path, env: Mapping[str, str], stdin: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        streams = [home.parent / f"{home.name}-{name}" for name in ("stdin", "stdout", "stderr")]
        streams[0].write_bytes(stdin)
        task = {
            "arguments": list(arguments),
            "folder": str(home),
            "env": environment(home, env),
            "streams": [str(each) for each in streams],
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(task).encode() + b"\n")
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        _, stdout, stderr = streams
        return subprocess.CompletedProcess(
            arguments, code, stdout.read_bytes(), stderr.read_bytes()
        )


@contextmanager
def forks() -> Iterator[Forks]:
    with subprocess.Popen(
        [sys.executable, "-m", __name__],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        yield Forks(process)


def _serve() -> None:
    import sonde_client.cli

    # The forks replace these two with their own streams.
    tasks = os.fdopen(os.dup(0), "rb")
    for line in tasks:
        child = os.fork()
        if child == 0:
            _end(sonde_client.cli.main, json.loads(line))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(1, f"{code}\n".encode())


def _end(main: Any, task: dict[str, Any]) -> None:
    code = 1
    # Ends processes that do not exit.
    signal.alarm(120)
    try:
        os.chdir(task["folder"])
        os.environ.clear()
        os.environ.update(task["env"])
        for number, path in enumerate(task["streams"]):
            mode = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            os.dup2(os.open(path, mode), number)
        code = main(task["arguments"])
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


if __name__ == "__main__":
    _serve()
