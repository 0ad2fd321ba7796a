"""What research has read, and how its report rests on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ._internal.record import Record, listed

Verdict = Literal[
    "quote_matched",
    "supported",
    "derived",
    "judgement",
    "partly_supported",
    "contradicted",
    "unsupported",
    "number_differs",
    "text_differs",
    "unchecked",
]
"""What was found when a sentence was compared with the quotes that it cites, which is no proof of
it. ``quote_matched``: it is a whole sentence of a quote; ``supported``: the quotes state it;
``derived``: it is computed from them; ``judgement``: a conclusion that follows from them;
``partly_supported``: it lacks context that they give; ``contradicted``: they say otherwise;
``unsupported``: they do not say it, or only half of it; ``number_differs``: a number stands
nowhere in them; ``text_differs``: it is a copy in which words were changed; ``unchecked``: nothing
decided on it.
"""

CheckedBy = Literal["text", "model"]
"""What decided on a verdict: a comparison of texts, or a model."""


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
    """``kind``: "judgement" is a conclusion from the notes, "absent" what was not found, "link" a
    transition without a claim; ``verdict``: None where nothing was to be compared; ``detail``: the
    word or phrase of the sentence that differs, or what it lacks.
    """

    text: str
    note_ids: list[str] = field(default_factory=list)
    kind: Literal["fact", "judgement", "absent", "link"] = "fact"
    verdict: Verdict | None = None
    checked_by: CheckedBy | None = None
    detail: str | None = None


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
    were too many; ``sections``: the report, without what a guardrail has changed; ``verdicts``: how
    many sentences have each verdict; ``verifier``: the model that judged them, None where none was
    to.
    """

    brief: dict[str, Any] | None = None
    plan: dict[str, Any] | None = None
    notes: list[EvidenceNote] = listed(EvidenceNote)
    omitted_notes: int = 0
    contradictions: list[Contradiction] = listed(Contradiction)
    sections: list[BoundSection] = listed(BoundSection)
    verdicts: dict[Verdict, int] = field(default_factory=dict)
    verifier: str | None = None
    failed: list[FailedRead] = listed(FailedRead)
