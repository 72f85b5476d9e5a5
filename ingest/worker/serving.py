"""What a worker does with one source: opens it, reads its pages, cuts passages, hands over its members."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from time import monotonic

from ingest.failures import ReadFailure
from ingest.formats.model import CellPlace, Opened
from ingest.formats.opening import kind_of, open_kind
from ingest.formats.sniff import IMAGES
from ingest.limits import Limits
from ingest.mupdf import VERSION
from ingest.ocr.access import OcrAccess
from ingest.ocr.engine import OcrSettings, OcrUnavailable, prepare
from ingest.pdf.carried import Carried, from_bytes
from ingest.pdf.reader import WINDOW, PdfReader
from ingest.pdf.window import NOT_RECOGNISED
from ingest.rendition.names import rendered_profile
from ingest.settings import OcrMode
from ingest.structure.passages import cut_passages
from ingest.worker.job import Line, PipeBlobs, ReadJob
from ingest.worker.wire import passage_row
from verify.domain.codec import decode_page, encode_page
from verify.domain.document import (
    LabelOrigin,
    Metadata,
    Page,
    SourceStatus,
    SourceWarning,
    TextSource,
    WarningCode,
    pages_without_text,
)
from verify.domain.geometry import Box

_PAGES_AT_ONCE = 16
_SECONDS_AT_MOST = 1.0
_PASSAGES_AT_ONCE = 200
_WARNINGS_OF_A_KIND = 25
_UNREAD = (WarningCode.NO_TEXT, WarningCode.GARBLED_TEXT)
_LONGEST_FIELD = 500
"""Characters of a title, issuer …: every passage carries the title, and a file may declare one of a megabyte."""
_PARTIAL = frozenset({WarningCode.PAGE_FAILED, WarningCode.TRUNCATED})


def serve(job: ReadJob, line: Line, limits: Limits) -> None:
    """Reads one source and says what came of it. Raises what ``worker.main`` turns into a failure."""
    kind = kind_of(job.file, job.name)
    line.send("kind", media_type=kind)
    try:
        opened = open_kind(kind, job.file, job.name, job.password, limits)
        if opened.pages is None:
            _serve_container(opened, job, line, limits)
        else:
            _serve_pages(opened, job, line, limits)
    except ReadFailure as failure:
        line.send("failed", status=failure.status, detail=failure.detail)


@dataclass(slots=True)
class _Tally:
    """What the record says of all pages together."""

    ocr_pages: int = 0
    with_text: int = 0
    unread: int = 0
    unrecognised: int = 0
    warnings: list[SourceWarning] = field(default_factory=list)
    counts: Counter[WarningCode] = field(default_factory=Counter)

    def add(self, page: Page) -> None:
        self.ocr_pages += page.text_source in (TextSource.OCR, TextSource.MIXED)
        self.with_text += page.text_source is not TextSource.NONE
        self.unread += pages_without_text(page.warnings)
        self.unrecognised += page.garbled or any(w.detail == NOT_RECOGNISED for w in page.warnings)
        for warning in page.warnings:
            self.say(warning)

    def say(self, warning: SourceWarning) -> None:
        self.counts[warning.code] += 1
        if self.counts[warning.code] <= _WARNINGS_OF_A_KIND:
            self.warnings.append(warning)

    def said(self) -> list[SourceWarning]:
        """A few of each kind, and how many more there are."""
        more = [
            SourceWarning(code, None, f"{count - _WARNINGS_OF_A_KIND} more of these")
            for code, count in sorted(self.counts.items())
            if count > _WARNINGS_OF_A_KIND
        ]
        return self.warnings + more

    def status(self, page_count: int) -> SourceStatus:
        if page_count and self.counts[WarningCode.PAGE_FAILED] >= page_count:
            return SourceStatus.UNREADABLE
        partial = self.unrecognised or any(self.counts[code] for code in _PARTIAL)
        return SourceStatus.PARTIAL if partial else SourceStatus.INDEXED


def _serve_pages(opened: Opened, job: ReadJob, line: Line, limits: Limits) -> None:
    assert opened.pages is not None
    tally = _Tally()
    access, lacking = _ocr_access(job, line)
    password = None if opened.rendered else job.password

    def announce(index: int) -> None:
        line.send("page", index=index)

    drawn_here = opened.rendered and opened.kind not in IMAGES
    with PdfReader(
        opened.pages, password=password, settings=job.settings, ocr=access, announce=announce, drawn_here=drawn_here
    ) as reader:
        profile = rendered_profile(job.settings.profile) if opened.rendered else job.settings.profile
        metadata = opened.metadata if opened.rendered else reader.metadata
        _say_opened(line, opened, reader.page_count, profile, metadata)
        if opened.rendered and isinstance(opened.pages, bytes):
            line.send("rendition", opened.pages, profile=profile)
        for warning in (*opened.warnings, *reader.document_warnings):
            tally.say(warning)
        _send_members(opened, line, tally)
        gone_on = _GoneOn(set(job.failing), _carried(job, reader.page_count))
        pages = chain(_kept_pages(job, line, gone_on), _new_pages(reader, opened, job, line, gone_on))
        title = _cut(metadata.title) or job.name
        _send_passages(cut_passages(_counted(pages, tally), job.source_id, job.fingerprint, title), line)
        if tally.ocr_pages or any(tally.counts[code] for code in _UNREAD):
            tally.warnings += lacking
        _say_done(line, tally, tally.status(reader.page_count))


def _serve_container(opened: Opened, job: ReadJob, line: Line, limits: Limits) -> None:
    tally = _Tally()
    _say_opened(line, opened, 0, job.settings.profile, opened.metadata)
    for warning in opened.warnings:
        tally.say(warning)
    _send_members(opened, line, tally)
    _say_done(line, tally, tally.status(0))


def _ocr_access(job: ReadJob, line: Line) -> tuple[OcrAccess | None, tuple[SourceWarning, ...]]:
    """How pages are recognised, and what is lacking for it; that is told only of a source that needs recognition."""
    if job.settings.ocr is OcrMode.NEVER:
        return None, ()
    try:
        settings, missing = prepare(OcrSettings(languages=job.settings.languages))
    except OcrUnavailable as error:
        return None, (SourceWarning(WarningCode.OCR_LANGUAGE_MISSING, None, str(error)),)
    return OcrAccess(settings, PipeBlobs(line), job.engines), missing


def _say_opened(line: Line, opened: Opened, page_count: int, profile: str, metadata: Metadata) -> None:
    parser = ("pymupdf", VERSION, profile)
    declared = {name: _cut(value) for name, value in asdict(metadata).items()}
    line.send("opened", page_count=page_count, parser=parser, metadata=declared)


def _cut(value: str | None) -> str | None:
    return value if value is None or len(value) <= _LONGEST_FIELD else f"{value[: _LONGEST_FIELD - 1]}…"


def _say_done(line: Line, tally: _Tally, status: SourceStatus) -> None:
    line.send("done", status=status, ocr_pages=tally.ocr_pages, unread=tally.unread, warnings=tally.said())


@dataclass(slots=True)
class _GoneOn:
    """What a reading behind kept pages must know: pages that are not tried, and what is carried on (None: nothing, so
    the reader goes through the kept pages silently)."""

    failing: set[int]
    carried: Carried | None


def _carried(job: ReadJob, page_count: int) -> Carried | None:
    try:
        carried = from_bytes(job.carried or b"")
    except (ValueError, TypeError, KeyError):
        return None
    fits = carried.begin % WINDOW == 0 and 0 < carried.begin <= job.kept and carried.begin < page_count
    return carried if fits else None


def _kept_pages(job: ReadJob, line: Line, gone_on: _GoneOn) -> Iterator[Page]:
    """Pages of an earlier run, which the parent has. What is to be known of them is added to ``gone_on``."""
    done = 0
    while done < job.kept:
        some = line.ask_all("kept?", first=done)
        if not some:
            raise ValueError("a page that was kept is gone")
        for page in map(decode_page, some):
            if any(warning.code is WarningCode.PAGE_FAILED for warning in page.warnings):
                gone_on.failing.add(page.index)
            if gone_on.carried is not None and page.index == gone_on.carried.begin - 1:
                gone_on.carried = gone_on.carried._replace(before=page)
            yield page
        done += len(some)


def _new_pages(reader: PdfReader, opened: Opened, job: ReadJob, line: Line, gone_on: _GoneOn) -> Iterator[Page]:
    """Pages that are not kept, each sent before the next batch is read."""
    batch: list[bytes] = []
    first, since = job.kept, monotonic()
    for page in reader.pages(first, failing=frozenset(gone_on.failing), carried=gone_on.carried):
        page = _of_rendition(page, opened) if opened.rendered else page
        batch.append(encode_page(page))
        if len(batch) >= _PAGES_AT_ONCE or monotonic() - since > _SECONDS_AT_MOST:
            _send_pages(line, batch, first, reader)
            first, since = first + len(batch), monotonic()
            batch.clear()
        yield page
    if batch:
        _send_pages(line, batch, first, reader)
    line.send("page", index=reader.page_count)


def _send_pages(line: Line, batch: Iterable[bytes], first: int, reader: PdfReader) -> None:
    index, state = reader.carried
    line.send("pages", *batch, first=first)
    line.send("carried", state, index=index)


def _of_rendition(page: Page, opened: Opened) -> Page:
    """A rendition prints no page numbers: what looks like one is the document's own text."""
    places = opened.addresses[page.index] if page.index < len(opened.addresses) else ()
    page = replace(page, label=None, label_origin=LabelOrigin.NONE, printed_label=None, bates=None)
    return _with_addresses(page, places) if places else page


def _with_addresses(page: Page, places: Iterable[CellPlace]) -> Page:
    """Gives each cell of a sheet the name of the drawn cell that its centre lies in."""
    rows: dict[int, list[CellPlace]] = defaultdict(list)
    for place in places:
        rows[place.y0].append(place)
    tops = sorted(rows)

    def place_of(box: Box) -> CellPlace | None:
        """Cells of a row begin at one height; a cell that spans rows began at one above."""
        x, y = (box.x0 + box.x1) // 2, (box.y0 + box.y1) // 2
        for top in reversed(tops[: bisect_right(tops, y)]):
            for p in rows[top]:
                if p.x0 <= x <= p.x1 and y <= p.y1:
                    return p
        return None

    tables = []
    for table in page.tables:
        found = [place_of(cell.bbox) for cell in table.cells]
        cells = tuple(replace(c, address=p.address if p else None) for c, p in zip(table.cells, found, strict=True))
        title = next((p.title for p in found if p is not None and p.title), table.title)
        tables.append(replace(table, title=title, cells=cells))
    return replace(page, tables=tuple(tables))


def _counted(pages: Iterable[Page], tally: _Tally) -> Iterator[Page]:
    for page in pages:
        tally.add(page)
        yield page


def _send_members(opened: Opened, line: Line, tally: _Tally) -> None:
    sent = 0
    for member in opened.members():
        if member.data is None:
            tally.say(SourceWarning(WarningCode.TRUNCATED, None, member.detail))
        else:
            line.send("member", member.data, name=member.name)
            sent += 1
    if sent and not tally.counts[WarningCode.HAS_ATTACHMENTS]:
        lie = "1 file lies in it; it is a source" if sent == 1 else f"{sent} files lie in it; each is a source"
        tally.say(SourceWarning(WarningCode.HAS_ATTACHMENTS, None, lie))


def _send_passages(passages: Iterable[object], line: Line) -> None:
    rows: list[object] = []
    for passage in passages:
        rows.append(passage_row(passage))  # type: ignore[arg-type]
        if len(rows) == _PASSAGES_AT_ONCE:
            line.send("passages", rows=rows)
            rows = []
    if rows:
        line.send("passages", rows=rows)
