"""README's research with the client that openapi-generator makes for Python. Arguments: the folder of the client, the base URL, a key."""

import sys

folder, url, key = sys.argv[1:]
sys.path.insert(0, folder)

from openapi_client import ApiClient, ChatApi, ChatRequestDto, Configuration, InvokeToolDto, ToolInvocationsApi  # noqa: E402

with ApiClient(Configuration(host=url, access_token=key)) as client:
    runs = ToolInvocationsApi(client)
    arguments = {"research_question": "짜장면의 역사", "background": True}
    run = runs.tool_invocations_invoke(InvokeToolDto(tool_name="deep_research", arguments=arguments))
    while run.status in ("queued", "running"):
        run = runs.invocation_wait(run.invocation_id)
    print(run.status)
    print(run.output_text.splitlines()[0])
    print(ChatApi(client).chat_reply(ChatRequestDto(message="Good morning")).content)
