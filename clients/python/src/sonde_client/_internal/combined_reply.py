"""One reply of the turns of a chat."""

from __future__ import annotations

from typing import Any

_RESEARCH = ("research_summary", "citations", "sources")


def combined(earlier: dict[str, Any], later: dict[str, Any]) -> dict[str, Any]:
    """The later reply, with the tools, the research, the tokens and the cost of the earlier."""
    names = [earlier.get("tool_name"), later.get("tool_name")]
    if later.get("research_summary") is None and earlier.get("research_summary") is not None:
        research = {name: earlier.get(name) for name in _RESEARCH}
    else:
        research = {}
    return {
        **later,
        **research,
        "tool_called": bool(earlier.get("tool_called") or later.get("tool_called")),
        "tool_name": "deep_research" if "deep_research" in names else names[0] or names[1],
        "tool_calls": [*(earlier.get("tool_calls") or []), *(later.get("tool_calls") or [])],
        "usage": _sum(earlier.get("usage"), later.get("usage")),
        "cost": _both(earlier.get("cost"), later.get("cost")),
    }


def _sum(a: dict[str, int] | None, b: dict[str, int] | None) -> dict[str, int] | None:
    if not a or not b:
        return a or b
    return {name: a.get(name, 0) + b[name] for name in b}


def _both(a: dict[str, Any] | None, b: dict[str, Any] | None) -> dict[str, Any] | None:
    """None if one of them is unknown."""
    if not a or not b:
        return None
    source = a["source"] if a["source"] == "prices" else b["source"]
    return {**b, "spent": a["spent"] + b["spent"], "source": source}
