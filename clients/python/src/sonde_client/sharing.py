"""Links that open the report of a run, for anyone who has one. Times are RFC 3339 in UTC."""

from __future__ import annotations

from dataclasses import dataclass, field

from ._internal.record import Record, listed


@dataclass(frozen=True, kw_only=True)
class Share(Record):
    """A link, without what opens it."""

    share_id: str
    created_at: str | None = None
    expires_at: str | None = None


@dataclass(frozen=True, kw_only=True)
class CreatedShare(Share):
    """``share_token`` opens the report; it is returned only once."""

    share_token: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class ShareList(Record):
    """The links that have not expired, oldest first."""

    data: list[Share] = listed(Share)
