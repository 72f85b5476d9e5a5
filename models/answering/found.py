"""What a strategy finds: the line of an answer, its rows and the claims that prove them."""

from dataclasses import dataclass
from enum import StrEnum

from models.answering.drafts import Conflict
from models.language.kinds import Kind
from verify.domain.ids import ClaimId, SourceId


class State(StrEnum):
    """``PARTIAL``: part of what was asked, or part of what had to be read. The last two are of rows only."""

    STATED = "stated"
    SILENT = "silent"
    CONFLICTING = "conflicting"
    PARTIAL = "partial"
    UNREAD = "unread"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Row:
    """One document of a list, count or comparison, or one event of a chronology. ``date`` is ISO or None."""

    source_id: SourceId
    title: str
    date: str | None
    state: State
    text: str
    claim_ids: tuple[ClaimId, ...] = ()


class PremiseState(StrEnum):
    NOT_FOUND = "not_found"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class Premise:
    """What the question takes for granted and no document says, or one denies. ``text`` says it in a sentence."""

    state: PremiseState
    text: str
    claim_ids: tuple[ClaimId, ...] = ()


class Note(StrEnum):
    """Why nothing is said, or what was left aside."""

    OUTSIDE = "outside"  # advice, or what lies outside the documents


@dataclass(frozen=True, slots=True)
class Found:
    """``text`` is made from words and values of the claims; empty when silent. ``claim_ids`` are those it rests on.
    ``note`` says why it is silent, or what was left aside."""

    kind: Kind
    state: State
    text: str = ""
    claim_ids: tuple[ClaimId, ...] = ()
    rows: tuple[Row, ...] = ()
    premise: Premise | None = None
    conflicts: tuple[Conflict, ...] = ()
    note: Note | None = None
