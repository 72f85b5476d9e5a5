"""The answer above its claims, in words: the line, how it was found, what the question takes for granted, the rows."""

from dataclasses import dataclass

from app import messages
from app.services.answers.answers import Answer
from app.viewmodels.wording import BAD, GOOD, QUIET, WARN, Chip, chip, count
from models.answering.found import Found, Row, State
from models.language.kinds import Kind
from verify.domain.ids import ClaimId

_TONES = {State.STATED: GOOD, State.CONFLICTING: BAD, State.PARTIAL: WARN, State.UNREAD: WARN, State.UNCLEAR: WARN}
_ROWS = frozenset({Kind.LIST, Kind.COUNT, Kind.COMPARE})
"""Kinds that ask every document alone, so that a row is a document."""


@dataclass(frozen=True, slots=True)
class RowLine:
    """``claim_id`` is the first claim that proves the row, None for one that says nothing."""

    title: str
    date: str
    words: str
    chip: Chip
    claim_id: ClaimId | None


@dataclass(frozen=True, slots=True)
class AnswerHead:
    """``line`` is empty where nothing is said; ``state`` then says so. ``silent`` are the rows of documents that were
    read and do not say; they are folded."""

    line: str
    state: Chip | None
    how: str
    read_as: str
    premise: str
    note: str
    rows: tuple[RowLine, ...]
    silent: tuple[RowLine, ...]

    @property
    def silent_words(self) -> str:
        return f"{count(len(self.silent), 'document')} {'does' if len(self.silent) == 1 else 'do'} not say"


def head_of(answer: Answer) -> AnswerHead | None:
    """None for an answer that was saved before answers had a line."""
    given = answer.given
    if given is None:
        return None
    lines = [_row(row) for row in given.rows]
    premise = "" if given.premise is None else f"{messages.PREMISES[given.premise.state]}: {given.premise.text}"
    return AnswerHead(
        given.text,
        _state(given),
        _how(given),
        "" if answer.read_as is None else f"{messages.READ_AS}: {answer.read_as}",
        premise,
        "" if given.note is None else messages.ANSWER_NOTES[given.note],
        tuple(line for line, row in zip(lines, given.rows, strict=True) if row.state is not State.SILENT),
        tuple(line for line, row in zip(lines, given.rows, strict=True) if row.state is State.SILENT),
    )


def _state(given: Found) -> Chip | None:
    """A plain answer needs no label."""
    if given.state is State.STATED:
        return None
    words = messages.ANSWER_STATES[given.state]
    return chip(words[:1].upper() + words[1:].rstrip("."), _TONES.get(given.state, QUIET))


def _how(given: Found) -> str:
    """``Asked each of 35 documents; 3 could not be read``."""
    if given.kind not in _ROWS or not given.rows:
        return ""
    unread = sum(row.state is State.UNREAD for row in given.rows)
    asked = count(len(given.rows), "document")
    return f"Asked each of {asked}" + (f"; {unread} could not be read" if unread else "")


def _row(row: Row) -> RowLine:
    words = row.text if row.text else messages.ANSWER_STATES[row.state]
    state = messages.ANSWER_STATES[row.state].partition(":")[0].capitalize().rstrip(".")
    claim = row.claim_ids[0] if row.claim_ids else None
    return RowLine(row.title, row.date or "", words, chip(state, _TONES.get(row.state, QUIET)), claim)
