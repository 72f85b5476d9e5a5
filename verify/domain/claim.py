"""Claims and what they cite. A model never makes a citation: the program attaches it to what the model picked."""

from dataclasses import dataclass
from enum import StrEnum

from verify.domain.ids import CellId, ClaimId, ElementId, Fingerprint, SourceId, TableId


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
class CitedCell:
    """A table cell with all that gives it its meaning. ``value`` is the full value after ``scale``, a decimal string;
    None where the cell holds no number, or one whose unit cannot be told. ``title`` is the table's, ``address`` the
    cell's in its spreadsheet; both are for people and are not checked."""

    table_id: TableId
    cell_id: CellId
    row_path: tuple[str, ...]
    column_path: tuple[str, ...]
    value: str | None
    unit: str | None
    scale: int | None
    title: str | None = None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class CitedValue:
    """A number inside an element: the full value, a decimal string, and its unit. An operand of a calculation."""

    value: str
    unit: str | None


@dataclass(frozen=True, slots=True)
class Citation:
    """A quotation with its pinned place. ``element_id`` is None when the quotation runs over several elements, and
    where it is that of a table's ``cell``. With a ``value`` it is the number in that element which is checked."""

    source_id: SourceId
    fingerprint: Fingerprint
    page_index: int
    page_label: str | None
    quotation: str
    element_id: ElementId | None = None
    end_page_index: int | None = None
    cell: CitedCell | None = None
    value: CitedValue | None = None


@dataclass(frozen=True, slots=True)
class WordingDifference:
    """Where a worded claim could not be aligned with the words that it cites. ``part`` names what differs ("modality");
    ``claim`` and ``page`` are the words of each, "" where one has none. ``start``/``end`` are code-point offsets in the
    claim's text, half-open, equal where it lacks something."""

    part: str
    claim: str
    page: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Support:
    """A triage for a person. ``score`` is 0-1000, ``signals`` each a named method with its own score 0-1000.
    ``differences`` are those of a worded claim."""

    label: SupportLabel
    score: int
    method: str
    signals: tuple[tuple[str, int], ...] = ()
    differences: tuple[WordingDifference, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    claim_id: ClaimId
    text: str
    claim_type: ClaimType
    citations: tuple[Citation, ...]
    support: Support
