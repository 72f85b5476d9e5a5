"""A table of questions by documents in the form of the contract: each cell an answer with its claims and report."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from app.services.answers.answer_json import claim_to_json, given_to_json
from app.services.answers.answers import Answer
from app.services.answers.history import load_saved
from app.services.matter.matter import Matter
from app.services.table.asking import table_sources
from app.services.table.cells import Cell
from models.answering.found import Found, State
from models.language.kinds import Kind
from verify.domain.claim import Release
from verify.domain.document import SourceRecord, SourceStatus
from verify.domain.ids import SourceId

TABLE_SCHEMA = "pincite.table/1"
_NOT_READ = frozenset({SourceStatus.NEEDS_PASSWORD, SourceStatus.UNREADABLE, SourceStatus.UNSUPPORTED})


class Shows(StrEnum):
    """What a cell shows at a glance. ``LOOK``: a person has to look before it is relied on."""

    VALUE = "value"
    YES = "yes"
    NO = "no"
    SILENT = "silent"
    UNREAD = "unread"
    LOOK = "look"


def shows(found: Found | None, releases: Sequence[Release]) -> Shows:
    """By the answer and how its claims were released; an answer without any claim that is shown is to be looked at."""
    if found is None:
        return Shows.LOOK
    if found.state is State.SILENT:
        return Shows.SILENT
    if found.state is not State.STATED or any(release is not Release.SHOW for release in releases):
        return Shows.LOOK
    if found.kind is Kind.YES_NO:
        return {"Yes": Shows.YES, "No": Shows.NO}.get(found.text.partition(":")[0], Shows.VALUE)
    return Shows.VALUE


def table_to_json(
    matter: Matter, questions: Sequence[str], cells: Sequence[Cell], only: Sequence[SourceId] = ()
) -> dict[str, Any]:
    """Row by row; documents that could not be read have a row of cells that say so."""
    by_place = {(cell.source_id, cell.question): cell for cell in cells}
    view = matter.view()
    rows = []
    for record in table_sources(matter, only):
        found = [by_place.get((record.source_id, question)) for question in questions]
        loaded = [
            None if c is None or c.answer_id is None else load_saved(matter, c.answer_id, view).answer for c in found
        ]
        rows.append(_row(record, [_cell(answer) for answer in loaded]))
    closed = matter.store.registry.closed()
    for record in matter.sources():
        wanted = not only or record.source_id in only
        if record.status in _NOT_READ and wanted and record.source_id not in closed:
            rows.append(_row(record, [_empty(Shows.UNREAD) for _ in questions]))
    return {"schema": TABLE_SCHEMA, "questions": list(questions), "rows": rows}


def _row(record: SourceRecord, cells: list[dict[str, Any]]) -> dict[str, Any]:
    return {"source_id": record.source_id, "title": record.metadata.title or record.path, "cells": cells}


def _empty(state: Shows) -> dict[str, Any]:
    """A cell without an answer: the document was not read, or asking failed."""
    return {"kind": None, "state": state.value, "shows": state.value, "text": "", "claim_ids": [], "claims": [],
            "rows": [], "premise": None, "report": None, "answer_id": None}  # fmt: skip


def _cell(answer: Answer | None) -> dict[str, Any]:
    if answer is None or answer.given is None:
        return _empty(Shows.LOOK)
    own = [c for c in answer.claims if c.claim_id in answer.given.claim_ids]
    return {
        **given_to_json(answer.given, answer.retrieval.searched),
        "shows": shows(answer.given, [c.release for c in own]).value,
        "answer_id": answer.answer_id,
        "claims": [claim_to_json(c) for c in answer.claims],
        "report": answer.report.to_json(),
    }
