"""The client of the model endpoint, alone and together with the client of Sonde."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sonde_client import Invocation, ModelClient, SondeClient

from ..support.sandbox import Sandbox

DETAILED = "짜장면의 역사를 자세히 알려줘"


@pytest.fixture
def sonde(stand: dict[str, str]) -> Iterator[SondeClient]:
    with SondeClient(stand["relay"]) as client:
        yield client


@pytest.fixture
def model(stand: dict[str, str]) -> Iterator[ModelClient]:
    with ModelClient(stand["model"], "sk-model") as client:
        yield client


def test_the_model_endpoint_answers(model: ModelClient) -> None:
    assert model.create_response("2 + 3", context=["A note."]).output_text.startswith("2 + 3 = 5")
    completion = model.create_chat_completion("2 + 3", system_prompt="Be brief.")
    assert completion.content.startswith("2 + 3 = 5")


def test_a_response_in_the_background(model: ModelClient) -> None:
    queued = model.create_response(DETAILED, background=True, web_search=True)
    assert queued.status in ("queued", "in_progress")
    ended = model.wait_for_response(queued.id)
    assert ended.status == "completed"
    assert ended.output_text.startswith("# 짜장면의 역사")
    assert model.get_response(queued.id).output_text == ended.output_text


def test_a_response_is_cancelled(model: ModelClient, sandbox: Sandbox) -> None:
    with sandbox.fault(kind="stay", status="in_progress"):
        queued = model.create_response(DETAILED, background=True, web_search=True)
        assert model.cancel_response(queued.id).status == "cancelled"
        assert model.wait_for_response(queued.id).status == "cancelled"


def test_the_model_calls_the_tool(sonde: SondeClient, model: ModelClient) -> None:
    created: list[Invocation] = []
    result = model.create_response_with_tool_calling(
        DETAILED,
        sonde=sonde,
        system_prompt="Always answer in English only.",
        deliverable_format="markdown_report",
        on_invocation=created.append,
    )
    assert result.tool_called
    assert result.invocation_id == created[0].invocation_id
    record = sonde.get(result)
    assert (record.output_text, record.deliverable_format) == (
        result.research_summary,
        "markdown_report",
    )
    assert record.upstream_response_id == result.upstream_response_id
    assert result.response_id != result.previous_response_id
    assert result.final_text


def test_the_model_answers_without_the_tool(sonde: SondeClient, model: ModelClient) -> None:
    result = model.create_response_with_tool_calling("안녕하세요!", sonde=sonde)
    assert (result.tool_called, result.invocation_id) == (False, None)
    assert result.final_text.startswith("안녕하세요!")


def test_a_failed_research_is_reported_to_the_model(
    sonde: SondeClient, model: ModelClient, sandbox: Sandbox
) -> None:
    with sandbox.fault(kind="failed"):
        result = model.create_response_with_tool_calling(DETAILED, sonde=sonde)
    assert result.research_summary == "deep_research failed. Please retry later."
