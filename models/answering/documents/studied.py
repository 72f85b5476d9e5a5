"""What the documents of a matter are and do to each other, worked out once and asked by every question."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property

from models.answering.claiming import Claims
from models.answering.documents.amendments import Amendments, amendments
from models.answering.documents.corrections import Correction, corrections
from models.answering.documents.nature import Kind, Nature, nature
from models.answering.documents.text import DocumentText, Quote
from models.answering.drafts import Answers
from models.answering.library import Document, Library, Statement
from verify.domain.ids import ClaimId, SourceId


@dataclass(frozen=True)
class Studied:
    documents: tuple[DocumentText, ...]
    natures: dict[SourceId, Nature]

    @cached_property
    def amendments(self) -> Amendments:
        return amendments(self.documents, datetime.now(UTC).date().isoformat())

    @cached_property
    def corrections(self) -> tuple[Correction, ...]:
        return corrections(self.documents)

    @cached_property
    def by_id(self) -> dict[SourceId, DocumentText]:
        return {d.source_id: d for d in self.documents}

    def quote(self, statement: Statement) -> Quote | None:
        """The document's sentence that a statement is; None for what a table's cell says."""
        document = self.by_id.get(statement.source_id)
        wanted = statement.sentence.sentence_id
        return next((q for q in document.quotes if q.sentence.sentence_id == wanted), None) if document else None


def studied(library: Library) -> Studied:
    return library.kept("documents", lambda: _study(library))


def _study(library: Library) -> Studied:
    texts = tuple(_text(library, d) for d in library.documents if not d.unread)
    return Studied(texts, {t.source_id: nature(t) for t in texts})


def _text(library: Library, document: Document) -> DocumentText:
    first: dict[str, Statement] = {}
    for statement in library.statements(document.source_id):
        first.setdefault(statement.passage.handle, statement)
    shown = tuple(s.passage for s in first.values())
    text = DocumentText(document.source_id, document.path, document.title, shown, document.dated)
    if nature(text).kind is not Kind.TRANSCRIPT:
        return text
    labels = [library.full(s).page_labels for s in first.values()]  # errata name pages by what is printed on them
    return replace(text, passages=tuple(replace(p, page_labels=n) for p, n in zip(shown, labels, strict=True)))


def statement_of(library: Library, quote: Quote) -> Statement | None:
    wanted = quote.sentence.sentence_id
    return next((s for s in library.statements(quote.source_id) if s.sentence.sentence_id == wanted), None)


def claimed(library: Library, claims: Claims, quote: Quote, answers: Answers = Answers.YES) -> ClaimId | None:
    """The sentence as a claim; None where it may not be shown."""
    statement = statement_of(library, quote)
    return None if statement is None else claims.extract(library, statement, answers).claim_id
