"""Statuses, reasons and the report, exactly as contract section 5 writes them. All values are closed lists."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from verify.domain.document import Parser, TextSource
from verify.domain.geometry import Box
from verify.domain.ids import CheckId, ClaimId, ElementId, Fingerprint, SourceId

SCHEMA = "pincite.report/1"


class Status(StrEnum):
    VERIFIED = "verified"
    MISMATCH = "mismatch"
    NOT_FOUND = "not_found"
    STALE = "stale"
    CAPABILITY_LIMITED = "capability_limited"
    INVALID = "invalid"
    DENIED = "denied"


class Reason(StrEnum):
    TEXT_MISMATCH = "text_mismatch"
    VALUE_MISMATCH = "value_mismatch"
    UNIT_MISMATCH = "unit_mismatch"
    SCALE_MISMATCH = "scale_mismatch"
    LABEL_MISMATCH = "label_mismatch"
    LOCATOR_CONFLICT = "locator_conflict"
    HEADER_MISMATCH = "header_mismatch"
    PARTIAL_WORD = "partial_word"
    CONTINUES_ON_NEXT_PAGE = "continues_on_next_page"
    EVIDENCE_ON_OTHER_PAGE = "evidence_on_other_page"
    SOURCE_UNKNOWN = "source_unknown"
    SOURCE_MISSING = "source_missing"
    PAGE_OUT_OF_RANGE = "page_out_of_range"
    ELEMENT_NOT_FOUND = "element_not_found"
    TABLE_NOT_FOUND = "table_not_found"
    ROW_NOT_FOUND = "row_not_found"
    COLUMN_NOT_FOUND = "column_not_found"
    CELL_NOT_FOUND = "cell_not_found"
    NO_TEXT_IN_REGION = "no_text_in_region"
    FINGERPRINT_CHANGED = "fingerprint_changed"
    NO_TEXT_LAYER = "no_text_layer"
    OCR_LOW_CONFIDENCE = "ocr_low_confidence"
    NO_TABLE_STRUCTURE = "no_table_structure"
    UNKNOWN_COORDINATE_ORIGIN = "unknown_coordinate_origin"
    AMBIGUOUS_PATH = "ambiguous_path"
    UNIT_UNKNOWN = "unit_unknown"
    VALUE_AMBIGUOUS = "value_ambiguous"
    TEXT_NOT_VISIBLE = "text_not_visible"
    SEEN_DIFFERS = "seen_differs"
    GARBLED_TEXT = "garbled_text"
    DOCUMENT_LOCKED = "document_locked"
    DOCUMENT_UNREADABLE = "document_unreadable"
    SCHEMA_ERROR = "schema_error"
    FINGERPRINT_MISSING = "fingerprint_missing"
    LOCATOR_MISSING = "locator_missing"
    EVIDENCE_MISSING = "evidence_missing"
    EVIDENCE_EMPTY = "evidence_empty"
    BAD_GEOMETRY = "bad_geometry"
    UNKNOWN_KIND = "unknown_kind"
    ACCESS_DENIED = "access_denied"

    @property
    def status(self) -> Status:
        return _STATUS[self]


_REASONS = tuple(Reason)
_FIRST_OF = {
    Reason.TEXT_MISMATCH: Status.MISMATCH,
    Reason.SOURCE_UNKNOWN: Status.NOT_FOUND,
    Reason.FINGERPRINT_CHANGED: Status.STALE,
    Reason.NO_TEXT_LAYER: Status.CAPABILITY_LIMITED,
    Reason.SCHEMA_ERROR: Status.INVALID,
    Reason.ACCESS_DENIED: Status.DENIED,
}
"""``Reason`` is written in the contract's order, so each status begins with its first reason."""


def _statuses() -> dict[Reason, Status]:
    status = Status.MISMATCH
    found = {}
    for reason in _REASONS:
        status = _FIRST_OF.get(reason, status)
        found[reason] = status
    return found


_STATUS = _statuses()


class Match(StrEnum):
    EXACT = "exact"
    NORMALIZED = "normalized"
    TYPOGRAPHIC = "typographic"
    ALTERED = "altered"


class Limitation(StrEnum):
    """``header_or_footer``, ``hidden_text_inside``, ``quoted_reply``, ``not_looked_at`` and ``not_read_again`` are this
    program's own, beside those that the contract names."""

    QUALIFIER_OUTSIDE_QUOTE = "qualifier_outside_quote"
    QUALIFIERS_NOT_CHECKED = "qualifiers_not_checked"
    OCR_TEXT = "ocr_text"
    EMBEDDED_OCR = "embedded_ocr"
    MULTIPLE_OCCURRENCES = "multiple_occurrences"
    HEADER_OR_FOOTER = "header_or_footer"
    HIDDEN_TEXT_INSIDE = "hidden_text_inside"
    STRUCK_THROUGH = "struck_through"
    DELETED_TEXT = "deleted_text"
    INSERTED_TEXT = "inserted_text"
    COMMENT_TEXT = "comment_text"
    QUOTED_REPLY = "quoted_reply"
    OBJECT_INSIDE_QUOTE = "object_inside_quote"
    ANNOTATION_TEXT = "annotation_text"
    FIELD_TEXT = "field_text"
    NOT_LOOKED_AT = "not_looked_at"
    NOT_READ_AGAIN = "not_read_again"
    ALTERED_QUOTATION = "altered_quotation"
    QUALIFIER_LEFT_OUT = "qualifier_left_out"
    CROSSES_ELEMENTS = "crosses_elements"
    CROSSES_CELLS = "crosses_cells"
    PARTIAL_SENTENCE = "partial_sentence"


class Role(StrEnum):
    TEXT = "text"
    CELL = "cell"
    ROW_HEADER = "row_header"
    COLUMN_HEADER = "column_header"
    UNIT = "unit"
    FOOTNOTE = "footnote"


class Region(NamedTuple):
    page_index: int
    bbox: Box
    role: Role


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was found. ``start``/``end`` are code-point offsets in the text of the page where it starts and of the page
    where it ends, None where it lies in no page's text.

    ``before`` and ``after`` are for a person: the sentences around ``sentence``, the lead-in of a list, the heading
    above. They change nothing.
    """

    source_id: SourceId
    fingerprint: Fingerprint
    page_index: int
    page_label: str | None
    element_ids: tuple[ElementId, ...] = ()
    text: str | None = None
    sentence: str | None = None
    start: int | None = None
    end: int | None = None
    regions: tuple[Region, ...] = ()
    text_source: TextSource | None = None
    ocr_confidence: int | None = None
    before: str | None = None
    after: str | None = None


class Elsewhere(NamedTuple):
    page_index: int
    page_label: str | None
    element_id: ElementId | None


class DifferenceKind(StrEnum):
    NUMBER = "number"
    DATE = "date"
    AMOUNT = "amount"
    NEGATION = "negation"
    MODAL = "modal"
    PARTY = "party"
    UNIT = "unit"
    WORD_ADDED = "word_added"
    WORD_MISSING = "word_missing"
    WORD_CHANGED = "word_changed"
    PUNCTUATION = "punctuation"
    CASE = "case"


class Difference(NamedTuple):
    """``expected`` as asked, ``found`` as the page shows; one of them is "" where a word was added or is missing."""

    kind: DifferenceKind
    expected: str
    found: str


class AlterationKind(StrEnum):
    """How a quotation was altered as lawyers mark it (contract section 5, rule 11)."""

    OMISSION = "omission"
    REPLACEMENT = "replacement"
    INSERTION = "insertion"
    CASE = "case"
    SIC = "sic"
    REMARK = "remark"
    NOTE_MARK = "note_mark"
    QUOTATION_MARK = "quotation_mark"
    FINAL_STOP = "final_stop"


class Alteration(NamedTuple):
    """``expected`` as quoted ("…", "[t]"), ``found`` what the page has in its place, "" for nothing.

    ``start``/``end`` are code-point offsets of ``found`` in the text of the page where it starts and where it ends,
    None where it lies in no page's text.
    """

    kind: AlterationKind
    expected: str
    found: str
    start: int | None
    end: int | None


class Nearest(NamedTuple):
    """The nearest true text; offered to a reader, it never changes a status."""

    page_index: int
    element_id: ElementId | None
    text: str


@dataclass(frozen=True, slots=True)
class CheckResult:
    check_id: CheckId | None
    claim_id: ClaimId | None
    kind: str | None
    status: Status
    reason: Reason | None = None
    match: Match | None = None
    occurrences: int = 0
    limitations: tuple[Limitation, ...] = ()
    evidence: Evidence | None = None
    found_elsewhere: tuple[Elsewhere, ...] = ()
    difference: tuple[Difference, ...] = ()
    nearest: Nearest | None = None
    alterations: tuple[Alteration, ...] = ()


@dataclass(frozen=True, slots=True)
class Verifier:
    """What made the report. ``parsers`` are those of the sources asked about, in order of first mention."""

    version: str
    profiles: tuple[str, ...]
    parsers: tuple[Parser, ...] = ()
    ocr_engine: str | None = None


@dataclass(frozen=True, slots=True)
class VerificationReport:
    request_id: str
    request_sha256: str
    verifier: Verifier
    checked_at: str
    checks: tuple[CheckResult, ...]

    @property
    def all_verified(self) -> bool:
        """False for an empty request."""
        return bool(self.checks) and all(c.status is Status.VERIFIED for c in self.checks)

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "request_id": self.request_id,
            "request_sha256": self.request_sha256,
            "verifier": {
                "version": self.verifier.version,
                "normalization_profiles": list(self.verifier.profiles),
                "parser": [{"name": p.name, "version": p.version, "profile": p.profile} for p in self.verifier.parsers],
                "ocr_engine": self.verifier.ocr_engine,
            },
            "checked_at": self.checked_at,
            "all_verified": self.all_verified,
            "checks": [check_json(c) for c in self.checks],
        }


def check_json(c: CheckResult) -> dict[str, Any]:
    return {
        "check_id": c.check_id,
        "claim_id": c.claim_id,
        "kind": c.kind,
        "status": c.status.value,
        "reason": c.reason.value if c.reason else None,
        "match": c.match.value if c.match else None,
        "occurrences": c.occurrences,
        "limitations": [limitation.value for limitation in c.limitations],
        "evidence": evidence_json(c.evidence) if c.evidence else None,
        "found_elsewhere": [e._asdict() for e in c.found_elsewhere],
        "difference": [{"kind": d.kind.value, "expected": d.expected, "found": d.found} for d in c.difference],
        "nearest": c.nearest._asdict() if c.nearest else None,
        "alterations": [a._asdict() | {"kind": a.kind.value} for a in c.alterations],
    }


def evidence_json(e: Evidence) -> dict[str, Any]:
    return {
        "source_id": e.source_id,
        "fingerprint": e.fingerprint,
        "page_index": e.page_index,
        "page_label": e.page_label,
        "element_ids": list(e.element_ids),
        "text": e.text,
        "sentence": e.sentence,
        "start": e.start,
        "end": e.end,
        "regions": [region_json(r) for r in e.regions],
        "text_source": e.text_source.value if e.text_source else None,
        "ocr_confidence": e.ocr_confidence,
        "before": e.before,
        "after": e.after,
    }


def region_json(region: Region) -> dict[str, Any]:
    return {"page_index": region.page_index, "bbox": list(region.bbox), "role": region.role.value}
