"""LlamaIndex: an agent with a tool, and research by its model. Arguments: the base URL, a key."""

import asyncio
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai_like import OpenAILike

url, key = sys.argv[1:]


def model(name: str) -> OpenAILike:
    return OpenAILike(
        model=name, api_base=url, api_key=key, is_chat_model=True, is_function_calling_model=True
    )


def get_weather(city: str) -> str:
    """Reports the weather of a city."""
    return f"It is 3 degrees in {city}."


async def main() -> None:
    agent = FunctionAgent(tools=[get_weather], llm=model("gpt-4.1"))
    print(await agent.run('[sandbox: call get_weather {"city": "Seoul"}]'))


asyncio.run(main())
print(model("sonde-research").complete("The history of kimchi"))
