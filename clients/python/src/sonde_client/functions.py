"""Functions of the caller that a model may call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ._internal.schema import parameters_of


@dataclass(frozen=True)
class Function:
    """A function that the model may call; ``chat`` runs it. A plain function is one, too.

    ``run`` receives the arguments of the model by name and returns text or a JSON value; the model
    is told the message of an exception. ``name``, ``description`` and ``parameters``, the JSON
    Schema of the arguments, are those of ``run`` unless given: its name, its docstring and its type
    hints, in which ``Annotated[T, "…"]`` describes an argument. ``returns``: the JSON Schema of the
    result, for the model. ``strict``: whether the model endpoint must hold the arguments to the
    schema; else they need not fit it.
    """

    run: Callable[..., Any]
    name: str | None = None
    description: str | None = None
    parameters: Mapping[str, Any] | None = None
    returns: Mapping[str, Any] | None = None
    strict: bool | None = None

    def described(self) -> dict[str, Any]:
        """What the service is told."""
        given = self.description is not None
        fields = {
            "name": self.name or getattr(self.run, "__name__", type(self.run).__name__),
            "description": self.description if given else inspect.getdoc(self.run),
            "parameters": parameters_of(self.run) if self.parameters is None else self.parameters,
            "returns": self.returns,
            "strict": self.strict,
        }
        return {name: value for name, value in fields.items() if value is not None}
