"""OpenAI's Agents SDK for Python: an agent with a tool, and one that researches. Arguments: the base URL, a key."""

import os
import sys

from agents import Agent, Runner, function_tool, set_tracing_disabled

os.environ["OPENAI_BASE_URL"], os.environ["OPENAI_API_KEY"] = sys.argv[1:]
set_tracing_disabled(True)


@function_tool
def get_weather(city: str) -> str:
    """Reports the weather of a city."""
    return f"It is 3 degrees in {city}."


agent = Agent(name="Weather", instructions="Be brief.", model="gpt-4.1", tools=[get_weather])
print(Runner.run_sync(agent, '[sandbox: call get_weather {"city": "Seoul"}]').final_output)

researcher = Agent(name="Researcher", model="o3-deep-research")
print(Runner.run_sync(researcher, "The history of kimchi").final_output)
