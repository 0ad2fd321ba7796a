"""Replays a case of the contract with the sync or the async client."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import aclosing, closing
from keyword import iskeyword
from typing import Any

from sonde_client import (
    AsyncModelClient,
    AsyncSondeClient,
    ModelClient,
    SondeApiError,
    SondeClient,
    SondeConnectionError,
    SondeError,
    SondeProtocolError,
    SondeTimeoutError,
    SondeUsageError,
)

from .behaving import behaving
from .matching import difference

KINDS: dict[str, type[SondeError]] = {
    "api": SondeApiError,
    "connection": SondeConnectionError,
    "timeout": SondeTimeoutError,
    "protocol": SondeProtocolError,
    "usage": SondeUsageError,
}
STREAMS = ("events", "chats.events", "chatStream")
Results = list[Any]


def play(case: dict[str, Any], url: str) -> None:
    with (
        SondeClient(**_sonde_options(case, url)) as sonde,
        ModelClient(**_model_options(case, url)) as model,
    ):
        results: Results = []
        for call in case["calls"]:
            function, arguments, options = _prepared(call, results, sonde, model)
            got, error = None, None
            try:
                if call["method"] in STREAMS:
                    got = []
                    with closing(function(*arguments, **options)) as events:
                        for event in events:
                            got.append(event)
                            if len(got) == call.get("take"):
                                break
                else:
                    got = function(*arguments, **options)
            except SondeError as raised:
                error = raised
            results.append(got)
            _check(call, got, error)


async def play_async(case: dict[str, Any], url: str) -> None:
    async with (
        AsyncSondeClient(**_sonde_options(case, url)) as sonde,
        AsyncModelClient(**_model_options(case, url)) as model,
    ):
        results: Results = []
        for call in case["calls"]:
            function, arguments, options = _prepared(call, results, sonde, model)
            got, error = None, None
            try:
                if call["method"] in STREAMS:
                    got = []
                    async with aclosing(function(*arguments, **options)) as events:
                        async for event in events:
                            got.append(event)
                            if len(got) == call.get("take"):
                                break
                else:
                    got = await function(*arguments, **options)
            except SondeError as raised:
                error = raised
            results.append(got)
            _check(call, got, error)


def _sonde_options(case: dict[str, Any], url: str) -> dict[str, Any]:
    options = dict(case.get("client", {}))
    return {"base_url": url + options.pop("base_path", ""), **options}


def _model_options(case: dict[str, Any], url: str) -> dict[str, Any]:
    options = dict(case.get("model", {}))
    return {"base_url": f"{url}/model" + options.pop("base_path", ""), **options}


def _prepared(
    call: dict[str, Any], results: Results, sonde: Any, model: Any
) -> tuple[Any, list[Any], dict[str, Any]]:
    target = sonde
    options = _filled(call.get("options", {}), results)
    *owners, name = call["method"].split(".")
    for owner in owners:
        target = model if owner == "model" else getattr(target, owner)
    if name == "createResponseWithToolCalling":
        options["sonde"] = sonde
    arguments = _filled(call.get("arguments", []), results)
    # In Python these fields are keyword arguments.
    if (
        name in ("chat", "chatStream", "list", "usage")
        and arguments
        and isinstance(arguments[0], dict)
    ):
        fields = {f"{key}_" if iskeyword(key) else key: arguments[0][key] for key in arguments[0]}
        if "functions" in fields:
            fields["functions"] = behaving(fields["functions"])
        options = {**fields, **options}
        arguments = []
    return getattr(target, re.sub("[A-Z]", lambda m: f"_{m[0].lower()}", name)), arguments, options


def _filled(value: Any, results: Results) -> Any:
    if isinstance(value, list):
        return [_filled(each, results) for each in value]
    if isinstance(value, dict):
        if set(value) == {"$result"}:
            return results[value["$result"]]
        return {name: _filled(each, results) for name, each in value.items()}
    return value


def _check(call: dict[str, Any], got: Any, error: SondeError | None) -> None:
    faults = list(_faults(call, got, error))
    assert not faults, f"{call['method']}: {faults}"


def _faults(call: dict[str, Any], got: Any, error: SondeError | None) -> Iterator[str]:
    expected = call.get("raises")
    if expected is None and error is not None:
        yield f"raised {error!r}"
    if expected is not None:
        fields = {name: value for name, value in expected.items() if name != "kind"}
        if type(error) is not KINDS[expected["kind"]] and not (
            expected["kind"] == "connection" and isinstance(error, SondeConnectionError)
        ):
            yield f"expected {expected['kind']}, got {error!r}"
        elif fault := difference(fields, error, "error"):
            yield fault
    wanted = call["yields"] if "yields" in call else call.get("returns", {})
    if ("yields" in call or "returns" in call) and (fault := difference(wanted, got)):
        yield fault
