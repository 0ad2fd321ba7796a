"""What research has read, and how its report rests on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ._internal.record import Record, listed

Verdict = Literal["quote_matched", "number_differs", "polarity_differs", "unanchored", "derived"]
"""How a sentence compares with the quotes that it cites. A matched quote is no proof of the
sentence.
"""


@dataclass(frozen=True, kw_only=True)
class SourceQuote(Record):
    """``claim``: in the words of the model; ``quote``: the exact words of the source; ``window``:
    its text around them. ``start`` and ``end`` count UTF-16 units of the text of the source.
    """

    note_id: str
    claim: str = ""
    quote: str = ""
    window: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, kw_only=True)
class ReadSource(Record):
    """A page or document that was read. ``number``: from 1, the ``source`` of a citation; ``url``:
    ``document:1`` for a document of the request. What the model endpoint has read has no quotes.
    """

    number: int
    url: str
    title: str = ""
    fetched_at: str | None = None
    sha256: str | None = None
    language: str | None = None
    quotes: list[SourceQuote] = listed(SourceQuote)


@dataclass(frozen=True, kw_only=True)
class ReadSourceList(Record):
    data: list[ReadSource] = listed(ReadSource)


@dataclass(frozen=True, kw_only=True)
class EvidenceNote(SourceQuote):
    """``source``: the number of its source."""

    source: int


@dataclass(frozen=True, kw_only=True)
class Contradiction(Record):
    note_ids: list[str] = field(default_factory=list)
    about: str = ""


@dataclass(frozen=True, kw_only=True)
class BoundSentence(Record):
    """``verdict``: None where nothing was compared."""

    text: str
    note_ids: list[str] = field(default_factory=list)
    verdict: Verdict | None = None


@dataclass(frozen=True, kw_only=True)
class BoundSection(Record):
    """``title``: empty for the answer."""

    title: str = ""
    sentences: list[BoundSentence] = listed(BoundSentence)


@dataclass(frozen=True, kw_only=True)
class Tried(Record):
    """``provider``: of a search, or ``page``."""

    provider: str
    fault: str = ""


@dataclass(frozen=True, kw_only=True)
class FailedRead(Record):
    """``what``: a query, or the address of a page."""

    what: str
    tried: list[Tried] = listed(Tried)


@dataclass(frozen=True, kw_only=True)
class Evidence(Record):
    """What a report of the agent rests on. ``omitted_notes``: how many are left out because there
    were too many; ``sections``: the report, without what a guardrail has changed.
    """

    brief: dict[str, Any] | None = None
    plan: dict[str, Any] | None = None
    notes: list[EvidenceNote] = listed(EvidenceNote)
    omitted_notes: int = 0
    contradictions: list[Contradiction] = listed(Contradiction)
    sections: list[BoundSection] = listed(BoundSection)
    failed: list[FailedRead] = listed(FailedRead)
