"""Agno: an agent with a tool, and one that researches. Arguments: the base URL, a key."""

import sys

from agno.agent import Agent
from agno.models.openai.like import OpenAILike

url, key = sys.argv[1:]


def get_weather(city: str) -> str:
    """Reports the weather of a city."""
    return f"It is 3 degrees in {city}."


agent = Agent(model=OpenAILike(id="gpt-4.1", base_url=url, api_key=key), tools=[get_weather], telemetry=False)
print(agent.run('[sandbox: call get_weather {"city": "Seoul"}]').content)

researcher = Agent(model=OpenAILike(id="sonde-research", base_url=url, api_key=key), telemetry=False)
print(researcher.run("The history of kimchi").content)
