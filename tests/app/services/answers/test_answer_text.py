"""An answer in words: what stands beside a claim, and how its quotation is set."""

import json
from dataclasses import replace
from typing import Any

import pytest

from app.messages import count, quoted
from app.services.answers.answer_json import answer_from_json
from app.services.answers.answer_text import answer_lines
from app.services.answers.answers import Answer, UnreadSource
from verify.domain.claim import Release, SupportLabel

QUESTION = "With how much notice may the Tenant terminate the Lease?"


@pytest.fixture
def answer(place: Any) -> Answer:
    return answer_from_json(json.loads(place.run("ask", QUESTION, "--model", "extractive", "--json")[1]))


def line_of(answer: Answer, release: Release, label: SupportLabel) -> str:
    claim = answer.claims[0]
    changed = replace(claim, release=release, support=replace(claim.support, label=label))
    lines = list(answer_lines(replace(answer, claims=(changed,))))
    return lines[next(n for n, line in enumerate(lines) if line.startswith("c1. ")) + 1].strip()


def test_a_claims_support_is_a_whole_phrase_and_does_not_contradict_its_release(answer: Answer) -> None:
    assert line_of(answer, Release.NEEDS_REVIEW, SupportLabel.UNCLEAR) == (
        "Needs review before it is relied on; whether the passage supports it is unclear."
    )
    assert line_of(answer, Release.SHOW, SupportLabel.SUPPORTED) == (
        "Passage verified; legal conclusion pending review; the passage supports it."
    )
    assert line_of(answer, Release.BLOCKED, SupportLabel.SUPPORTED) == "Not supported."
    assert line_of(answer, Release.BLOCKED, SupportLabel.CONTRADICTED) == "Not supported; the passage contradicts it."


def test_a_quotation_has_one_pair_of_marks() -> None:
    assert quoted("The rent\nis due.") == "“The rent is due.”"
    assert quoted("“Rent” means the “annual rent”") == "“Rent” means the “annual rent”"
    assert quoted('"The rent is due."') == '"The rent is due."'


def test_a_decision_is_said_in_words(place: Any, answer: Answer) -> None:
    _, out, _ = place.run("review", answer.answer_id, "c1", "--decision", "needs_work")
    assert out == "c1: needs work. Recorded.\n"


def test_one_is_singular() -> None:
    assert [count(1, "page"), count(1200, "page"), count(2, "copy", "copies")] == ["1 page", "1,200 pages", "2 copies"]


def test_a_document_that_was_read_in_part_is_not_said_to_be_left_out(answer: Answer) -> None:
    unread = (UnreadSource(None, "a.xlsx", "partial", 0, 2), UnreadSource(None, "b.pdf", "partial", 1, 2))
    searched = replace(answer.retrieval.searched, not_read=unread)
    lines = list(answer_lines(replace(answer, retrieval=replace(answer.retrieval, searched=searched))))
    assert any(line.startswith("   read in part: a.xlsx (") for line in lines)
    assert "   not searched: b.pdf (1 of 2 pages has no readable text)" in lines
