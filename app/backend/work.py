"""What the backend does for each request: opens the matter, calls the services, hands on what they say.

Lanes: ``read`` (a folder is being read), ``ask`` (a question, export), ``table`` (many questions), ``look`` (everything
that is quick). Each job opens the matter for itself, as a Matter belongs to one thread.
"""

import contextlib
import zipfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import messages
from app.backend import requests as r
from app.backend import setup as backend_setup
from app.backend.protocol import Handler, Work
from app.errors import AccessDenied, InputMissing, InputUnreadable
from app.viewmodels.wording import count
from verify.domain.ids import SourceId
from verify.domain.progress import drive

if TYPE_CHECKING:
    from app.services.asking.asking import AskOptions
    from app.services.bundle.export_gate import Leaving
    from app.services.matter.matter import Matter
    from verify.domain.document import SourceRecord

READ, ASK, TABLE, LOOK = "read", "ask", "table", "look"


def handlers(store: Path | None) -> dict[type, Handler]:
    """``store`` overrides the folder of all matters' stores."""
    desk = Desk(store)
    return {
        r.ListMatter: Handler(LOOK, desk.list_matter),
        r.ReadMatter: Handler(READ, desk.read),
        r.GivePassphrase: Handler(LOOK, desk.take_passphrase),
        r.GivePassword: Handler(LOOK, desk.take_password),
        r.Ask: Handler(ASK, desk.ask),
        r.LoadAnswer: Handler(LOOK, desk.load_answer),
        r.ReviewClaim: Handler(LOOK, desk.review),
        r.UndoReview: Handler(LOOK, desk.undo),
        r.ShowDocument: Handler(LOOK, desk.show_document),
        r.ReadWords: Handler(LOOK, desk.read_words),
        r.FindText: Handler("find", desk.find_text),
        r.CheckExport: Handler(LOOK, desk.check_export),
        r.Export: Handler(ASK, desk.export),
        r.TakeMemo: Handler(LOOK, desk.take_memo),
        r.LoadTable: Handler(TABLE, desk.load_table),
        r.FillTable: Handler(TABLE, desk.fill_table),
        r.ExportTable: Handler(TABLE, desk.export_table),
        r.MeasureStore: Handler(LOOK, desk.measure),
        r.Forget: Handler(READ, desk.forget),
        **backend_setup.handlers(store),
    }


class Desk:
    """Keeps what a person gave to open things, in memory only, by matter."""

    def __init__(self, store: Path | None) -> None:
        self._store = store
        self._passphrases: dict[Path, str] = {}
        self._class_passphrases: dict[Path, dict[str, str]] = {}
        self._passwords: dict[Path, dict[str, str]] = {}

    def take_passphrase(self, request: r.GivePassphrase) -> Work:
        yield from ()
        if request.access_class is None:
            self._passphrases[request.root] = request.passphrase
            return
        before = self._class_passphrases.get(request.root, {})
        self._class_passphrases[request.root] = {**before, request.access_class: request.passphrase}
        try:
            with self._matter(request.root):
                pass
        except AccessDenied:  # else nothing of the matter would open any more
            self._class_passphrases[request.root] = before
            raise

    def take_password(self, request: r.GivePassword) -> Work:
        yield from ()
        self._passwords.setdefault(request.root, {})[request.path] = request.password

    @contextlib.contextmanager
    def _matter(self, root: Path, *, writable: bool = False) -> Iterator["Matter"]:
        from app.services.matter.matter import open_matter
        from app.settings import load_settings
        from app.store.sealed import Passphrases

        given = Passphrases(self._passphrases.get(root), self._class_passphrases.get(root, {}))
        with open_matter(root, load_settings(), self._store, writable=writable, passphrases=given) as matter:
            yield matter

    def list_matter(self, request: r.ListMatter) -> Work:
        yield from ()
        if not request.root.is_dir():
            raise InputMissing(f"There is no folder {request.root}. It may have been moved or renamed.")
        try:
            with self._matter(request.root) as matter:
                return _listing(matter)
        except InputMissing:  # never read yet
            return r.MatterListing(request.root, (), ())

    def read(self, request: r.ReadMatter) -> Work:
        from app.services.matter.indexing import IndexOptions, SourceRead, index
        from ingest.settings import OcrMode

        with self._matter(request.root, writable=True) as matter:
            settings = matter.settings
            options = IndexOptions(
                ocr=OcrMode(settings.ocr),
                languages=settings.languages,
                jobs=settings.jobs,
                chroma_url=settings.chroma_url,
                passwords=dict(self._passwords.get(request.root, {})),
            )
            with contextlib.closing(index(matter, options)) as work:
                yield from _translated(work, SourceRead, lambda event: r.SourceDone(event.record))
            return _listing(matter)

    def ask(self, request: r.Ask) -> Work:
        from app.services.asking.asking import ClaimReady, open_asking

        with self._matter(request.root, writable=True) as matter:
            options = _ask_options(matter, request.model, request.sources)
            with (
                open_asking(matter, options) as asking,
                contextlib.closing(asking.ask(request.question, after=request.after)) as work,
            ):
                return (yield from _translated(work, ClaimReady, lambda e: r.ClaimDone(e.claim, e.checks)))

    def load_answer(self, request: r.LoadAnswer) -> Work:
        from app.services.answers.history import load_answer

        yield from ()
        with self._matter(request.root) as matter:
            return load_answer(matter, request.answer_id)

    def review(self, request: r.ReviewClaim) -> Work:
        from app.services.answers.reviewing import ReviewInput, review

        yield from ()
        decided = ReviewInput(
            request.decision, request.reviewer or None, request.note, request.authority, request.relevance
        )
        with self._matter(request.root, writable=True) as matter:
            return review(matter, request.answer_id, request.claim_id, decided)

    def undo(self, request: r.UndoReview) -> Work:
        from app.services.answers.reviewing import undo

        yield from ()
        with self._matter(request.root, writable=True) as matter:
            return undo(matter, request.answer_id, request.claim_id)

    def show_document(self, request: r.ShowDocument) -> Work:
        from app.services.matter.originals import SourceChanged, drawable

        yield from ()
        with self._matter(request.root) as matter:
            try:
                record, pdf = drawable(matter, request.source_id)
            except SourceChanged:
                record = matter.source(request.source_id)
                path = _file_of(matter, record)
                return r.DocumentToShow(record, path, None, None, changed=True)
            path = _file_of(matter, record)
            if path is None:
                return r.DocumentToShow(record, None, None, pdf, changed=False)
            original = record.media_type == "application/pdf"
            password = self._passwords.get(request.root, {}).get(record.path)
            data = None if original else pdf
            return r.DocumentToShow(record, path, record.fingerprint, data, changed=False, password=password)

    def read_words(self, request: r.ReadWords) -> Work:
        from app.viewmodels.page_text import page_text

        yield from ()
        with self._matter(request.root) as matter:
            page = matter.pages.get(_readable(matter, request.source_id), request.page)
            return None if page is None else page_text(page)

    def find_text(self, request: r.FindText) -> Work:
        from app.viewmodels.page_text import find, page_text

        with self._matter(request.root) as matter:
            record = _readable(matter, request.source_id)
            for index in range(record.page_count):
                page = matter.pages.get(record, index)
                places = () if page is None else find(page_text(page), request.text)
                # an event for every page, so that a search that is no longer wanted can be ended between any two
                yield r.Hits(index, places)
        return None

    def check_export(self, request: r.CheckExport) -> Work:
        from app.services.bundle.exporting import ExportOptions, look_before_export

        yield from ()
        options = ExportOptions(request.include_sources, frozenset(request.claims))
        with self._matter(request.root) as matter:
            looked = look_before_export(matter, request.answer_id, options)
            return r.ExportOutlook(
                tuple(_worded(matter, f.concern.value, f.subject) for f in looked.findings),
                leaving_words(looked.leaving),
            )

    def export(self, request: r.Export) -> Work:
        from app.services.bundle.exporting import ExportOptions, export

        options = ExportOptions(request.include_sources, frozenset(request.claims))
        with self._matter(request.root, writable=True) as matter:
            work = export(matter, request.answer_id, request.target, options)
            with contextlib.closing(work):
                done = yield from work
            return r.Exported(done.path)

    def take_memo(self, request: r.TakeMemo) -> Work:
        from app.paths import write_private

        yield from ()
        memo = request.bundle.with_name(f"{request.bundle.stem}, memo.pdf")
        try:
            with zipfile.ZipFile(request.bundle) as bundle:
                write_private(memo, bundle.read("memo.pdf"))
        except (OSError, KeyError, zipfile.BadZipFile) as error:
            raise InputUnreadable(
                f"The memo could not be taken out of {request.bundle.name}. Open the bundle."
            ) from error
        return memo

    def load_table(self, request: r.LoadTable) -> Work:
        from app.services.table.asking import kept_cells, kept_questions, table_sources

        with self._matter(request.root) as matter:
            questions = kept_questions(matter).shown
            yield r.TableQuestions(questions)
            if questions:
                yield from kept_cells(matter, questions, table_sources(matter))

    def fill_table(self, request: r.FillTable) -> Work:
        from app.services.table.asking import TableOptions, fill

        with self._matter(request.root, writable=True) as matter:
            options = TableOptions(_ask_options(matter, request.model), request.sources, request.again)
            with contextlib.closing(fill(matter, request.questions, options)) as work:
                return (yield from work)

    def export_table(self, request: r.ExportTable) -> Work:
        from app.services.table.export import export_table

        yield from ()
        with self._matter(request.root, writable=True) as matter:
            cells = export_table(matter, request.questions, request.sources, request.target)
            return r.TableWritten(request.target, cells)

    def measure(self, request: r.MeasureStore) -> Work:
        from app.paths import matter_folder, store_root
        from app.services.matter.matter import matter_size

        yield from ()
        return r.StoreSize(matter_folder(store_root(self._store), request.root), matter_size(request.root, self._store))

    def forget(self, request: r.Forget) -> Work:
        from app.services.custody.forgetting import forget
        from app.settings import load_settings

        yield from ()
        done = forget(request.root, self._store, load_settings().chroma_url)
        left = "Looked again: nothing of it is left." if not done.remaining else f"Left: {', '.join(done.remaining)}"
        looked = f"Looked through {count(done.proof.files, 'file')} for its key, its path and its answers."
        return r.Forgotten((f"Deleted {done.files} files, {done.bytes:,} bytes.", left, looked))


def leaving_words(leaving: "Leaving") -> str:
    """What the bundle carries out, counted."""
    parts = [
        count(leaving.claims, "claim"),
        count(leaving.quotations, "quotation"),
        count(leaving.pictures, "picture") + " of cited places",
        count(leaving.passages, "passage") + " that were searched",
    ]
    whole = f"; {count(len(leaving.documents), 'whole document')}" if leaving.whole_documents else ""
    return ", ".join(parts) + whole


def _worded(matter: "Matter", concern: str, subject: str) -> r.ExportFinding:
    """``subject`` is a claim, or a source with a page's index behind "#"."""
    source_id, _, page = subject.partition("#")
    record = next((s for s in matter.sources() if s.source_id == source_id), None)
    if record is None:
        return r.ExportFinding(concern, messages.CONCERNS[concern], subject, False)
    place = f"{record.path}, PDF page {int(page) + 1}" if page else record.path
    return r.ExportFinding(concern, f"{place}: {messages.CONCERNS[concern]}", subject, False)


def _readable(matter: "Matter", source_id: SourceId) -> "SourceRecord":
    from app.services.matter.documents import readable_source

    return readable_source(matter, source_id)


def _file_of(matter: "Matter", record: "SourceRecord") -> Path | None:
    """The file on disk that holds the document by itself; None for a member of another file."""
    from ingest.matter.intake import locate
    from ingest.matter.ledger import MEMBER_MARK

    own = (p for p in (record.path, *record.other_paths) if MEMBER_MARK not in p)
    return next((found for p in own if (found := locate(matter.root, p)) is not None), None)


def _ask_options(matter: "Matter", model: str, sources: tuple[SourceId, ...] = ()) -> "AskOptions":
    from app.services.asking.asking import AskOptions

    settings = matter.settings
    named = settings.model if model == "auto" else model
    return AskOptions(model=named, k=settings.results, sources=sources, chroma_url=settings.chroma_url, lasting=True)


def _listing(matter: "Matter") -> r.MatterListing:
    """Past questions without the cells of tables, which the table shows."""
    from app.services.answers.history import saved_answers
    from app.services.table.asking import kept_questions
    from app.store.sealed import SealedVault

    of_tables = kept_questions(matter).asked
    answers = tuple(
        r.AnswerSummary(a.answer_id, a.question, a.asked_at, a.claims, a.decided)
        for a in saved_answers(matter)
        if len(a.scope) != 1 or a.question not in of_tables
    )
    vault = matter.store.vault
    closed = tuple(sorted(vault.locked_classes)) if isinstance(vault, SealedVault) else ()
    return r.MatterListing(matter.root, matter.sources(), answers, closed)


def _translated(work: Generator[Any, None, Any], kind: type, translate: Callable[[Any], Any]) -> Work:
    """Hands on every event, those of ``kind`` translated; returns what the work returns."""
    return (yield from drive(work, lambda event: translate(event) if isinstance(event, kind) else event))
