"""Haystack: an agent with a tool, and research by its generator. Arguments: the base URL, a key."""

import sys
from typing import Annotated

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import tool
from haystack.utils import Secret

url, key = sys.argv[1:]


def generator(model: str) -> OpenAIChatGenerator:
    return OpenAIChatGenerator(model=model, api_base_url=url, api_key=Secret.from_token(key))


@tool
def get_weather(city: Annotated[str, "The name of the city"]) -> str:
    """Reports the weather of a city."""
    return f"It is 3 degrees in {city}."


agent = Agent(chat_generator=generator("gpt-4.1"), tools=[get_weather])
question = ChatMessage.from_user('[sandbox: call get_weather {"city": "Seoul"}]')
print(agent.run(messages=[question])["last_message"].text)

print(generator("sonde-research").run([ChatMessage.from_user("The history of kimchi")])["replies"][0].text)
