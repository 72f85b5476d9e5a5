"""Many questions asked of many documents: a table whose cells are ordinary answers, each asked of one document alone.

A cell is saved as it is answered and found again by its question and document, so a table that was stopped or closed
goes on where it ended and nothing is asked twice.
"""

import json
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from app.errors import EngineUnavailable, InputMissing, StoreFault
from app.services.answers.answers import Answer
from app.services.answers.history import load_saved, saved_answers
from app.services.asking.asking import Asking, AskOptions, open_asking
from app.services.evidence import looking
from app.services.matter.matter import Matter
from app.services.table.cells import Cell, CellState, cell_of, questions_of
from ingest.ports import BlobKind
from verify.domain.document import SourceRecord, SourceStatus
from verify.domain.ids import SourceId
from verify.domain.progress import Progress, drive

_KEY = "table"
_FAILURES_IN_A_ROW = 3
"""After so many cells without an answer the model is taken to be gone, and the work ends with its words."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """``sources`` empty means every readable document. ``again`` asks these cells anew though they have answers."""

    ask: AskOptions
    sources: tuple[SourceId, ...] = ()
    again: tuple[tuple[str, SourceId], ...] = ()


TableSteps = Generator[Progress | Cell, None, tuple[Cell, ...]]


def table_sources(matter: Matter, only: Sequence[SourceId] = ()) -> tuple[SourceRecord, ...]:
    """The documents that can be asked, by path."""
    closed = matter.store.registry.closed()
    read = (SourceStatus.INDEXED, SourceStatus.PARTIAL)
    found = (r for r in matter.sources() if r.status in read and r.source_id not in closed and r.page_count)
    return tuple(sorted((r for r in found if not only or r.source_id in only), key=lambda r: r.path.casefold()))


@dataclass(frozen=True, slots=True)
class KeptQuestions:
    """``shown``: those of the matter's last table. ``asked``: of every table, so that cells are told from questions
    that were asked one by one."""

    shown: tuple[str, ...] = ()
    asked: frozenset[str] = frozenset()


def kept_questions(matter: Matter) -> KeptQuestions:
    data = matter.store.blobs.get(BlobKind.QUESTIONS, _KEY)
    if data is None:
        return KeptQuestions()
    kept = json.loads(data)
    return KeptQuestions(tuple(kept["shown"]), frozenset(kept["asked"]))


def keep_questions(matter: Matter, questions: Sequence[str]) -> None:
    asked = sorted(kept_questions(matter).asked.union(questions))
    data = json.dumps({"shown": list(questions), "asked": asked}, ensure_ascii=False).encode()
    matter.store.blobs.put(BlobKind.QUESTIONS, _KEY, data)


def kept_cells(matter: Matter, questions: Sequence[str], sources: Sequence[SourceRecord]) -> Iterator[Cell]:
    """The newest answer of each cell that has one, its checks done again over the documents as they are now."""
    wanted, documents = set(questions), {r.source_id for r in sources}
    view = looking.view(matter)
    seen: set[tuple[str, SourceId]] = set()
    for summary in saved_answers(matter):
        if len(summary.scope) != 1 or summary.question not in wanted or summary.scope[0] not in documents:
            continue
        place = (summary.question, summary.scope[0])
        if place in seen:
            continue
        try:
            answer = load_saved(matter, summary.answer_id, view).answer
        except StoreFault:
            continue  # one that does not read is asked again
        seen.add(place)
        yield cell_of(answer, summary.scope[0])


def fill(matter: Matter, questions: Sequence[str], options: TableOptions) -> TableSteps:
    """Every cell as it is known: kept ones first, then document by document what is missing. Closing the generator
    stops after the cell at hand, which is not saved; the others are.

    Raises Usage for questions that cannot be asked, InputMissing where no document was read, EngineUnavailable for a
    model that is not there or stopped answering, StoreFault.
    """
    asked = questions_of(questions)
    sources = table_sources(matter, options.sources)
    if not sources:
        raise InputMissing("No document of this folder was read yet, so there is nothing to ask.")
    keep_questions(matter, asked)
    total = len(asked) * len(sources)
    cells: dict[tuple[str, SourceId], Cell] = {}
    for cell in kept_cells(matter, asked, sources):
        if (cell.question, cell.source_id) not in options.again:
            cells[cell.question, cell.source_id] = cell
            yield cell
            yield Progress("table", len(cells), total, "cells")
    missing = [(q, r.source_id) for r in sources for q in asked if (q, r.source_id) not in cells]
    if missing:
        with open_asking(matter, options.ask) as asking:
            yield from _ask_missing(asking, missing, cells, total)
    return tuple(cells[q, r.source_id] for r in sources for q in asked)


def _ask_missing(
    asking: Asking,
    missing: Sequence[tuple[str, SourceId]],
    cells: dict[tuple[str, SourceId], Cell],
    total: int,
) -> Generator[Progress | Cell, None, None]:
    failures = 0
    for question, source_id in missing:
        progress = Progress("table", len(cells), total, "cells")
        yield progress
        try:
            answer = yield from _answered(asking, question, source_id, progress)
            cell, failures = cell_of(answer, source_id), 0
        except (EngineUnavailable, InputMissing) as error:
            failures += 1
            if failures == _FAILURES_IN_A_ROW:
                raise
            cell = Cell(question, source_id, CellState.FAILED, reason=str(error))
        cells[question, source_id] = cell
        yield cell
    yield Progress("table", len(cells), total, "cells")


def _answered(
    asking: Asking, question: str, source_id: SourceId, progress: Progress
) -> Generator[Progress, None, Answer]:
    """Tells of nothing but that it goes on, so that it can be stopped between any two of its steps."""
    return (yield from drive(asking.ask(question, (source_id,)), lambda _: progress))
