"""Reads a draft: DOCX by its own paragraphs, so that a copy can be marked; all else as any document of a matter."""

import shutil
import tempfile
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

from app.errors import InputMissing, InputUnreadable
from app.services.cite_check.draft_model import Draft, DraftNote
from app.services.cite_check.paged import blocks_of
from app.services.cite_check.word import is_word, read_word
from app.services.matter.documents import pages_of
from app.services.matter.indexing import IndexOptions, index
from app.services.matter.matter import open_matter
from app.settings import Settings
from verify.domain.canonical import fingerprint_file
from verify.domain.document import SourceRecord, SourceStatus, WarningCode
from verify.domain.progress import Progress

_WHY_NOT = {
    SourceStatus.NEEDS_PASSWORD: "needs a password; save a copy without one",
    SourceStatus.UNREADABLE: "cannot be read; the file may be damaged",
    SourceStatus.UNSUPPORTED: "is of a kind that is not read",
}


def read_draft(path: Path, settings: Settings) -> Generator[Progress, None, Draft]:
    """Raises InputMissing or InputUnreadable, saying what to do."""
    if not path.is_file():
        raise InputMissing(f"there is no file {path}")
    try:
        if is_word(path):
            return read_word(path, fingerprint_file(path))
    except OSError as error:
        raise InputUnreadable(f"{path} cannot be read ({error.strerror})") from error
    return (yield from _read_as_document(path, settings))


def _read_as_document(path: Path, settings: Settings) -> Generator[Progress, None, Draft]:
    """In a private folder of its own, which is gone when the draft is read."""
    with tempfile.TemporaryDirectory(prefix="pincite-draft-") as folder:
        root, store = Path(folder) / "draft", Path(folder) / "store"
        root.mkdir(mode=0o700)
        shutil.copyfile(path, root / f"draft{path.suffix.lower()}")
        with open_matter(root, settings, store, writable=True) as alone:
            with closing(index(alone, IndexOptions(dense=False, jobs=1))) as work:
                for event in work:
                    if isinstance(event, Progress):
                        yield event
            record = next((r for r in alone.sources() if r.parent is None), None)
            if record is None or record.status in _WHY_NOT:
                why = _WHY_NOT[record.status] if record else "is of a kind that is not read"
                raise InputUnreadable(f"{path} {why}")
            pages = tuple(pages_of(alone, record))
    if not any(page.text.strip() for page in pages):
        raise InputUnreadable(
            f"{path} has no text that could be read; if it is a scan, install Tesseract (pincite doctor)"
        )
    return Draft(path.name, record.fingerprint, record.media_type, blocks_of(pages), _notes(record), pages)


def _notes(record: SourceRecord) -> tuple[DraftNote, ...]:
    found = []
    if record.ocr_pages:
        found.append(DraftNote.SCANNED)
    if record.unread_pages:
        found.append(DraftNote.PARTLY_UNREAD)
    if any(w.code is WarningCode.HAS_REVISIONS for w in record.warnings):
        found.append(DraftNote.CHANGES_ACCEPTED)
    return tuple(found)
