"""A report as a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

ReportFormat = Literal["md", "html", "docx", "pdf", "json"]


@dataclass(frozen=True)
class ReportFile:
    """``content_type``: the media type, maybe with parameters."""

    content_type: str
    content: bytes = field(repr=False)

    @property
    def text(self) -> str:
        """The content of ``md``, ``html`` or ``json``, decoded as UTF-8."""
        return self.content.decode("utf-8", "replace")
