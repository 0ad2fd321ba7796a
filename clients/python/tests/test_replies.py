"""Headers and errors of replies."""

from __future__ import annotations

import pickle
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest

from sonde_client import FieldError, SondeApiError
from sonde_client._internal.calls import backoff
from sonde_client._internal.replies import Reply
from sonde_client._internal.wire import Endpoint, Head

ENDPOINT = Endpoint("the model endpoint", "https://model.example/v1", "sk-secret", 60, 2)


def reply(status: int, body: str = "", **headers: str) -> Reply:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(Head(status, given), body.encode())


@pytest.mark.parametrize(
    "value", ["", "soon", "-1", "1.5", "١", "Mon, 01 Jan 99999999999 00:00:00 GMT"]
)
def test_an_invalid_retry_after_is_ignored(value: str) -> None:
    assert reply(503, retry_after=value).retry_after is None


def test_reads_a_retry_after_in_seconds() -> None:
    assert reply(503, retry_after="7").retry_after == 7


def test_reads_a_retry_after_as_a_date() -> None:
    later = datetime.now(timezone.utc) + timedelta(hours=1)
    wait = reply(503, retry_after=format_datetime(later, usegmt=True)).retry_after
    assert wait is not None
    assert 3500 < wait <= 3600


def test_a_retry_after_in_the_past_is_zero() -> None:
    assert reply(503, retry_after="Wed, 21 Oct 2015 07:28:00 GMT").retry_after == 0


def test_a_key_that_an_endpoint_repeats_is_redacted() -> None:
    body = '{"error": {"message": "Incorrect key: sk-secret", "type": "auth", "code": null}}'
    error = reply(401, body).error(ENDPOINT)
    assert isinstance(error, SondeApiError)
    assert (str(error), error.code) == ("Incorrect key: ***", "auth")


def test_the_repr_of_an_endpoint_or_a_request_has_neither_key_nor_token() -> None:
    request = ENDPOINT.request("POST", "/responses", {"input": "prompt"}, {"X-Token": "ivt_1"})
    shown = repr((ENDPOINT, request))
    assert "sk-secret" not in shown
    assert "ivt_1" not in shown
    assert "prompt" not in shown


def test_delays_double_and_stay_below_eight_seconds() -> None:
    for tries in range(50):
        whole = min(0.5 * 2**tries, 8)
        assert whole * 0.75 <= backoff(tries) <= whole


def test_a_lone_surrogate_is_escaped() -> None:
    assert ENDPOINT.request("POST", "/x", "\ud83d").body == b'"\\ud83d"'
    assert ENDPOINT.request("POST", "/x", "짜장면").body == '"짜장면"'.encode()


def test_an_error_can_be_pickled() -> None:
    error = SondeApiError("no", status=422, code="x", errors=(FieldError("a", "b"),))
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.status, copy.code, copy.errors) == ("no", 422, "x", error.errors)
