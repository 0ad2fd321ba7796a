"""Korean input and output in every locale."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ..support.command import command, environment, run
from ..support.places import CONTRACT

PROMPT = "짜장면의 역사를 자세히 알려줘"
REPORT = (CONTRACT / "cli" / "report-ko.txt").read_bytes()
LOCALES = [
    pytest.param({"LC_ALL": "C"}, id="C"),
    pytest.param({"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, id="ASCII"),
    pytest.param({"PYTHONIOENCODING": "cp949"}, id="cp949"),
    pytest.param({"PYTHONUTF8": "1"}, id="UTF-8"),
]


@pytest.mark.parametrize("env", LOCALES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949", None])
def test_korean(
    env: dict[str, str], encoding: str | None, stand: dict[str, str], tmp_path: Path
) -> None:
    words = [PROMPT] if encoding is None else ["-"]
    done = run(
        ["--target", "relay", *words],
        tmp_path,
        {"RELAY_BASE_URL": stand["relay"], **env},
        PROMPT.encode(encoding) if encoding else b"",
    )
    assert (done.stdout, done.returncode) == (REPORT, 0), done.stderr.decode()


@pytest.mark.parametrize("env", LOCALES)
def test_a_file_and_folder_with_korean_names(
    env: dict[str, str], stand: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "보고서").mkdir()
    done = run(
        ["--target", "relay", "--output", "보고서/짜장면.md", PROMPT],
        tmp_path,
        {"RELAY_BASE_URL": stand["relay"], **env},
    )
    assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "보고서" / "짜장면.md").read_bytes() == REPORT


def test_a_closed_pipe_causes_no_error_message(stand: dict[str, str], tmp_path: Path) -> None:
    with subprocess.Popen(
        command(["--target", "relay", "--stream", PROMPT]),
        env=environment(tmp_path, {"RELAY_BASE_URL": stand["relay"]}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        stderr = process.stderr.read()
    assert process.returncode == 1
    assert b"Traceback" not in stderr
    assert b"BrokenPipe" not in stderr
