"""Claims and what they cite. A model never makes a citation: the program attaches it to what the model picked."""

from dataclasses import dataclass
from enum import StrEnum

from verify.domain.ids import ClaimId, ElementId, Fingerprint, SourceId


class ClaimType(StrEnum):
    SOURCE_FACT = "source_fact"
    SYNTHESIS = "synthesis"
    CALCULATION = "calculation"


class SupportLabel(StrEnum):
    SUPPORTED = "supported"
    UNCLEAR = "unclear"
    CONTRADICTED = "contradicted"
    NOT_EVALUATED = "not_evaluated"


class Release(StrEnum):
    SHOW = "show"
    NEEDS_REVIEW = "needs_review"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Citation:
    """A quotation with its pinned place. ``element_id`` is None when the quotation runs over several elements."""

    source_id: SourceId
    fingerprint: Fingerprint
    page_index: int
    page_label: str | None
    quotation: str
    element_id: ElementId | None = None
    end_page_index: int | None = None


@dataclass(frozen=True, slots=True)
class Support:
    """A triage for a person. ``score`` is 0-1000, ``signals`` each a named method with its own score 0-1000."""

    label: SupportLabel
    score: int
    method: str
    signals: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    claim_id: ClaimId
    text: str
    claim_type: ClaimType
    citations: tuple[Citation, ...]
    support: Support
