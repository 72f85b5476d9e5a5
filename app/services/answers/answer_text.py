"""An answer as lines for a terminal: claims that stand first, then those that do not, then what was not found."""

from collections.abc import Iterator, Mapping

from app.messages import (
    ANOTHER_WAY,
    ANSWER_NOTES,
    ANSWER_STATES,
    ANSWER_WARNINGS,
    CONFLICTS,
    FAULTS,
    LIMITATIONS,
    PREMISES,
    READ_AS,
    REASONS,
    RELEASES,
    STATUSES,
    SUPPORT_PHRASES,
    UNANSWERED,
    answered_by,
    count,
    page_name,
    quoted,
    unmatched_word,
    unread_status,
)
from app.services.answers.answers import Answer, AnsweredClaim, Searched
from models.answering.found import Found, State
from verify.domain.claim import Release, SupportLabel
from verify.domain.document import SourceStatus
from verify.domain.ids import SourceId
from verify.report import CheckResult


def answer_lines(answer: Answer) -> Iterator[str]:
    """Plain text, one string a line."""
    paths = {s.passage.source_id: s.passage.path for s in answer.retrieval.passages}
    standing = [c for c in answer.claims if c.release is not Release.BLOCKED]
    failed = [c for c in answer.claims if c.release is Release.BLOCKED]
    if answer.read_as is not None:
        yield f"{READ_AS}: {answer.read_as}"
    if answer.given is not None:
        yield from _given(answer.given)
    for claim in standing:
        yield from _claim(claim, answer, paths)
    if answer.unanswered is not None:
        yield UNANSWERED[answer.unanswered.reason]
        for near in answer.unanswered.nearest:
            yield f"   nearest: {near.path}, {page_name(near.page_label, near.page_index)}"
        yield from (f"   {unmatched_word(one)}" for one in answer.unanswered.unmatched)
    if failed:
        yield "Not supported:"
        for claim in failed:
            yield from _claim(claim, answer, paths)
    yield from (f"{c.earlier} and {c.later}: {CONFLICTS[c.kind]}" for c in answer.conflicts)
    yield from (ANSWER_WARNINGS[code] for code in answer.warnings)
    yield from _searched(answer.retrieval.searched)
    how = "" if answer.unanswered else f"answered {answered_by(answer.model)}. {ANOTHER_WAY}"
    yield f"{answer.answer_id}: {how or answer.model}"


def _given(given: Found) -> Iterator[str]:
    """The answer itself, above what proves it: what the question takes for granted, the line, then row by row."""
    if given.premise is not None:
        yield f"{PREMISES[given.premise.state]}: {given.premise.text}"
    if given.text:
        yield given.text
    if given.state is not State.STATED:
        yield ANSWER_STATES[given.state]
    if given.note is not None:
        yield ANSWER_NOTES[given.note]
    for row in given.rows:
        said = row.text if row.state is State.STATED else ANSWER_STATES[row.state]
        cited = f" [{', '.join(row.claim_ids)}]" if row.claim_ids else ""
        yield f"   {row.title}: {said}{cited}"
    yield ""


def _claim(claim: AnsweredClaim, answer: Answer, paths: Mapping[SourceId, str]) -> Iterator[str]:
    yield f"{claim.claim_id}. {' '.join(claim.text.split())}"
    yield f"   {RELEASES[claim.release]}{_support(claim)}."
    if claim.fault is not None:
        yield f"   {FAULTS[claim.fault]}"
    for check in answer.checks_of(claim):
        yield from _check(check, paths, claim.place_of(check.check_id))
    yield from (f"   Superseded: {words}" for words in claim.superseded)


def _support(claim: AnsweredClaim) -> str:
    """Beside "Not supported" only that the passage says otherwise: its words did not stand the check."""
    label = claim.support.label
    if claim.release is Release.BLOCKED and label is not SupportLabel.CONTRADICTED:
        return ""
    return f"; {SUPPORT_PHRASES[label]}"


def _check(check: CheckResult, paths: Mapping[SourceId, str], cell: str) -> Iterator[str]:
    words = STATUSES[check.status] + (f": {REASONS[check.reason]}" if check.reason else "")
    evidence = check.evidence
    if evidence is None:
        yield f"   [{check.check_id}] {words}"
        return
    path = paths.get(evidence.source_id, evidence.source_id)
    place = ", ".join(filter(None, (path, page_name(evidence.page_label, evidence.page_index), cell)))
    yield f"   [{check.check_id}] {place}: {words}"
    yield f"      {quoted(evidence.text or '')}"
    yield from (f"      {LIMITATIONS[code]}" for code in check.limitations)
    if "qualifier_outside_quote" in check.limitations and evidence.sentence:
        yield f"      The whole sentence: {quoted(evidence.sentence)}"


def _searched(searched: Searched) -> Iterator[str]:
    yield f"Searched: {count(searched.sources, 'document')}, {count(searched.pages, 'page')}."
    for unread in searched.not_read:
        partly = unread.status == SourceStatus.PARTIAL and not unread.unread_pages
        yield f"   {'read in part' if partly else 'not searched'}: {unread.path} ({unread_status(unread)})"
