"""Reads a matter's folder into its store, then brings the search indexes up to it: words first, meaning behind."""

import os
import time
from collections.abc import Generator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from app.errors import AccessDenied, EngineUnavailable, ErrorCode, InputUnreadable, is_full, unwritable_store
from app.services.custody import auditing
from app.services.evidence.verifying import OCR_ENGINE
from app.services.matter.matter import Matter
from app.services.matter.passwords import HeldPasswords
from app.services.matter.settling import settle
from ingest.matter.ledger import EVERYTHING, Selection
from ingest.ocr.engine import OcrSettings, OcrUnavailable, engine_version, prepare, refuse_mistyped
from ingest.pipeline import ReadOptions, ReadSummary, SourceRead, read_matter
from ingest.settings import OcrMode
from verify.domain.document import SourceRecord
from verify.domain.progress import Progress

__all__ = ["IndexOptions", "IndexResult", "SourceRead", "index"]

_MOST_JOBS = 8
SCRATCH_FOLDER = "scratch"
ALL_CLASSES = (
    "documents of this matter lie in an access class with a passphrase; to read the folder again give that of every "
    "such class (--class-passphrase CLASS=F)"
)


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """``languages`` joined by "+"; ``languages_named`` if a person asked for just these. ``jobs`` None: one worker for
    each processor, at most eight. ``passwords`` by path relative to the matter, held in memory only."""

    ocr: OcrMode = OcrMode.AUTO
    languages: str = "eng"
    languages_named: bool = False
    jobs: int | None = None
    dense: bool = True
    passwords: Mapping[str, str] = field(default_factory=dict, repr=False)
    chroma_url: str | None = None
    only: Selection = EVERYTHING


@dataclass(frozen=True, slots=True)
class IndexResult:
    """``read`` sources gave ``pages`` pages in this run. ``dense_missing`` says in words why search by meaning is not
    available, None where it is or was not wanted."""

    sources: tuple[SourceRecord, ...]
    read: int
    pages: int
    unchanged: int
    skipped: int
    seconds: float
    dense_missing: str | None


def index(matter: Matter, options: IndexOptions) -> Generator[Progress | SourceRead, None, IndexResult]:
    """Idempotent, and resumable at any point: closing the generator ends the workers, a later run goes on.

    Raises EngineUnavailable (ocr_unavailable) before anything is read, and so before a good recognition is replaced, if
    every page is to be recognised, or in languages that were named, and cannot be; InputUnreadable if the folder itself
    cannot be listed; AccessDenied while sources lie in an access class that was not opened, since what belongs under
    its key could not be told from what does not.
    """
    started = time.monotonic()
    if matter.store.registry.closed():
        raise AccessDenied(ALL_CLASSES)
    settle(matter)
    if options.ocr is OcrMode.ALWAYS or (options.languages_named and options.ocr is not OcrMode.NEVER):
        _need_ocr(options.languages)
    summary = yield from _read(matter, options)
    _note_ocr_engine(matter)
    outside = matter.outside_classes()
    if outside is not matter:  # those who opened classes have an index of their own, made from this one
        yield from _prepare_search(outside, options)
    missing = yield from _prepare_search(matter, options)
    subject = {"sources_read": str(summary.read), "pages": str(summary.pages), "missing": str(summary.missing)}
    auditing.record(matter, auditing.AuditEvent.INDEXED, subject)
    return IndexResult(
        matter.sources(), summary.read, summary.pages, summary.unchanged, summary.skipped,
        time.monotonic() - started, missing,
    )  # fmt: skip


def _languages(joined: str) -> tuple[str, ...]:
    return tuple(filter(None, joined.split("+"))) or ("eng",)


def _need_ocr(languages: str) -> None:
    try:
        settings = OcrSettings(_languages(languages))
        refuse_mistyped(settings)
        prepare(settings)
    except OcrUnavailable as error:
        raise EngineUnavailable(str(error), ErrorCode.OCR_UNAVAILABLE) from error


def _read(matter: Matter, options: IndexOptions) -> Generator[Progress | SourceRead, None, ReadSummary]:
    wanted = ReadOptions(
        scratch=matter.store.folder / SCRATCH_FOLDER,
        ocr=options.ocr,
        languages=_languages(options.languages),
        jobs=options.jobs or min(_MOST_JOBS, _processors()),
        only=options.only,
    )
    store = matter.store
    try:
        return (
            yield from read_matter(matter.root, store.registry, store.blobs, HeldPasswords(options.passwords), wanted)
        )
    except OSError as error:
        if is_full(error):  # the workers' scratch lies in the store; the matter is only read
            raise unwritable_store(error) from error
        raise InputUnreadable(f"{matter.root} cannot be read ({error.strerror})") from error


def _note_ocr_engine(matter: Matter) -> None:
    """So that a report can name what recognised the scans, and names the same after an upgrade of the engine."""
    if any(record.ocr_pages for record in matter.sources()):
        with suppress(OcrUnavailable), matter.store.database.write():
            matter.store.database.set_meta(OCR_ENGINE, f"tesseract {engine_version()}")


def _processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _prepare_search(matter: Matter, options: IndexOptions) -> Generator[Progress | SourceRead, None, str | None]:
    """Words first: they can be searched while meaning is still being prepared."""
    from app.bootstrap import NO_EMBEDDER, build_searcher, find_embedder
    from models.ports import ModelUnavailable

    searcher = build_searcher(matter, dense=options.dense, chroma_url=options.chroma_url)
    yield from searcher.refresh_lexical(hold=False)
    if not options.dense:
        return None
    if find_embedder(matter.settings) is None:
        return NO_EMBEDDER
    try:
        yield from searcher.refresh_dense()
    except ModelUnavailable as error:
        return str(error)
    return None
