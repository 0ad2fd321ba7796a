"""The contract of the command line."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from ..support.command import CommandLine
from ..support.matching import difference
from ..support.places import CONTRACT

CLI: dict[str, list[dict[str, Any]]] = json.loads((CONTRACT / "cli.json").read_text("utf-8"))

STATE = "home/.local/state/sonde"


def name(entry: dict[str, Any]) -> str:
    return str(entry["name"])


@pytest.mark.parametrize("entry", CLI["usage"], ids=name)
def test_reports_usage_errors(
    entry: dict[str, Any], tmp_path: Path, command_line: CommandLine
) -> None:
    done = _run(command_line, entry, tmp_path)
    assert (done.stderr.decode(), done.stdout, done.returncode) == (
        entry["stderr"],
        b"",
        entry["exit"],
    )


@pytest.mark.parametrize("entry", CLI["prints"], ids=name)
def test_prints(entry: dict[str, Any], tmp_path: Path, command_line: CommandLine) -> None:
    done = _run(command_line, entry, tmp_path)
    expected = (CONTRACT / "cli" / entry["stdout_file"]).read_bytes()
    assert (done.stdout, done.stderr, done.returncode) == (expected, b"", entry["exit"])


@pytest.mark.parametrize("entry", CLI["runs"], ids=name)
def test_runs(
    entry: dict[str, Any], tmp_path: Path, stand: dict[str, str], command_line: CommandLine
) -> None:
    faults = entry.get("faults", [])
    for fault in faults:
        httpx.post(f"{stand['model']}/sandbox/faults", json=fault).raise_for_status()
    try:
        done = _run(command_line, entry, tmp_path, stand)
    finally:
        if faults:
            httpx.post(f"{stand['model']}/sandbox/reset").raise_for_status()
    stderr = done.stderr.decode()
    assert done.returncode == entry["exit"], stderr
    for text in entry.get("stderr_contains", []):
        assert _filled(text, stand) in stderr
    for text in entry.get("stderr_lacks", []):
        assert text not in stderr
    _check_stdout(entry, done.stdout)
    _check_output(entry, tmp_path / "output")


@pytest.mark.parametrize("entry", CLI["plays"], ids=name)
def test_plays(
    entry: dict[str, Any], tmp_path: Path, replay: str, command_line: CommandLine
) -> None:
    where = {"play": f"{replay}/{entry['play']}"}
    done = _run(command_line, entry, tmp_path, where)
    stderr = done.stderr.decode()
    assert done.returncode == entry["exit"], stderr
    if "stderr" in entry:
        assert stderr == _filled(entry["stderr"], where)
    for text in entry.get("stderr_contains", []):
        assert text in stderr
    for text in entry.get("stderr_lacks", []):
        assert text not in stderr
    if "stdout" in entry:
        assert done.stdout.decode() == entry["stdout"]
    else:
        _check_stdout(entry, done.stdout)
    if "keeps" in entry:
        stored = {file.name: file.read_text() for file in (tmp_path / STATE).glob("*")}
        assert stored == {key: _filled(text, where) for key, text in entry["keeps"].items()}
    report = httpx.get(f"{where['play']}/_report", timeout=30).json()
    assert report == {"ok": True, "faults": []}


def _run(
    command_line: CommandLine,
    entry: dict[str, Any],
    folder: Path,
    stand: dict[str, str] | None = None,
) -> Any:
    home = folder / "home"
    home.mkdir()
    for run_id, text in entry.get("state", {}).items():
        (folder / STATE).mkdir(parents=True, exist_ok=True)
        (folder / STATE / run_id).write_text(_filled(text, stand))
    if "dotenv" in entry:
        (home / ".env").write_bytes(_filled(entry["dotenv"], stand).encode())
    if "input" in entry:
        (folder / "input").write_bytes(entry["input"].encode())
    arguments = [arg.replace("{output}", str(folder / "output")) for arg in entry["args"]]
    arguments = [arg.replace("{input}", str(folder / "input")) for arg in arguments]
    env = {key: _filled(value, stand) for key, value in entry.get("env", {}).items()}
    return command_line(arguments, home, env, base64.b64decode(entry.get("stdin_base64", "")))


def _filled(text: str, stand: dict[str, str] | None) -> str:
    for key, url in (stand or {}).items():
        text = text.replace(f"{{{key}}}", url)
    return text


def _check_stdout(entry: dict[str, Any], stdout: bytes) -> None:
    if "stdout_file" in entry:
        assert stdout == (CONTRACT / "cli" / entry["stdout_file"]).read_bytes()
        return
    if "stdout_contains" in entry:
        for text in entry["stdout_contains"]:
            assert text in stdout.decode()
        return
    wanted = {key: entry[key] for key in entry if key.startswith("stdout_json")}
    if not wanted:
        assert stdout == b""
        return
    lines = stdout.decode().splitlines()
    assert stdout.endswith(b"\n")
    for key, expected in wanted.items():
        assert key != "stdout_json" or len(lines) == 1
        line = lines[-1] if key == "stdout_json_last" else lines[0]
        assert difference(expected, json.loads(line)) is None


def _check_output(entry: dict[str, Any], path: Path) -> None:
    if "output_file" in entry:
        assert path.read_bytes() == (CONTRACT / "cli" / entry["output_file"]).read_bytes()
    if "output_json" in entry:
        text = path.read_text("utf-8")
        assert text.count("\n") == 1
        assert difference(entry["output_json"], json.loads(text)) is None
