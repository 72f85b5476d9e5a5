"""Reads a PDF page by page: words, structure, labels, what is hidden, what had to be recognised.

Pages come in windows, so that memory stays flat; running heads and printed numbers are learned from a window and its
two neighbours. Windows lie at fixed multiples of ``WINDOW``, and a read that starts later goes on from what was carried
into a window, or goes through the pages before silently: the same page is read the same wherever a read starts.
"""

import gc
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from ingest.failures import Damaged, Locked
from ingest.furniture.bates import Bates, run_warnings
from ingest.furniture.labels import Labels, declared_labels, label_conflict
from ingest.furniture.marking import PageLines, mark_furniture
from ingest.mupdf import pymupdf
from ingest.ocr.access import OcrAccess
from ingest.page.seen import Sheet
from ingest.pdf.carried import Carried, at_the_start, to_bytes
from ingest.pdf.window import SheetReader
from ingest.settings import ReadSettings
from ingest.structure.kinds import HeadingPath
from ingest.structure.pages import build_page
from ingest.tables.link import link
from ingest.tables.page_tables import add_tables, draft_tables
from verify.domain.document import (
    ElementKind,
    LabelOrigin,
    Metadata,
    Page,
    SourceWarning,
    TextSource,
    WarningCode,
)

if TYPE_CHECKING:
    pass

_SELDOM = (50_000, 20, 50)
WINDOW = 16
"""Pages read together; three windows are held at a time."""


class PdfReader:
    """A context manager over one PDF, read from a path or from bytes; the file is never written.

    Raises Locked (a password is needed or does not fit) or Damaged when opened, and OSError for a missing file.
    """

    def __init__(
        self,
        data: Path | bytes,
        *,
        password: str | None = None,
        settings: ReadSettings | None = None,
        ocr: OcrAccess | None = None,
        announce: Callable[[int], None] = lambda index: None,
        drawn_here: bool = False,
    ) -> None:
        """``announce`` is told of each page before each step on it, so that a watcher knows where a reading hangs.
        ``drawn_here`` says that the file is a rendition of text, which never needs recognition."""
        self._settings = settings or ReadSettings()
        self._document, self._asked = _open(data, password)
        self._drawn = drawn_here
        self._source = data
        self._password = password
        self._ocr = ocr
        self._announce = announce
        self._collections = gc.get_threshold()
        self.carried: tuple[int, bytes] = 0, b""
        """Of the window whose pages are given out: its first page, and what it took over, for a later reading."""
        try:
            self.page_count: int = min(len(self._document), self._settings.max_pages)
            self._total = len(self._document)
            self._labels: Labels = declared_labels(self._document)
        except Exception as error:
            self._document.close()
            raise Damaged(f"the page tree cannot be read ({type(error).__name__})") from None
        if self._total == 0:
            self._document.close()
            raise Damaged("the file has no pages")

    def __enter__(self) -> "PdfReader":
        self._collections = gc.get_threshold()
        gc.set_threshold(*_SELDOM)  # a page makes thousands of tuples and no cycles
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        gc.set_threshold(*self._collections)
        self.close()

    def close(self) -> None:
        if not self._document.is_closed:
            self._document.close()

    @property
    def metadata(self) -> Metadata:
        """The title that the file declares; nothing else is taken from a PDF's own statements."""
        title = ((self._document.metadata or {}).get("title") or "").strip()
        return Metadata(title=title or None)

    @property
    def document_warnings(self) -> tuple[SourceWarning, ...]:
        """What is to be said about the whole file, known as soon as it is open."""
        return tuple(_document_warnings(self._document, self._asked, self._labels, self._total, self._settings))

    def pages(
        self,
        first: int = 0,
        last: int | None = None,
        failing: frozenset[int] = frozenset(),
        carried: Carried | None = None,
    ) -> Iterator[Page]:
        """Pages ``first`` to ``last`` (exclusive; None: to the end) in order.

        ``carried`` was taken of an earlier reading, not after ``first``: only the window before it is read once more.
        A page that cannot be read, or is named in ``failing``, comes without text and with the warning
        ``page_failed``. Raises nothing but MemoryError.
        """
        end = self.page_count if last is None else min(last, self.page_count)
        taken = carried or at_the_start()
        path, run, previous = taken.path, taken.run, taken.before
        with SheetReader(
            self._document, self._source, self._password, self._settings, self._ocr, self._announce, self._drawn
        ) as reader:
            for sheets, context in _windows(reader, self.page_count, failing, self._labels, taken):
                begin = sheets[0].index
                before = {item.index: item.kinds for item in context if item.index < begin}
                self.carried = begin, to_bytes(begin, path, run, before)
                own = [item for item in context if sheets[0].index <= item.index <= sheets[-1].index]
                mark_furniture(own, context)
                for sheet, found in zip(sheets, own, strict=True):
                    if found.index >= end:
                        return
                    self._announce(found.index)
                    page = self._finish(sheet.sheet, found, path)
                    page = previous = link(previous, _with_run(_with_label(page), found, run))
                    if found.index >= first:
                        yield page

    def _finish(self, sheet: Sheet, found: PageLines, path: HeadingPath) -> Page:
        try:
            return _build(sheet, found, path, self._settings)
        except MemoryError:
            raise
        except Exception as error:
            return failed_page(sheet, found, type(error).__name__)


@dataclass(slots=True)
class _Read:
    index: int
    sheet: Sheet
    lines: PageLines


def _windows(
    reader: SheetReader, count: int, failing: frozenset[int], labels: Labels, taken: Carried
) -> Iterator[tuple[list[_Read], list[PageLines]]]:
    """Each window from the one that ``taken`` was carried into, with the lines of itself and its neighbours."""
    held: deque[list[_Read]] = deque()
    for start in range(max(0, taken.begin - WINDOW), count, WINDOW):
        indexes = range(start, min(start + WINDOW, count))
        sheets = reader.read(indexes, failing)
        held.append([_Read(s.raw.index, s, _lines(s, labels)) for s in sheets])
        if start < taken.begin:
            _mark_again(held[-1], taken)
        if start >= taken.begin + WINDOW:
            yield held[-2], [item.lines for window in held for item in window]
        if len(held) == 3:
            held.popleft()
    yield held[-1], [item.lines for window in held for item in window]


def _mark_again(before: Sequence[_Read], taken: Carried) -> None:
    """What was found of a window's lines is context for the next one."""
    for item in before:
        kinds = taken.kinds.get(item.index, {})
        item.lines.kinds.update({line: kind for line, kind in kinds.items() if line < len(item.lines.lines)})


def _lines(sheet: Sheet, labels: Labels) -> PageLines:
    index = sheet.raw.index
    sheet.label = labels.values[index]
    notes = [(own.text, own.box) for own in sheet.own if own.kind is ElementKind.ANNOTATION]
    return PageLines(index, sheet.frame[1] or sheet.raw.height, sheet.lines, sheet.label, labels.declared, notes)


def _build(sheet: Sheet, found: PageLines, path: HeadingPath, settings: ReadSettings) -> Page:
    if settings.tables:
        sheet.tables = draft_tables(sheet, found)
    page, place = build_page(sheet, found, path)
    return add_tables(page, sheet, place) if sheet.tables else page


def _with_label(page: Page) -> Page:
    """Warns where the number on the page is not the one that the file declares for it."""
    conflict = None if page.label_origin is not LabelOrigin.DECLARED else label_conflict(page.label, page.printed_label)
    if conflict is None:
        return page
    warning = SourceWarning(WarningCode.LABELS_INCONSISTENT, page.index, conflict)
    return replace(page, warnings=(*page.warnings, warning))


def _with_run(page: Page, found: PageLines, run: list[tuple[int, Bates | None]]) -> Page:
    """Adds what is wrong with the Bates run at this page; keeps of the run what later pages need."""
    if found.bates is None:
        return page
    run.append((page.index, found.bates))
    warnings = [w for w in run_warnings(run) if w.page_index == page.index]
    last = {bates.prefix: (index, bates) for index, bates in run if bates}
    run[:] = sorted(last.values())
    return replace(page, warnings=(*page.warnings, *warnings)) if warnings else page


def failed_page(sheet: Sheet, found: PageLines, why: str) -> Page:
    """A page that exists but could not be read: its frame and label, no text, the warning ``page_failed``."""
    warning = SourceWarning(WarningCode.PAGE_FAILED, sheet.raw.index, f"the page could not be read ({why})")
    origin = LabelOrigin.NONE if sheet.label is None else LabelOrigin.DECLARED
    return Page(
        sheet.raw.index, sheet.label, origin, None, None, sheet.raw.width, sheet.raw.height, sheet.raw.rotation,
        TextSource.NONE, None, "", (), (), (), (), (warning,),
    )  # fmt: skip


def _open(data: Path | bytes, password: str | None) -> "tuple[pymupdf.Document, bool]":
    """The document, and whether it asked for a password. That can be asked only once: MuPDF answers by trying the empty
    one, which locks a document that was opened."""
    if isinstance(data, Path) and not data.is_file():
        raise FileNotFoundError(str(data))
    try:
        document = (
            pymupdf.open(data, filetype="pdf") if isinstance(data, Path) else pymupdf.open(stream=data, filetype="pdf")
        )
    except Exception as error:
        raise Damaged(f"the file is no readable PDF ({type(error).__name__})") from None
    if not document.is_pdf:
        document.close()
        raise Damaged("the file is no PDF")
    asked = bool(document.needs_pass)
    if asked and not (password and document.authenticate(password)):
        document.close()
        raise Locked("the password does not fit" if password else "the file needs a password")
    return document, asked


def _document_warnings(
    document: "pymupdf.Document", asked: bool, labels: Labels, total: int, settings: ReadSettings
) -> Iterator[SourceWarning]:
    if document.is_repaired:
        yield _warn(WarningCode.REPAIRED, "the file is damaged and was repaired in memory; parts may be missing")
    if not asked and (document.metadata or {}).get("encryption"):
        yield _warn(WarningCode.ENCRYPTED_OWNER_ONLY, "the file is encrypted; it opens without its owner's password")
    for fault in labels.faults:
        yield _warn(WarningCode.LABELS_INCONSISTENT, fault)
    repeated = _repeated_labels(labels.values)
    if repeated:
        yield _warn(WarningCode.LABELS_INCONSISTENT, f"{repeated} page labels stand for more than one page")
    if total > settings.max_pages:
        yield _warn(WarningCode.TRUNCATED, f"only the first {settings.max_pages} of {total} pages were read")
    if document.embfile_count():
        yield _warn(WarningCode.HAS_ATTACHMENTS, f"{document.embfile_count()} files are embedded")


def _repeated_labels(values: Sequence[str | None]) -> int:
    named = [value for value in values if value is not None]
    return len(named) - len(set(named))


def _warn(code: WarningCode, detail: str) -> SourceWarning:
    return SourceWarning(code, None, detail)
