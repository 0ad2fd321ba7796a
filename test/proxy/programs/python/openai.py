"""OpenAI's package for Python: a completion, and research by the Responses API. Arguments: the base URL, a key."""

import sys

from openai import OpenAI

client = OpenAI(base_url=sys.argv[1], api_key=sys.argv[2])
message = {"role": "user", "content": '[sandbox: answer "It is 3 degrees in Seoul."]'}
completion = client.chat.completions.create(model="gpt-4.1", messages=[message])
print(completion.choices[0].message.content)

response = client.responses.create(model="o3-deep-research", input="The history of kimchi")
print(response.output_text)
