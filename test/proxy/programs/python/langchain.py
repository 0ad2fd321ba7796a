"""LangChain: an agent with a tool, and research by its model. Arguments: the base URL, a key."""

import sys

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI

url, key = sys.argv[1:]


def get_weather(city: str) -> str:
    """Reports the weather of a city."""
    return f"It is 3 degrees in {city}."


agent = create_agent(ChatOpenAI(model="gpt-4.1", base_url=url, api_key=key), tools=[get_weather])
question = {"role": "user", "content": '[sandbox: call get_weather {"city": "Seoul"}]'}
print(agent.invoke({"messages": [question]})["messages"][-1].text)

researcher = ChatOpenAI(model="sonde-research", base_url=url, api_key=key)
print(researcher.invoke("The history of kimchi").text)
