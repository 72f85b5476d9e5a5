"""The left pane: a folder of documents, its reading, and the questions that were asked of it."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from app.backend.protocol import Failed
from app.backend.requests import (
    AnswerSummary,
    GivePassphrase,
    GivePassword,
    ListMatter,
    MatterListing,
    ReadMatter,
    SourceDone,
)
from app.errors import ErrorCode
from app.messages import source_status
from app.viewmodels.observe import Event
from app.viewmodels.running import Runner
from app.viewmodels.wording import count, duration, file_name, kind_of, status_tone
from verify.domain.document import SourceRecord, SourceStatus
from verify.domain.ids import SourceId
from verify.domain.progress import Progress


@dataclass(frozen=True, slots=True)
class SourceRow:
    source_id: SourceId
    name: str
    path: str
    kind: str
    words: str
    tone: str
    readable: bool


class Reading(StrEnum):
    IDLE = "idle"
    RUNNING = "running"
    STOPPING = "stopping"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class ReadingState:
    """``fraction`` is None while the whole is unknown; ``words`` say rate and time left."""

    state: Reading = Reading.IDLE
    fraction: float | None = None
    words: str = ""


class Pace:
    """Pages a second over the last half minute, so that one slow scan does not spoil the estimate."""

    WINDOW_SECONDS = 30.0

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seen: list[tuple[float, int]] = []

    def note(self, done: int) -> None:
        now = self._clock()
        self._seen.append((now, done))
        while len(self._seen) > 2 and now - self._seen[0][0] > self.WINDOW_SECONDS:
            self._seen.pop(0)

    @property
    def rate(self) -> float | None:
        """None until two seconds have been watched."""
        if not self._seen:
            return None
        (start, first), (end, last) = self._seen[0], self._seen[-1]
        return (last - first) / (end - start) if end - start >= 2 and last > first else None


_STAGES = {
    "scan": "Looking through the folder",
    "read": "Reading",
    "ocr": "Reading scans",
    "retrieve": "Preparing search",
    "embed": "Preparing search by meaning",
}


def progress_words(progress: Progress, rate: float | None) -> str:
    """``Reading: 120 of 412 pages, 35 pages a second, less than a minute left``."""
    stage = _STAGES.get(progress.stage, "Working")
    noun = progress.unit.removesuffix("s")
    if progress.total is None:
        parts = [f"{stage}: {count(progress.done, noun)}"]
    else:
        parts = [f"{stage}: {progress.done:,} of {count(progress.total, noun)}"]
    if rate:
        parts.append(
            f"{rate:.0f} {progress.unit} a second" if rate >= 1 else f"{rate * 60:.0f} {progress.unit} a minute"
        )
        if progress.total is not None and progress.total > progress.done:
            parts.append(f"{duration((progress.total - progress.done) / rate)} left")
    return ", ".join(parts)


def row_of(record: SourceRecord) -> SourceRow:
    return SourceRow(
        record.source_id,
        file_name(record.path),
        record.path,
        kind_of(record),
        source_status(record),
        status_tone(record),
        record.page_count > 0 and record.status in (SourceStatus.INDEXED, SourceStatus.PARTIAL),
    )


_PAUSES = 10
"""How many times as long as a list took to be made nothing is told of the next document that was read."""


class MatterModel:
    """``root`` is None until a folder is open. Every change is told through one of the events."""

    def __init__(self, runner: Runner, clock: Callable[[], float] = time.monotonic) -> None:
        self._runner = runner
        self._clock = clock
        self.root: Path | None = None
        self.records: dict[SourceId, SourceRecord] = {}
        self.answers: tuple[AnswerSummary, ...] = ()
        self.closed_classes: tuple[str, ...] = ()
        self.reading = ReadingState()
        self.filter = ""
        self.was_read = False
        self.opened: Event[[]] = Event()
        self.changed: Event[[]] = Event()
        self.answers_changed: Event[[]] = Event()
        self.progressed: Event[[]] = Event()
        self.failed: Event[[str]] = Event()
        self.sealed: Event[[str]] = Event()
        self._job: int | None = None
        self._pace = Pace(clock)
        self._stage = ""
        self._pausing = False
        self._untold, self._tell_after = False, 0.0

    def open(self, root: Path) -> None:
        """Shows what is known of the folder, then reads what is new in it."""
        if self._job is not None:
            self._runner.cancel(self._job)
        self._job, self.root, self.records, self.answers, self.filter = None, root, {}, (), ""
        self._tell_all()
        self._runner.start(ListMatter(root), self._listed_first, self._list_failed)

    def close(self) -> None:
        """Shows no matter; what was being read is stopped."""
        if self._job is not None:
            self._runner.cancel(self._job)
        self._job, self.root, self.records, self.answers, self.filter = None, None, {}, (), ""
        self._tell_all()

    def _tell_all(self) -> None:
        self.was_read, self.closed_classes = False, ()
        self._set_reading(ReadingState())
        self.opened.emit()
        self.changed.emit()
        self.answers_changed.emit()

    def refresh(self) -> None:
        if self.root is not None:
            self._runner.start(ListMatter(self.root), self._listed, self._list_failed)

    def read(self) -> None:
        """Reads the folder, or goes on where it stopped."""
        if self.root is None or self.reading.state in (Reading.RUNNING, Reading.STOPPING):
            return
        self._pace, self._stage, self._pausing = Pace(self._clock), "", False
        self._set_reading(ReadingState(Reading.RUNNING, None, "Looking through the folder"))
        root = self.root
        self._job = self._runner.start(
            ReadMatter(root),
            lambda listing: self._read_done(root, listing),
            lambda failed: self._read_failed(root, failed),
            lambda event: self._read_event(root, event),
            lambda: self._read_stopped(root),
        )

    def pause(self) -> None:
        """Stops after the page at hand. What was read stays; ``read`` goes on from there."""
        self._stop(pausing=True)

    def cancel(self) -> None:
        self._stop(pausing=False)

    def _stop(self, pausing: bool) -> None:
        if self._job is not None and self.reading.state is Reading.RUNNING:
            self._pausing = pausing
            self._set_reading(replace(self.reading, state=Reading.STOPPING, words="Stopping after this page"))
            self._runner.cancel(self._job)
        elif self.reading.state is Reading.PAUSED and not pausing:
            self._set_reading(ReadingState())

    def set_filter(self, words: str) -> None:
        self.filter = words
        self.changed.emit()

    @property
    def rows(self) -> tuple[SourceRow, ...]:
        """By path; with a filter, those whose path holds all its words. Replaced versions are not listed."""
        return tuple(row_of(r) for r in sorted(self._shown(), key=lambda r: r.path.casefold()))

    @property
    def shows_none(self) -> bool:
        """Whether ``rows`` is empty, without making them: it is asked at every sign of life of a reading."""
        return next(self._shown(), None) is None

    def _shown(self) -> Iterator[SourceRecord]:
        wanted = self.filter.casefold().split()
        for record in self.records.values():
            if record.status is not SourceStatus.SUPERSEDED and all(w in record.path.casefold() for w in wanted):
                yield record

    @property
    def readable_rows(self) -> tuple[SourceRow, ...]:
        """Those that can be asked, by path, whatever the filter."""
        rows = (row_of(r) for r in sorted(self.records.values(), key=lambda r: r.path.casefold()))
        return tuple(row for row in rows if row.readable)

    @property
    def summary(self) -> str:
        """``9 documents, 61 pages; 1 needs attention``."""
        shown = [r for r in self.records.values() if r.status is not SourceStatus.SUPERSEDED]
        if not shown:
            return "No documents yet"
        words = f"{count(len(shown), 'document')}, {count(sum(r.page_count for r in shown), 'page')}"
        trouble = sum(status_tone(r) != "quiet" for r in shown)
        return words if not trouble else f"{words}; {trouble} need{'s' if trouble == 1 else ''} attention"

    @property
    def can_ask(self) -> bool:
        """As soon as one document is ready."""
        return any(r.status in (SourceStatus.INDEXED, SourceStatus.PARTIAL) for r in self.records.values())

    def name_of(self, source_id: SourceId) -> str:
        record = self.records.get(source_id)
        return source_id if record is None else file_name(record.path)

    def give_passphrase(self, passphrase: str) -> None:
        """Opens a sealed matter; a wrong one is told by ``sealed`` again."""
        if self.root is not None:
            self._runner.start(GivePassphrase(self.root, passphrase))
            self._runner.start(ListMatter(self.root), self._listed_first, self._list_failed)

    def open_class(self, access_class: str, passphrase: str) -> None:
        """Shows what lies in the class until the window is closed; a wrong passphrase is told by ``failed``."""
        if self.root is not None:
            request = GivePassphrase(self.root, passphrase, access_class)
            self._runner.start(request, lambda _: self.refresh(), lambda failed: self.failed.emit(failed.words))

    def give_password(self, source_id: SourceId, password: str) -> None:
        """Opens a locked document in the next reading, which starts at once."""
        record = self.records.get(source_id)
        if self.root is not None and record is not None:
            self._runner.start(GivePassword(self.root, record.path, password))
            self.read()

    def _list_failed(self, failed: Failed) -> None:
        (self.sealed if failed.code is ErrorCode.ACCESS_DENIED else self.failed).emit(failed.words)

    def _listed_first(self, listing: MatterListing) -> None:
        if self._listed(listing):
            self.read()

    def _listed(self, listing: MatterListing) -> bool:
        if listing.root != self.root:
            return False
        self.records = {r.source_id: r for r in listing.sources}
        self.answers, self.closed_classes = listing.answers, listing.closed_classes
        self.changed.emit()
        self.answers_changed.emit()
        return True

    def _read_event(self, root: Path, event: Progress | SourceDone) -> None:
        if root != self.root:
            return
        if isinstance(event, SourceDone):
            self.records[event.record.source_id] = event.record
            self._untold = True
        self._tell_changes()
        if isinstance(event, SourceDone):
            return
        if event.stage != self._stage:
            self._stage, self._pace = event.stage, Pace(self._clock)
        self._pace.note(event.done)
        if self.reading.state is Reading.RUNNING:
            fraction = event.done / event.total if event.total else None
            self._set_reading(ReadingState(Reading.RUNNING, fraction, progress_words(event, self._pace.rate)))

    def _tell_changes(self) -> None:
        """Making a list of thousands of documents again takes a while: no more than a tenth of the time is spent on it.
        The end of a reading tells all."""
        began = self._clock()
        if self._untold and began >= self._tell_after:
            self._untold = False
            self.changed.emit()
            self._tell_after = began + _PAUSES * (self._clock() - began)

    def _read_done(self, root: Path, listing: MatterListing) -> None:
        if root == self.root:
            self._job, self.was_read = None, True
            self._set_reading(ReadingState())
            self._listed(listing)

    def _read_failed(self, root: Path, failed: Failed) -> None:
        if root == self.root:
            self._job = None
            self._set_reading(ReadingState())
            self.failed.emit(failed.words)
            self.refresh()

    def _read_stopped(self, root: Path) -> None:
        if root == self.root:
            self._job = None
            paused = ReadingState(
                Reading.PAUSED, self.reading.fraction, "Reading is paused. What was read can be asked."
            )
            self._set_reading(paused if self._pausing else ReadingState())
            self.refresh()

    def _set_reading(self, state: ReadingState) -> None:
        self.reading = state
        self.progressed.emit()
