"""What the models of the SDK of OpenAI say of a value, in the strict mode of pydantic."""

from typing import Any

import pydantic
from openai import BaseModel
from openai.types.responses import Response, ResponseStreamEvent

EVENTS: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(ResponseStreamEvent)


# On the wire of OpenAI, but not in the models of its SDK; and what Sonde adds, see docs/openai-api.md.
KNOWN = {"Response.store", "Response.sonde"}


def unknown_fields(value: Any) -> list[str]:
    """The models of the SDK allow any further field, so these are looked for."""
    if isinstance(value, pydantic.BaseModel):
        extra = [f"{type(value).__name__}.{name}" for name in value.model_extra or {}]
        fields = [getattr(value, name) for name in value.model_fields_set if name in type(value).model_fields]
        return extra + [name for field in fields for name in unknown_fields(field)]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [name for item in value for name in unknown_fields(item)]
    return []


def strict(model: Any, value: BaseModel) -> Any:
    """`value` as it came, since the SDK itself constructs its models without a check."""
    adapter = EVENTS if model is ResponseStreamEvent else pydantic.TypeAdapter(model)
    checked = adapter.validate_json(value.to_json(exclude_unset=True), strict=True)
    unknown = set(unknown_fields(checked)) - KNOWN
    assert not unknown, unknown
    return checked


def response(value: BaseModel) -> BaseModel:
    strict(Response, value)
    return value


def event(value: BaseModel) -> BaseModel:
    strict(ResponseStreamEvent, value)
    return value
