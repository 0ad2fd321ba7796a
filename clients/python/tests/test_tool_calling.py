"""Tool calling with incomplete replies."""

from __future__ import annotations

import json

from sonde_client import ModelClient, SondeClient
from sonde_client._internal.tool_calling import RESEARCH_FAILED

from .support.answers import answering


def test_a_completed_research_without_text_counts_as_failed() -> None:
    call = {
        "type": "function_call",
        "name": "deep_research",
        "call_id": "call_1",
        "arguments": json.dumps({"research_question": "짜장면의 역사"}),
    }
    record = {"invocation_id": "inv_1", "status": "completed", "output_text": None}
    answers = {
        "POST /v1/responses": (200, {"id": "resp_1", "status": "completed", "output": [call]}),
        "POST /api/v1/tool-invocations": (202, record),
        "GET /api/v1/tool-invocations/inv_1/wait": (200, record),
    }
    with answering(answers) as url, SondeClient(url) as sonde, ModelClient(url) as model:
        result = model.create_response_with_tool_calling("Hello!", sonde=sonde)
    assert (result.research_summary, result.invocation_id) == (RESEARCH_FAILED, "inv_1")
