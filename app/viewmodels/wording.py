"""Words and tones for the window. Codes are worded in ``app.messages``; here they become chips, rows and lines."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from app import messages
from verify.domain.claim import SupportLabel
from verify.domain.document import SourceRecord, SourceStatus, WarningCode

GOOD, WARN, BAD, QUIET = "good", "warn", "bad", "quiet"


@dataclass(frozen=True, slots=True)
class Chip:
    """``sign`` tells the tone without colour; ``hint`` is the whole sentence."""

    words: str
    tone: str
    sign: str
    hint: str = ""

    @property
    def shown(self) -> str:
        return f"{self.sign} {self.words}"


_SIGNS = {GOOD: "✓", WARN: "!", BAD: "✕", QUIET: "·"}


def chip(words: str, tone: str, hint: str = "") -> Chip:
    return Chip(words, tone, _SIGNS[tone], hint)


def citation_chip(status: str, reason: str | None, ocr: bool) -> Chip:
    """What the check found. A scan is never plainly verified: a person looks."""
    if status == "verified":
        if ocr:
            return chip("Passage verified on a scan", WARN, messages.LIMITATIONS["ocr_text"])
        return chip(messages.STATUSES[status], GOOD, "The exact words stand on that page. The conclusion is yours.")
    words = messages.CHIPS.get(reason or "", messages.STATUSES[status])
    why = messages.REASONS[reason] if reason else messages.STATUSES[status]
    return chip(words, WARN if status == "capability_limited" else BAD, f"{why[0].upper()}{why[1:]}.")


def support_chip(label: SupportLabel, method: str) -> Chip:
    """Quieter than the citation's: a triage, never a verification."""
    if method == "verbatim":
        return chip("its own words", QUIET, "The sentence is a quotation from the document itself.")
    if method == "table_cell":
        return chip("a table's cell", QUIET, "The sentence is the cell with its headers and the table's unit.")
    tone = BAD if label is SupportLabel.CONTRADICTED else QUIET
    hint = "A triage of whether the passage supports the sentence. A person decides."
    return chip(messages.SUPPORT_LABELS[label], tone, hint)


_TONES = {
    SourceStatus.PARTIAL: WARN,
    SourceStatus.NEEDS_PASSWORD: WARN,
    SourceStatus.UNREADABLE: BAD,
    SourceStatus.MISSING: WARN,
}


def status_tone(record: SourceRecord) -> str:
    """Quiet unless a person has to do something."""
    return _TONES.get(record.status, QUIET)


def file_name(path: str) -> str:
    """The last part of a path; a member of another file with that file's name behind it."""
    container, _, member = path.rpartition("!/")
    name = PurePosixPath(member or path).name
    return f"{name} (in {PurePosixPath(container.rpartition('!/')[2] or container).name})" if container else name


_KINDS = (
    ("pdf", "pdf"), ("rfc822", "mail"), ("outlook", "mail"), ("image/", "image"), ("spreadsheet", "sheet"),
    ("excel", "sheet"), ("csv", "sheet"), ("zip", "archive"), ("tar", "archive"), ("word", "text"), ("text", "text"),
)  # fmt: skip


def kind_of(record: SourceRecord) -> str:
    """The name of the type's icon."""
    return next((kind for mark, kind in _KINDS if mark in record.media_type), "file")


SERIOUS = frozenset(
    {
        WarningCode.FAILED_REDACTION, WarningCode.HIDDEN_TEXT, WarningCode.COVERED_TEXT, WarningCode.GARBLED_TEXT,
        WarningCode.PAGE_FAILED, WarningCode.TRUNCATED, WarningCode.OCR_LOW_CONFIDENCE,
    }
)  # fmt: skip
"""What a reader of the page has to know before relying on it."""

PAGE_FAULTS = {
    "missing": "The file is no longer where it was read. Put it back, then read the folder again.",
    "unreadable": "The file could not be opened. Open it in its own program to see why, then read the folder again.",
    "locked": "This document needs its password.",
    "not_open": "The document was closed. Choose it again.",
    "page_failed": "This page could not be drawn.",
    "changed": "This file was changed after it was read. Read it again to see it marked.",
    "not_saved": "The PDF could not be written there. Choose another folder.",
}


def count(number: int, noun: str) -> str:
    """``1 page``, ``1,200 pages``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def duration(seconds: float) -> str:
    """Roughly, as a person says it."""
    if seconds < 50:
        return "less than a minute"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"about {count(max(minutes, 1), 'minute')}"
    return f"about {count(round(seconds / 3600), 'hour')}"


def size_words(amount: int) -> str:
    """Bytes in decimal units, as file managers show them."""
    if amount < 1000:
        return count(amount, "byte")
    value = amount / 1000
    for unit in ("kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "kB" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
