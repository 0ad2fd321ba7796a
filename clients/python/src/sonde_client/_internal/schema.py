"""The JSON Schema of the arguments of a Python function, from its type hints."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

_TYPES = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    list: "array",
    dict: "object",
    NoneType: "null",
}


def parameters_of(function: Callable[..., Any]) -> dict[str, Any]:
    """A hint that is not known, or cannot be resolved, allows any JSON."""
    try:
        hints = get_type_hints(function, include_extras=True)
    except (NameError, TypeError):
        hints = {}
    parameters = [
        each
        for each in inspect.signature(function).parameters.values()
        if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    return {
        "type": "object",
        "properties": {each.name: _schema(hints.get(each.name)) for each in parameters},
        "required": [each.name for each in parameters if each.default is each.empty],
        "additionalProperties": False,
    }


def _schema(hint: Any) -> dict[str, Any]:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        texts = [each for each in arguments[1:] if isinstance(each, str)]
        return {**_schema(arguments[0]), **({"description": " ".join(texts)} if texts else {})}
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(each) for each in arguments]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (list, Sequence):
        return {"type": "array", "items": _schema(arguments[0])}
    name = _TYPES.get(hint if origin is None else origin)
    return {} if name is None else {"type": name}
