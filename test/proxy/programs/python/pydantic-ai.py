"""Pydantic AI: an agent with a tool, and research by the Responses API. Arguments: the base URL, a key."""

import sys

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

provider = OpenAIProvider(base_url=sys.argv[1], api_key=sys.argv[2])

agent = Agent(OpenAIChatModel("gpt-4.1", provider=provider), instructions="Be brief.")


@agent.tool_plain
def get_weather(city: str) -> str:
    """Reports the weather of a city."""
    return f"It is 3 degrees in {city}."


print(agent.run_sync('[sandbox: call get_weather {"city": "Seoul"}]').output)

researcher = Agent(OpenAIResponsesModel("o3-deep-research", provider=provider))
print(researcher.run_sync("The history of kimchi").output)
