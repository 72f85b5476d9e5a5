"""The right pane: a document, what is marked in it, what is found in it, and what a reader must know of it."""

from dataclasses import dataclass

from app import messages
from app.backend.protocol import Failed
from app.backend.requests import DocumentToShow, FindText, Hits, ReadWords, ShowDocument
from app.viewmodels.cards import lowest_word
from app.viewmodels.matter import MatterModel
from app.viewmodels.observe import Event
from app.viewmodels.page_text import PageText
from app.viewmodels.running import Runner
from app.viewmodels.wording import BAD, PAGE_FAULTS, QUIET, SERIOUS, WARN, count, file_name
from verify.domain.document import SourceRecord, SourceStatus
from verify.domain.geometry import Box
from verify.domain.ids import SourceId
from verify.report import CheckResult, Role, Status

_FINGERPRINT_SHOWN = 8


@dataclass(frozen=True, slots=True)
class MarkBox:
    page: int
    box: Box
    active: bool
    edge_only: bool


@dataclass(frozen=True, slots=True)
class Strip:
    """``warnings`` are worded; ``message`` is what happened, with ``can_reread`` if reading again mends it."""

    name: str = ""
    facts: str = ""
    fingerprint: str = ""
    warnings: tuple[str, ...] = ()
    tone: str = QUIET
    message: str = ""
    can_reread: bool = False


class EvidenceModel:
    """Nothing is marked while ``changed`` holds: the bytes on disk are not those that were read."""

    def __init__(self, runner: Runner, matter: MatterModel) -> None:
        self._runner = runner
        self._matter = matter
        self.record: SourceRecord | None = None
        self.changed = False
        self.check: CheckResult | None = None
        self.hits: list[tuple[int, tuple[Box, ...]]] = []
        self.hit = -1
        self.searching = False
        self.wanted = ""
        self.message = ""
        self.document_ready: Event[[DocumentToShow]] = Event()
        self.closed: Event[[str]] = Event()
        self.marks_changed: Event[[]] = Event()
        self.strip_changed: Event[[]] = Event()
        self.go_to: Event[[int, Box | None]] = Event()
        self.words_ready: Event[[PageText]] = Event()
        self.hits_changed: Event[[]] = Event()
        self._others: tuple[CheckResult, ...] = ()
        self._target: tuple[int, Box | None] | None = None
        self._asked: SourceId | None = None
        self._find: int | None = None
        self._find_from = 0
        matter.opened.connect(self.close)

    # -- showing

    def show_check(self, check: CheckResult, others: tuple[CheckResult, ...]) -> None:
        """Opens the document at the words of a check. ``others`` of the same answer are marked more faintly."""
        evidence = check.evidence
        if evidence is None:
            self.check = None
            self._say(_not_located(check))
            return
        self.check, self._others = check, others
        first = next((r for r in evidence.regions if r.role in (Role.TEXT, Role.CELL)), None)
        self._target = (evidence.page_index, None) if first is None else (first.page_index, first.bbox)
        self._open(evidence.source_id)

    def show_page(self, source_id: SourceId, page: int) -> None:
        self.check, self._others = None, ()
        self._target = (page, None)
        self._open(source_id)

    def unmark(self) -> None:
        """The marks belong to an answer that is not shown any more: the page stays, without them."""
        self.check, self._others = None, ()
        self.marks_changed.emit()

    def reopen(self) -> None:
        """After the file was read again, or turned out to be changed."""
        if self.record is not None:
            source_id, self.record = self.record.source_id, None
            self._open(source_id)

    def close(self) -> None:
        self.record, self.check, self._others, self._target, self._asked = None, None, (), None, None
        self.changed, self.message = False, ""
        self.stop_finding()
        self.closed.emit("")
        self.strip_changed.emit()

    def _open(self, source_id: SourceId) -> None:
        root = self._matter.root
        if root is None:
            return
        self.message = ""
        if self.record is not None and self.record.source_id == source_id and not self.changed:
            self._settle()
            return
        self._asked = source_id
        self._runner.start(ShowDocument(root, source_id), self._ready, lambda f: self._not_ready(source_id, f))

    def _ready(self, document: DocumentToShow) -> None:
        if document.record.source_id != self._asked:
            return
        self._asked = None
        self.stop_finding()
        self.record, self.changed = document.record, document.changed
        self.document_ready.emit(document)
        self.strip_changed.emit()

    def _not_ready(self, source_id: SourceId, failed: Failed) -> None:
        if source_id == self._asked:
            self._asked = None
            self.record = None
            self._say(failed.words)
            self.closed.emit(failed.words)

    def shown(self, changed: bool) -> None:
        """The page process has opened the document; ``changed`` by its own hash of the bytes that it draws."""
        self.changed = self.changed or changed
        self._settle()

    def bytes_changed(self) -> None:
        """The file changed while it was shown."""
        if not self.changed:
            self.changed = True
            self.marks_changed.emit()
            self.strip_changed.emit()
            self.stop_finding()

    def fault(self, code: str) -> None:
        self._say(PAGE_FAULTS.get(code, PAGE_FAULTS["unreadable"]))

    def _settle(self) -> None:
        self.marks_changed.emit()
        self.strip_changed.emit()
        if self._target is not None:
            page, box = self._target
            self.go_to.emit(page, None if self.changed else box)

    def _say(self, message: str) -> None:
        self.message = message
        self.strip_changed.emit()

    # -- what is marked

    @property
    def marks(self) -> tuple[MarkBox, ...]:
        if self.changed or self.record is None:
            return ()
        active = () if self.check is None else _boxes(self.check, self.record, active=True)
        faint = [m for other in self._others if other != self.check for m in _boxes(other, self.record, active=False)]
        return (*faint, *active)

    @property
    def strip(self) -> Strip:
        record = self.record
        if record is None:
            return Strip(message=self.message, tone=BAD if self.message else QUIET)
        if self.changed:
            return Strip(
                file_name(record.path), _facts(record), _short(record), (), BAD, PAGE_FAULTS["changed"], can_reread=True
            )
        warnings = self._warnings(record)
        tone = WARN if warnings else QUIET
        return Strip(file_name(record.path), _facts(record), _short(record), warnings, tone, self.message)

    def _warnings(self, record: SourceRecord) -> tuple[str, ...]:
        page = None if self._target is None else self._target[0]
        worded = [
            messages.WARNINGS[w.code] + ("" if w.page_index is None else f" (PDF page {w.page_index + 1})")
            for w in record.warnings
            if w.page_index in (None, page) or w.code in SERIOUS
        ]
        if self.check is not None and (lowest := lowest_word(self.check)):
            worded.insert(0, f"text by OCR, {lowest}")
        distinct = list(dict.fromkeys(worded))
        more = [f"{len(distinct) - 4} more"] if len(distinct) > 5 else []
        return tuple((distinct[:4] + more) if more else distinct)

    # -- words and finding

    def want_words(self, page: int) -> None:
        root, record = self._matter.root, self.record
        if root is not None and record is not None and not self.changed:
            source = record.source_id
            self._runner.start(ReadWords(root, source, page), lambda words: self._words(source, words))

    def _words(self, source: SourceId, words: PageText | None) -> None:
        if words is not None and self.record is not None and self.record.source_id == source and not self.changed:
            self.words_ready.emit(words)

    def find(self, text: str, page: int = 0) -> None:
        """All places in the document, page by page as they come; the first at or after ``page`` is the current one."""
        self.stop_finding()
        self._find_from = page
        root, record = self._matter.root, self.record
        self.wanted = text.strip()
        if not self.wanted or root is None or record is None or self.changed:
            return
        self.searching = True
        request = FindText(root, record.source_id, self.wanted)
        self._find = self._runner.start(request, self._found_all, lambda _: self._found_all(None), self._found)

    def stop_finding(self) -> None:
        if self._find is not None:
            self._runner.cancel(self._find)
        self._find, self.searching, self.hits, self.hit, self.wanted = None, False, [], -1, ""
        self.hits_changed.emit()

    def _found(self, event: Hits) -> None:
        if self._find is None:
            return
        self.hits.extend((event.page, place) for place in event.places)
        if self.hit < 0 and event.places and event.page >= self._find_from:
            self.hit = len(self.hits) - len(event.places) - 1
            self.step_hit(1)
        self.hits_changed.emit()

    def _found_all(self, _: object) -> None:
        self._find, self.searching = None, False
        if self.hit < 0:
            self.step_hit(1)
        self.hits_changed.emit()

    def step_hit(self, by: int) -> None:
        if self.hits:
            self.hit = (self.hit + by) % len(self.hits)
            page, boxes = self.hits[self.hit]
            self.hits_changed.emit()
            self.go_to.emit(page, boxes[0])

    @property
    def find_words(self) -> str:
        """``3 of 12``."""
        if self.hits:
            return f"{self.hit + 1} of {len(self.hits):,}{'…' if self.searching else ''}"
        return "searching" if self.searching else "not found" if self.wanted else ""


def _boxes(check: CheckResult, record: SourceRecord, active: bool) -> list[MarkBox]:
    evidence = check.evidence
    if evidence is None or check.status is Status.STALE:
        return []
    if evidence.source_id != record.source_id or evidence.fingerprint != record.fingerprint:
        return []
    return [MarkBox(r.page_index, r.bbox, active, r.role not in (Role.TEXT, Role.CELL)) for r in evidence.regions]


def _not_located(check: CheckResult) -> str:
    why = messages.REASONS.get(check.reason or "", "the passage was not found")
    return f"There is nothing to mark: {why}."


def _facts(record: SourceRecord) -> str:
    revision = record.metadata.revision
    parts = [count(record.page_count, "page")]
    if revision:
        parts.append(f"revision {revision}")
    if record.status is SourceStatus.SUPERSEDED:
        parts.append("replaced by a newer version")
    if record.metadata.privilege:
        parts.append(f"privilege: {record.metadata.privilege}")
    return ", ".join(parts)


def _short(record: SourceRecord) -> str:
    """The first digits of the SHA-256, enough to compare by eye."""
    return record.fingerprint.removeprefix("sha256:")[:_FINGERPRINT_SHOWN]
