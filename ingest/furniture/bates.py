"""Bates numbers and court filing stamps: what was put on a page by someone who handled it, never its page number."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from verify.domain.document import SourceWarning, WarningCode

_BATES = re.compile(
    r"(?P<prefix>[A-Za-z][A-Za-z&.]{0,19}(?:[ _-][A-Za-z&.]{1,19}){0,3})[ _-]{0,3}"
    r"(?P<number>[0-9]{3,12})(?P<suffix>[._-][0-9]{1,5}|[A-Z])?"
)
_NO_PREFIX = frozenset(
    """page pages pg p no nos number case doc document docket section sec art article clause exhibit ex schedule annex
    appendix room suite box tel fax phone vol form rev version street road figure table fig line lines act rule january
    february march april may june july august september october november december jan feb mar apr jun jul aug sep sept
    oct nov dec chapter part item note id isbn issn order invoice ref reference cl para paragraph""".split()  # noqa: SIM905
)
_COURT = re.compile(
    r"(?:[A-Z0-9]{2,10} )?(?:appellate )?case:?\s+(?:no\.\s*)?[\w:]*\d[\w:.-]*.{0,60}?"
    r"\b(?:doc(?:ument|ket)?|filed|page(?:id)?|entry)\b",
    re.IGNORECASE,
)
_COURT_PART = re.compile(
    r"(?:page\s?id\s?#?:?\s?\d+|desc main|entered \d|document \d+-?\d* filed|document\s+page \d+ of \d+$)",
    re.IGNORECASE,
)
_FILING = re.compile(
    r"(?:E-?|ELECTRONICALLY )?(?:FILED|RECEIVED|LODGED|DOCKETED|ENTERED)(?:\s+(?:ON|AT|IN|BY)?\b.{0,40}\d{4}\b.{0,20})?"
)
_IN_STAMPS = frozenset(("of", "on", "at", "filed", "page", "document", "entered", "case", "id", "main"))
_FEWEST_PROSE = 2
_SENTENCES = re.compile(r"(?<!No)\. [A-Z][a-z]")
"""Text that cites a docket at the foot of a page is no stamp: "Case No. 1-2, Docket Entry No. 3. The brief ..."."""

SURE_DIGITS = 5
"""A number with fewer digits is taken for something else: a form's or a room's number."""


class Bates(NamedTuple):
    """``text`` as printed; ``prefix`` folded for comparison; ``width`` digits, with the zeros that fill them up."""

    text: str
    prefix: str
    number: int
    width: int
    suffix: str


def bates_number(text: str) -> Bates | None:
    """The Bates number that the whole text is, else None."""
    match = _BATES.fullmatch(text.strip())
    if match is None:
        return None
    prefix = match["prefix"].strip(" _-.")
    if any(word.strip(".") in _NO_PREFIX for word in re.split(r"[ _-]", prefix.lower())):
        return None
    digits = match["number"]
    return Bates(text.strip(), re.sub(r"[^A-Z]", "", prefix.upper()), int(digits), len(digits), match["suffix"] or "")


def is_court_stamp(text: str) -> bool:
    """True for the line that a court's filing system prints on every page ("Case 1:20-cv-1 Document 4 Filed …")."""
    if _COURT.match(text) is None and _COURT_PART.match(text) is None:
        return False
    prose = [word for word in text.split() if word.isalpha() and word.islower() and word not in _IN_STAMPS]
    return len(prose) < _FEWEST_PROSE and _SENTENCES.search(text) is None


def is_filing_mark(text: str) -> bool:
    """True for a clerk's stamp in capitals, with its date or without: "FILED", "RECEIVED MAR 3 2021"."""
    return text[:1] in "FRLDE" and _FILING.fullmatch(text) is not None


def run_warnings(pages: Iterable[tuple[int, Bates | None]]) -> Iterator[SourceWarning]:
    """Gaps and repeats within a run of one prefix, in page order. Suffixed numbers belong to their main number."""
    last: dict[str, Bates] = {}
    for index, bates in pages:
        if bates is None:
            continue
        before = last.get(bates.prefix)
        last[bates.prefix] = bates
        if before is None:
            continue
        if (bates.number, bates.suffix) == (before.number, before.suffix):
            yield SourceWarning(
                WarningCode.BATES_DUPLICATE, index, f"{bates.prefix} {bates.number} stands on two pages"
            )
        elif bates.number > before.number + 1:
            missing = _span(before.number + 1, bates.number - 1)
            yield SourceWarning(WarningCode.BATES_GAP, index, f"{bates.prefix} {missing} is missing before this page")
        elif bates.number < before.number:
            yield SourceWarning(WarningCode.BATES_GAP, index, f"the run {bates.prefix} goes back on this page")


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"
