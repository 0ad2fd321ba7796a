"""smolagents: an agent that calls tools, and research by its model. Arguments: the base URL, a key."""

import sys

from smolagents import ChatMessage, OpenAIModel, ToolCallingAgent, tool

url, key = sys.argv[1:]


@tool
def get_weather(city: str) -> str:
    """Reports the weather of a city.

    Args:
        city: The name of the city.
    """
    return f"It is 3 degrees in {city}."


model = OpenAIModel(model_id="gpt-4.1", api_base=url, api_key=key)
agent = ToolCallingAgent(tools=[get_weather], model=model, max_steps=3)
agent.run('[sandbox: call final_answer {"answer": "It is 3 degrees in Seoul."}]')

researcher = OpenAIModel(model_id="sonde-research", api_base=url, api_key=key)
question = {"role": "user", "content": [{"type": "text", "text": "The history of kimchi"}]}
print(researcher.generate([ChatMessage.from_dict(question)]).content)
