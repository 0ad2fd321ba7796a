"""Deltas are merged as the service merges them."""

from __future__ import annotations

import copy
import json
from functools import reduce
from typing import Any

import pytest

from sonde_client import IncompleteMessage, accumulate, finish

from .support.places import CONTRACT

FIXTURES: list[dict[str, Any]] = json.loads((CONTRACT / "deltas.json").read_text("utf-8"))


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: str(fixture["name"]))
def test_deltas_are_merged(fixture: dict[str, Any]) -> None:
    deltas = fixture["deltas"]
    before = copy.deepcopy(deltas)
    whole: dict[str, Any] = reduce(accumulate, deltas, {})
    assert whole == fixture["sum"]
    # The result is the same whichever two are merged first.
    from_the_end: dict[str, Any] = reduce(lambda b, a: accumulate(a, b), reversed(deltas), {})
    assert from_the_end == fixture["sum"]
    assert deltas == before
    if "incomplete" in fixture:
        with pytest.raises(IncompleteMessage) as raised:
            finish(whole)
        assert str(raised.value) == fixture["incomplete"]
    else:
        assert finish(whole) == fixture["message"]
