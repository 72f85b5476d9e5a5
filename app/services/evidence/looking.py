"""A matter's looks at its pages: made by ``ingest.looking``, kept in the store, so that the second costs nothing."""

import json
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from app.errors import PinciteError, StoreFault
from app.services.matter.matter import Matter
from app.services.matter.originals import drawable
from app.store.lock import WriterLock
from app.store.matter_store import LOCK_FILE
from app.store.sealed import is_sealed
from app.store.views import MatterSources
from ingest.looking import FAILED, PROFILE
from ingest.ocr.languages import code_of
from ingest.ports import BlobKind
from ingest.settings import asked_of
from verify.domain.canonical import canonical_json
from verify.domain.document import OWN_TEXT, Origin, Page, SourceRecord
from verify.domain.look import Look, Misread, look_from_json

if TYPE_CHECKING:
    from ingest.looking import Looker


def view(matter: Matter, *, thorough: bool = True) -> MatterSources:
    """A fresh view for one request, whose pages are looked at. ``thorough``: each cited line is read again by OCR, as
    it is before anything is released; else only where the file gives cause."""
    from app.bootstrap import build_looker

    return matter.view(MatterLooks(matter, build_looker(), thorough=thorough))


class MatterLooks:
    """``thorough``: every line that is asked about is read again by OCR, not only where the file gives cause."""

    def __init__(self, matter: Matter, looker: "Looker", *, thorough: bool) -> None:
        self._matter, self._looker, self._thorough = matter, looker, thorough

    def look(self, record: SourceRecord, page: Page, words: tuple[int, ...]) -> Look:
        """As ``verify.ports.Looks`` says, of a page of the source."""
        try:
            seen = self._of_page(record, page)
            return seen if seen.failed else self._with_lines(seen, record, page, words)
        except PinciteError:  # the file is gone, locked or changed: nothing of it was looked at
            return FAILED

    def _of_page(self, record: SourceRecord, page: Page) -> Look:
        key = _key(record, page, "page")
        kept = self._kept(key)
        if kept is not None:
            return look_from_json(kept)
        seen = self._looker.look(record.fingerprint, partial(self._pdf, record), page)
        if not seen.failed:
            self._keep(record, key, seen.to_json())
        return seen

    def _with_lines(self, seen: Look, record: SourceRecord, page: Page, words: tuple[int, ...]) -> Look:
        wanted = words if self._thorough else set(words).intersection(seen.doubtful)
        lines = {page.words[i].line for i in wanted if page.words[i].origin is not Origin.OCR}
        of_line = {n: of for n, of in _lines(page).items() if n in lines}
        found = {n: self._kept(_key(record, page, f"line{n}")) for n in sorted(of_line)}
        missing = [n for n, kept in found.items() if kept is None]
        if missing:
            found |= self._read(record, page, {n: of_line[n] for n in missing})
        unread = [i for n, kept in found.items() if kept is None for i in of_line[n]]
        misread = [Misread(*row) for kept in found.values() for row in (kept or ())]
        return replace(seen, misread=tuple(sorted(misread)), unread=tuple(sorted(unread)))

    def _read(self, record: SourceRecord, page: Page, lines: dict[int, tuple[int, ...]]) -> dict[int, Any]:
        languages = asked_of(record.parser.profile)[1]
        code = code_of(page.language) if page.language is not None else None
        languages = languages if code is None else (code,)
        document, pdf = record.fingerprint, partial(self._pdf, record)
        misread = self._looker.read(document, pdf, page, tuple(lines.values()), languages)
        if misread is None:
            return {}
        rows = {n: [list(m) for m in misread if of[0] <= m.first <= of[-1] + 1] for n, of in lines.items()}
        for n, found in rows.items():
            self._keep(record, _key(record, page, f"line{n}"), found)
        return rows

    def _pdf(self, record: SourceRecord) -> bytes:
        return drawable(self._matter, record.source_id)[1]

    def _kept(self, key: str) -> Any:
        data = self._matter.store.blobs.get(BlobKind.LOOK, key)
        return None if data is None else json.loads(data)

    def _keep(self, record: SourceRecord, key: str, facts: object) -> None:
        """Not while another process writes the store, nor where it was sealed or unsealed since it was opened: then the
        page is looked at again another time."""
        store = self._matter.store
        lock = WriterLock(store.folder / LOCK_FILE)
        with suppress(StoreFault):
            lock.acquire()
            try:
                if is_sealed(store.folder) == (store.vault.scheme != "none"):
                    store.blobs.put(BlobKind.LOOK, key, canonical_json(facts), record.fingerprint)
            finally:
                lock.release()


def _key(record: SourceRecord, page: Page, part: str) -> str:
    return f"{record.fingerprint}/{record.parser.profile}/{PROFILE}/{page.index}/{part}"


def _lines(page: Page) -> dict[int, tuple[int, ...]]:
    """The visible words of the page's text by their line."""
    own = {i for e in page.elements if e.kind in OWN_TEXT for i in range(e.first_word, e.end_word)}
    found: dict[int, list[int]] = {}
    for i, word in enumerate(page.words):
        if word.visible and i not in own:
            found.setdefault(word.line, []).append(i)
    return {n: tuple(words) for n, words in found.items()}
