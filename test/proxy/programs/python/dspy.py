"""DSPy: a prediction by a chat model, and research by the Responses API. Arguments: the base URL, a key."""

import sys

import dspy

url, key = sys.argv[1:]
chat = dspy.LM("openai/gpt-4.1", api_base=url, api_key=key)
print(chat('[sandbox: answer "It is 3 degrees in Seoul."]')[0])

research = dspy.LM("openai/o3-deep-research", api_base=url, api_key=key, model_type="responses")
reply = research("The history of kimchi")[0]
print(reply["text"] if isinstance(reply, dict) else reply)
