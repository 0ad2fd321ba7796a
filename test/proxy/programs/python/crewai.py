"""CrewAI: an agent with a task, and research by its model. Arguments: the base URL, a key."""

import os
import sys

os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"

from crewai import LLM, Agent, Crew, Task  # noqa: E402

url, key = sys.argv[1:]
weatherman = Agent(
    role="Weatherman",
    goal="Report the weather",
    backstory="You know every city.",
    llm=LLM(model="openai/gpt-4.1", base_url=url, api_key=key),
)
task = Task(
    description='[sandbox: answer "It is 3 degrees in Seoul."]',
    expected_output="The temperature",
    agent=weatherman,
)
print(Crew(agents=[weatherman], tasks=[task]).kickoff().raw)

researcher = LLM(model="openai/sonde-research", base_url=url, api_key=key)
print(researcher.call("The history of kimchi"))
