"""What a claim's card says, by hand."""

import pytest

from app.messages import WORDING_PARTS, difference_words, wording_line
from app.viewmodels.cards import day, moment, own_clause, section
from app.viewmodels.wording import citation_chip, count, duration, file_name, size_words, support_chip
from models.triage.alignment import Part
from verify.domain.claim import SupportLabel, WordingDifference
from verify.report import Difference, DifferenceKind


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("12.2 The Customer may terminate", "§ 12.2"),
        ("“12.2 The Customer may terminate", "§ 12.2"),
        ("7. Termination. Either party", "§ 7"),
        ("12.4 million euros were paid", ""),
        ("30 June 2024 is the last day", ""),
        ("The Customer may terminate", ""),
    ],
)
def test_only_words_that_begin_with_a_clause_number_name_it(text: str, clause: str) -> None:
    assert own_clause(text) == clause


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("7.1 Notice", "§ 7.1 Notice"),
        ("Article 9. Liability", "§ 9 Liability"),
        ("TERMINATION", "TERMINATION"),
        ("A heading that runs on for far longer than a citation can bear", ""),
        ("12.1 " + "word " * 20, "§ 12.1"),
    ],
)
def test_a_heading_as_a_pinpoint(heading: str, shown: str) -> None:
    assert section(heading) == shown


def test_chips_never_say_more_than_was_checked() -> None:
    assert citation_chip("verified", None, ocr=False).shown == "✓ Passage verified"
    scan = citation_chip("verified", None, ocr=True)
    assert (scan.words, scan.tone) == ("Passage verified on a scan", "warn")
    elsewhere = citation_chip("mismatch", "evidence_on_other_page", ocr=False)
    assert (elsewhere.words, elsewhere.tone, elsewhere.sign) == ("Not on that page", "bad", "✕")
    assert citation_chip("stale", "fingerprint_changed", ocr=False).words == "Document changed"
    assert citation_chip("capability_limited", "ocr_low_confidence", ocr=False).words == "Scan: check by eye"
    assert support_chip(SupportLabel.CONTRADICTED, "terms").tone == "bad"
    assert support_chip(SupportLabel.SUPPORTED, "terms").tone == "quiet"


def test_a_difference_in_words() -> None:
    changed = Difference(DifferenceKind.NUMBER, "30", "60")
    assert difference_words(changed) == "number: cited “30”, the page has “60”"
    missing = Difference(DifferenceKind.WORD_MISSING, "not", "")
    assert difference_words(missing) == "word missing: cited “not”, the page lacks it"


def test_every_part_of_a_wording_has_words() -> None:
    assert WORDING_PARTS.keys() == {part.value for part in Part}


def test_a_wording_that_could_not_be_aligned_in_words() -> None:
    exchanged = WordingDifference("modality", "must", "may", 10, 14)
    assert wording_line(exchanged) == "Duty or permission: the claim has “must”, the page “may”"
    left_out = WordingDifference("condition", "", "if", 30, 30)
    assert wording_line(left_out) == "Condition: the cited words have “if”, which the claim leaves out"
    added = WordingDifference("other_words", "worldwide", "", 5, 14)
    assert wording_line(added) == "Other words: the claim has “worldwide”, which the cited words do not say"
    moved = WordingDifference("who_and_what", "Buyer", "buyer", 4, 9)
    assert wording_line(moved) == "Who and what: “Buyer” is in another place in the cited words"


def test_names_numbers_and_times() -> None:
    assert file_name("mail/notice.eml!/Readings.pdf") == "Readings.pdf (in notice.eml)"
    assert file_name("a/b/MSA.pdf") == "MSA.pdf"
    assert (count(1, "page"), count(1200, "page")) == ("1 page", "1,200 pages")
    assert (duration(20), duration(170), duration(7300)) == ("less than a minute", "about 3 minutes", "about 2 hours")
    assert (size_words(999), size_words(12_400), size_words(3_200_000)) == ("999 bytes", "12 kB", "3.2 MB")
    assert day("2026-11-30T10:31:07Z") == "30 Nov 2026"
    assert moment("2026-11-30T10:31:07Z") == "30 Nov 2026, 10:31 UTC"
