"""What a strategy may read: the documents of the question's scope, their sentences, and what retrieval ranks first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeVar

from models.answering.drafts import ShownPassage, ShownSentence
from models.ports import SentenceEncoder
from verify.domain.ids import SourceId

T = TypeVar("T")


class Standing(StrEnum):
    """``DRAFT``: a draft or an unsigned copy; ``OWN``: a pleading or work product of one's own. Neither is the basis of
    an answer unless it is asked for."""

    FINAL = "final"
    DRAFT = "draft"
    OWN = "own"


@dataclass(frozen=True, slots=True)
class Document:
    """``opening`` is the text of its first passage; ``dated`` an ISO date or None. ``unread`` has no text to search."""

    source_id: SourceId
    path: str
    title: str
    opening: str
    dated: str | None
    standing: Standing
    pages: int
    unread: bool = False


class Statement(NamedTuple):
    """A sentence of a document. ``flat`` is its text as patterns read it, ``stems`` those of its content words;
    ``order`` counts within the document from 0."""

    source_id: SourceId
    passage: ShownPassage
    sentence: ShownSentence
    flat: str
    stems: frozenset[str]
    order: int


class Library(Protocol):
    @property
    def documents(self) -> tuple[Document, ...]:
        """All of the scope, in order of path."""
        ...

    @property
    def encoder(self) -> SentenceEncoder | None: ...

    def statements(self, source_id: SourceId) -> tuple[Statement, ...]:
        """Every sentence of the document in order, prepared once."""
        ...

    def clause(self, source_id: SourceId, text: str) -> tuple[Statement, ...]:
        """The sentences of the clause that the text names by its number, whole, as the document's structure has it;
        empty where it names none or the document has none."""
        ...

    def ranked(self, text: str, sources: Sequence[SourceId], k: int) -> tuple[ShownPassage, ...]:
        """The passages that retrieval finds for the text, best first, with labels and tables. No ``sources``: all."""
        ...

    def mentions(self, word: str) -> frozenset[SourceId]:
        """Documents of the scope that hold the word, in any form of it."""
        ...

    def of_passage(self, shown: ShownPassage) -> tuple[Statement, ...]:
        """The sentences of a ranked passage, as ``statements`` has them."""
        ...

    def kept(self, key: str, make: Callable[[], T]) -> T:
        """What ``make`` works out of the documents of the scope, once for as long as the matter is open."""
        ...

    def full(self, statement: Statement) -> ShownPassage:
        """The statement's passage with what a citation needs: page labels, tables and what replaced the document."""
        ...
