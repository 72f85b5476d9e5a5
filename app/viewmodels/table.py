"""Many questions at once: a table of documents by questions that fills itself, stops, and goes on later."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app import messages
from app.backend.protocol import Failed
from app.backend.requests import ExportTable, FillTable, LoadTable, TableQuestions, TableWritten
from app.errors import Usage
from app.services.table.cells import Cell, CellCitation, CellState, questions_of
from app.viewmodels.matter import MatterModel, SourceRow
from app.viewmodels.observe import Event
from app.viewmodels.running import Runner
from app.viewmodels.wording import BAD, QUIET, WARN, Chip, chip, citation_chip, count, duration
from verify.domain.ids import SourceId
from verify.domain.progress import Progress

Place = tuple[str, SourceId]


class TableState(StrEnum):
    IDLE = "idle"
    LOADING = "loading"
    RUNNING = "running"
    STOPPING = "stopping"


@dataclass(frozen=True, slots=True)
class CellView:
    """``head``: how it stands and where, ``words`` what it says. ``quotation`` is empty where the words are one."""

    chip: Chip
    where: str
    words: str
    quotation: str = ""
    more: str = ""

    @property
    def head(self) -> str:
        return ", ".join(filter(None, (self.chip.shown, self.where)))


_EMPTY = CellView(chip("Not asked yet", QUIET), "", "")


class TableModel:
    """``cell_changed`` carries the place of a cell; ``changed`` means that rows or columns may be others. ``readable``
    are all documents that can be asked; those of ``left_out`` are not, while the matter is open."""

    def __init__(self, runner: Runner, matter: MatterModel, clock: Callable[[], float] = time.monotonic) -> None:
        self._runner, self._matter, self._clock = runner, matter, clock
        self.model = "auto"
        self.state = TableState.IDLE
        self.questions: tuple[str, ...] = ()
        self.readable: tuple[SourceRow, ...] = ()
        self.left_out: frozenset[SourceId] = frozenset()
        self.cells: dict[Place, Cell] = {}
        self.fraction: float | None = None
        self.words = ""
        self.changed: Event[[]] = Event()
        self.cell_changed: Event[[Place]] = Event()
        self.progressed: Event[[]] = Event()
        self.failed: Event[[str]] = Event()
        self.written: Event[[TableWritten]] = Event()
        self._job: int | None = None
        self._turn = 0
        self._begun: tuple[float, int] | None = None
        matter.opened.connect(self._clear)
        matter.changed.connect(self._take_rows)

    def _clear(self) -> None:
        if self._job is not None:
            self._runner.cancel(self._job)
        self._turn += 1
        self._job, self.questions, self.cells, self.readable = None, (), {}, ()
        self.left_out = frozenset()
        self._rest("")
        self.changed.emit()

    def _take_rows(self) -> None:
        """Every document that can be asked, whatever the filter shows."""
        rows = self._matter.readable_rows
        if rows != self.readable:
            self.readable = rows
            self.changed.emit()

    @property
    def rows(self) -> tuple[SourceRow, ...]:
        return tuple(row for row in self.readable if row.source_id not in self.left_out)

    @property
    def documents(self) -> str:
        """``All documents``, ``3 of 12 documents``."""
        chosen = len(self.rows)
        return "All documents" if chosen == len(self.readable) else f"{chosen:,} of {len(self.readable):,} documents"

    def choose_documents(self, chosen: frozenset[SourceId]) -> None:
        """The rows of the table from now on; a document that is read later is one of them. Not while it is filled."""
        known = {row.source_id for row in self.readable}
        if self.state is TableState.IDLE and chosen & known:
            self.left_out = frozenset(known - chosen)
            self.words = self.tally if self.questions else ""
            self.changed.emit()

    @property
    def _asked(self) -> tuple[SourceId, ...]:
        """None for all, whatever is read until then."""
        return tuple(row.source_id for row in self.rows) if len(self.rows) < len(self.readable) else ()

    # -- filling

    def load(self) -> None:
        """Shows the matter's last table, as far as it was filled."""
        root = self._matter.root
        if root is not None and self.state is TableState.IDLE and not self.questions:
            self.state = TableState.LOADING
            self._start(LoadTable(root))

    @property
    def can_fill(self) -> bool:
        return self._matter.can_ask and self.state is TableState.IDLE

    @property
    def missing(self) -> int:
        """Cells without an answer; those that could not be asked count."""
        return sum(
            cell is None or cell.state is CellState.FAILED
            for row in self.rows
            for question in self.questions
            for cell in (self.cells.get((question, row.source_id)),)
        )

    def fill(self, lines: str, again: tuple[Place, ...] = ()) -> None:
        """One question a line. Cells that have answers keep them, but for those of ``again``."""
        root = self._matter.root
        if root is None or not self.can_fill:
            return
        try:
            questions = questions_of(lines.splitlines())
        except Usage as error:
            self.failed.emit(str(error))
            return
        self.cells = {place: c for place, c in self.cells.items() if place[0] in questions and place not in again}
        self.questions, self._begun, self.fraction = questions, None, None
        self.state, self.words = TableState.RUNNING, "Looking for what was answered before"
        self.changed.emit()
        self._start(FillTable(root, questions, self.model, again, self._asked))

    def ask_again(self, place: Place) -> None:
        self.fill("\n".join(self.questions), (place,))

    def cancel(self) -> None:
        if self._job is not None and self.state is TableState.RUNNING:
            self.state, self.words = TableState.STOPPING, "Stopping after this step"
            self._runner.cancel(self._job)
            self.progressed.emit()

    def write(self, target: Path) -> None:
        """Saves it as .xlsx or .csv, by the name."""
        root = self._matter.root
        if root is not None and self.questions:
            request = ExportTable(root, self.questions, target, self._asked)
            self._runner.start(request, self.written.emit, lambda failed: self.failed.emit(failed.words))

    def _start(self, request: LoadTable | FillTable) -> None:
        self._turn += 1
        turn = self._turn

        def heard(listener: Callable[..., object]) -> Callable[..., object]:
            return lambda *told: listener(*told) if turn == self._turn else None

        self._job = self._runner.start(
            request, heard(self._done), heard(self._broken), heard(self._event), heard(self._stopped)
        )
        self.progressed.emit()

    # -- what the backend says

    def _event(self, event: Progress | Cell | TableQuestions) -> None:
        if isinstance(event, Cell):
            self.cells[event.question, event.source_id] = event
            self.cell_changed.emit((event.question, event.source_id))
        elif isinstance(event, TableQuestions):
            self.questions = event.questions
            self.changed.emit()
        elif event.stage == "table" and event.total and self.state is TableState.RUNNING:
            self._show_progress(event.done, event.total)

    def _show_progress(self, done: int, total: int) -> None:
        self._begun = self._begun or (self._clock(), done)
        since, first = self._begun
        self.fraction = done / total
        self.words = f"{done:,} of {count(total, 'cell')} answered"
        if done - first >= 2 and done < total:
            left = (self._clock() - since) / (done - first) * (total - done)
            self.words += f", {duration(left)} left"
        self.progressed.emit()

    def _done(self, _: object) -> None:
        filling = self.state is not TableState.LOADING
        self._rest(self.tally if filling or self.questions else "")
        self.changed.emit()
        if filling:
            self._matter.refresh()

    def _broken(self, failed: Failed) -> None:
        self._rest(f"Stopped: {self._unfinished}")
        self.failed.emit(failed.words)

    def _stopped(self) -> None:
        self._rest(f"Stopped. What was answered is kept; {self._unfinished}")

    @property
    def _unfinished(self) -> str:
        return f"{count(self.missing, 'cell')} left. “Fill the table” goes on from here."

    def _rest(self, words: str) -> None:
        self._job, self.state, self.words, self.fraction = None, TableState.IDLE, words, None
        self.progressed.emit()

    # -- what is shown

    @property
    def tally(self) -> str:
        """``12 answered, 3 to look at, 5 not found, 0 not supported``, of what there is."""
        if self.questions and self.missing:
            found = [f"{count(self.missing, 'cell')} not asked yet. “Fill the table” goes on"]
        else:
            found = []
        states = [cell.state for cell in self._shown()]
        named = [(states.count(state), words) for state, words in _TALLY.items()]
        return "; ".join([*(f"{number:,} {words}" for number, words in named if number), *found])

    def _shown(self) -> Iterator[Cell]:
        for row in self.rows:
            for question in self.questions:
                cell = self.cells.get((question, row.source_id))
                if cell is not None:
                    yield cell

    def view(self, place: Place) -> CellView:
        cell = self.cells.get(place)
        return _EMPTY if cell is None else view_of(cell)


_TALLY = {
    CellState.ANSWERED: "verified",
    CellState.LOOK: "to look at",
    CellState.NOT_FOUND: "not found",
    CellState.NOT_SUPPORTED: "not supported",
    CellState.FAILED: "could not be asked",
}


def view_of(cell: Cell) -> CellView:
    if cell.state is CellState.FAILED:
        return CellView(chip("Could not be asked", BAD, cell.reason), "", cell.reason)
    if not cell.claims:
        words = messages.UNANSWERED.get(cell.reason, "No answer was found.")
        return CellView(chip("Not found in what was read", QUIET, words), "", "")
    claim = cell.claims[0]
    first = claim.citations[0] if claim.citations else None
    rest = len(cell.claims) - 1
    where = ""
    if first is not None and first.page_index is not None:
        where = ", ".join(filter(None, (messages.page_name(first.page_label, first.page_index), first.place)))
    quotation = "" if first is None or first.quotation.strip('“”" ') == claim.text.strip('“”" ') else first.quotation
    more = f"and {count(rest, 'more claim')}" if rest else ""
    return CellView(_chip(cell, first), where, claim.text, quotation, more)


def _chip(cell: Cell, first: CellCitation | None) -> Chip:
    """The citation's, unless the support holds the claim back though its words stand."""
    if first is None:
        return chip("No citation", BAD, "Nothing was cited for this sentence, so nothing could be checked.")
    ocr = bool({"ocr_text", "embedded_ocr"} & set(first.limitations))
    found = citation_chip(first.status, first.reason, ocr)
    if found.tone == "good" and cell.state is CellState.LOOK:
        return chip("Passage verified, look at it", WARN, "Whether the passage supports the sentence is not clear.")
    if found.tone == "good" and cell.state is CellState.NOT_SUPPORTED:
        return chip("Not supported", BAD, "The words are on the page, but they do not support the sentence.")
    return found
