"""Instructor: an answer in the form of a model, by a function, and research beside it. Arguments: the base URL, a key."""

import sys

import instructor
from openai import OpenAI
from pydantic import BaseModel


class Weather(BaseModel):
    city: str
    degrees: int


openai = OpenAI(base_url=sys.argv[1], api_key=sys.argv[2])
client = instructor.from_openai(openai)
question = '[sandbox: call Weather {"city": "Seoul", "degrees": 3}]'
weather = client.chat.completions.create(
    model="gpt-4.1", response_model=Weather, messages=[{"role": "user", "content": question}]
)
print(f"It is {weather.degrees} degrees in {weather.city}.")

report = client.chat.completions.create(
    model="sonde-research", response_model=None, messages=[{"role": "user", "content": "The history of kimchi"}]
)
print(report.choices[0].message.content)
