"""Every code that can reach a person has words: a walk over all closed lists."""

from dataclasses import replace
from enum import StrEnum

import pytest

from app import messages
from app.cli.console import STAGES
from app.errors import EXIT_STATUS, ErrorCode
from app.services.answers.answers import Decision, ReopenReason, ReviewState, UnmatchedWord, UnreadSource
from app.services.asking.asking import NONE_VERIFIED
from app.services.matter.scope import CLOSED, NOT_YET_READ
from models.answering.drafts import Answers, ConflictKind, Fault, Operation
from models.answering.drafts import Unanswered as WhyUnanswered
from models.answering.found import Note, PremiseState, State
from verify.domain.claim import ClaimType, Release, SupportLabel
from verify.domain.document import Parser, SourceRecord, SourceStatus, SourceWarning, TextSource, WarningCode
from verify.domain.ids import Fingerprint, SourceId
from verify.report import Limitation, Reason, Status

WORDED: list[tuple[type[StrEnum], dict[str, str]]] = [
    (Status, messages.STATUSES),
    (Reason, messages.REASONS),
    (Limitation, messages.LIMITATIONS),
    (WarningCode, messages.WARNINGS),
    (SourceStatus, messages.SOURCE_STATUSES),
    (TextSource, messages.TEXT_SOURCES),
    (SupportLabel, messages.SUPPORT_LABELS),
    (Release, messages.RELEASES),
    (ClaimType, messages.CLAIM_TYPES),
    (ErrorCode, messages.ERRORS),
    (Decision, messages.DECISIONS),
    (ReviewState, messages.REVIEW_STATES),
    (ReopenReason, messages.REOPEN_REASONS),
    (Fault, messages.FAULTS),
    (ConflictKind, messages.CONFLICTS),
    (Operation, messages.CALCULATIONS),
    (Answers, messages.CLAIM_ANSWERS),
    (State, messages.ANSWER_STATES),
    (PremiseState, messages.PREMISES),
    (Note, messages.ANSWER_NOTES),
]


@pytest.mark.parametrize(("codes", "words"), WORDED, ids=[codes.__name__ for codes, _ in WORDED])
def test_every_code_has_words(codes: type[StrEnum], words: dict[str, str]) -> None:
    assert [code for code in codes if not words.get(code)] == []


def test_every_reason_for_no_answer_has_words() -> None:
    assert {*WhyUnanswered, NONE_VERIFIED} <= messages.UNANSWERED.keys()


def test_every_way_of_not_being_read_has_words() -> None:
    assert all(
        messages.unread_status(UnreadSource(None, "a", status)) for status in (*SourceStatus, NOT_YET_READ, CLOSED)
    )


def test_nothing_says_verified_answer_or_shouts() -> None:
    tables = [words for _, words in WORDED] + [messages.UNANSWERED, messages.ANSWER_WARNINGS, STAGES]
    texts = [text for table in tables for text in table.values()]
    assert not [text for text in texts if "verified answer" in text.lower() or "!" in text]


def test_every_error_has_an_exit_status() -> None:
    assert EXIT_STATUS == {
        "usage": 2, "invalid_request": 2, "input_missing": 3, "input_unreadable": 3, "model_unavailable": 4,
        "ocr_unavailable": 4, "access_denied": 5, "store_locked": 6, "store_damaged": 6, "store_newer": 6,
        "interrupted": 130, "internal": 70,
    }  # fmt: skip


def test_a_page_has_its_printed_number_and_its_place_in_the_file() -> None:
    assert messages.page_name("15", 17) == "p. 15 (PDF page 18)"
    assert messages.page_name(None, 0) == "PDF page 1"


def test_a_document_that_was_read_in_part_says_what_is_missing() -> None:
    said = (
        SourceWarning(WarningCode.HAS_REVISIONS, None, "1 insertion"),
        SourceWarning(WarningCode.TRUNCATED, None, "1 formula was saved without a result and shows nothing"),
    )
    record = SourceRecord(
        SourceId("s"), "a.xlsx", Fingerprint("sha256:" + "0" * 64), "x", 2, SourceStatus.PARTIAL,
        Parser("p", "1", "q"), warnings=said,
    )  # fmt: skip
    assert messages.source_status(record) == (
        "2 pages, read in part (1 formula was saved without a result and shows nothing)"
    )
    assert messages.source_status(replace(record, status=SourceStatus.INDEXED)) == "2 pages, ready"


def test_quoted_words_that_no_passage_has_are_told_as_such() -> None:
    assert messages.unmatched_word(UnmatchedWord("in no event", ())) == (
        "No passage that was searched has “in no event” word for word."
    )
