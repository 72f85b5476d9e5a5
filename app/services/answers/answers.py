"""A saved answer: what was asked, shown, claimed, checked and decided. ``answer_json`` has its form in the contract."""

from dataclasses import dataclass
from enum import StrEnum

from models.answering.drafts import Answers
from models.answering.found import Found
from verify.domain.canonical import sha256_of
from verify.domain.claim import ClaimType, Release, Support
from verify.domain.ids import AnswerId, CheckId, ClaimId, ElementId, PassageId, SourceId
from verify.report import CheckResult, Region, VerificationReport

LONGEST_QUESTION = 4_000
"""Characters; what is longer is a document, not a question."""


class Decision(StrEnum):
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    NEEDS_WORK = "needs_work"


class ReviewState(StrEnum):
    CURRENT = "current"
    REOPENED = "reopened"


class ReopenReason(StrEnum):
    """Why a decision no longer stands on what the reviewer saw."""

    SOURCE_CHANGED = "source_changed"  # other bytes on disk, or the file is gone
    TEXT_LAYER_CHANGED = "text_layer_changed"  # same bytes, read by another parser or OCR
    VERDICT_CHANGED = "verdict_changed"  # same text, another status, reason or evidence


@dataclass(frozen=True, slots=True)
class Reopening:
    """The difference that reopened a decision. ``before``/``after`` are fingerprints, parser profiles or verdicts
    ("verified", "stale/fingerprint_changed"), never document text."""

    reason: ReopenReason
    check_id: CheckId
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Review:
    """``report_sha256`` is of the canonical JSON of the claim's check results that the reviewer saw."""

    decision: Decision
    reviewer: str
    at: str
    note: str | None
    authority: str | None
    relevance: str | None
    report_sha256: str
    state: ReviewState = ReviewState.CURRENT
    reopened_because: tuple[Reopening, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """One ranked passage. ``start``/``end`` are code-point offsets: in the text of ``page_index`` and of
    ``end_page_index``; None for annotations and form fields, whose text is no part of the page's. ``kind`` is a
    ``PassageKind``. ``score`` counts millionths of the ranking's own score. Ranks count from 1."""

    rank: int
    passage_id: PassageId
    source_id: SourceId
    path: str
    page_index: int
    end_page_index: int
    page_label: str | None
    element_ids: tuple[ElementId, ...]
    heading_path: tuple[str, ...]
    text: str
    start: int | None
    end: int | None
    regions: tuple[Region, ...]
    score: int
    lexical_rank: int | None
    dense_rank: int | None
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A passage that the model was shown, under the handle by which it could cite it."""

    handle: str
    passage: FoundPassage


@dataclass(frozen=True, slots=True)
class UnreadSource:
    """``status`` is that of the source, or "not_yet_read" for a file (without an id) that no reading has met.
    ``unread_pages`` of its ``page_count`` pages gave no text; where it is 0 the status says why it was not searched."""

    source_id: SourceId | None
    path: str
    status: str
    unread_pages: int = 0
    page_count: int = 0


@dataclass(frozen=True, slots=True)
class Searched:
    """What an answer rests on: how much was read, and what could not be or was not yet."""

    sources: int
    pages: int
    passages: int
    not_read: tuple[UnreadSource, ...]


@dataclass(frozen=True, slots=True)
class UnmatchedWord:
    """A word that was asked and stands nowhere in what was searched; ``nearest`` in spelling do, as an offer."""

    word: str
    nearest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unanswered:
    """``reason`` is a code ("not_found" …), worded in ``app.messages``."""

    reason: str
    searched: Searched
    nearest: tuple[FoundPassage, ...]
    unmatched: tuple[UnmatchedWord, ...] = ()


@dataclass(frozen=True, slots=True)
class Retrieval:
    """``embedder`` is None where only words were compared. ``left_out`` counts passages that did not fit the prompt."""

    mode: str
    k: int
    embedder: str | None
    passages: tuple[ShownPassage, ...]
    left_out: int
    searched: Searched


@dataclass(frozen=True, slots=True)
class Calculation:
    """``operands`` are checks of the same answer; ``result`` is a decimal string, exact."""

    operation: str
    operands: tuple[CheckId, ...]
    result: str
    unit: str | None


@dataclass(frozen=True, slots=True)
class AnsweredClaim:
    """A claim with its verified state. ``fault`` is a code: why a claim failed before any check (an unknown handle …).
    ``superseded`` names, in words, what replaced a cited source. ``places``: by check, where a cited table's cell
    stands, in words."""

    claim_id: ClaimId
    text: str
    claim_type: ClaimType
    check_ids: tuple[CheckId, ...]
    support: Support
    release: Release
    review: Review | None = None
    calculation: Calculation | None = None
    fault: str | None = None
    superseded: tuple[str, ...] = ()
    places: tuple[tuple[CheckId, str], ...] = ()
    answers: Answers = Answers.YES

    @property
    def text_sha256(self) -> str:
        return sha256_of(self.text.encode())

    def place_of(self, check_id: CheckId | None) -> str:
        """Empty where no table's cell is cited."""
        return next((words for check, words in self.places if check == check_id), "")


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two claims that cannot both hold as they stand; ``kind`` is a code. For "amended" ``later`` changes the other."""

    kind: str
    earlier: ClaimId
    later: ClaimId


@dataclass(frozen=True, slots=True)
class Answer:
    """``warnings`` are codes about how it was made. ``conflicts`` are shown, never resolved. ``given`` is the answer
    itself, None in one saved before there was such a thing. ``after`` is the answer that it follows, ``read_as`` the
    question as it was then completed."""

    answer_id: AnswerId
    question: str
    asked_at: str
    model: str
    prompt_sha256: str | None
    retrieval: Retrieval
    claims: tuple[AnsweredClaim, ...]
    unanswered: Unanswered | None
    report: VerificationReport
    conflicts: tuple[Conflict, ...] = ()
    warnings: tuple[str, ...] = ()
    given: Found | None = None
    after: AnswerId | None = None
    read_as: str | None = None

    def claim(self, claim_id: ClaimId) -> AnsweredClaim | None:
        return next((c for c in self.claims if c.claim_id == claim_id), None)

    def check(self, check_id: CheckId) -> CheckResult | None:
        return next((c for c in self.report.checks if c.check_id == check_id), None)

    def checks_of(self, claim: AnsweredClaim) -> tuple[CheckResult, ...]:
        return tuple(c for c in self.report.checks if c.check_id in claim.check_ids)
