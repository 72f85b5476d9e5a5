"""Documents of plain paragraphs, one passage each, and answers over them."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from models.answering.claiming import Claims
from models.answering.documents.nature import nature
from models.answering.documents.text import DocumentText
from models.answering.drafts import ShownPassage
from models.answering.found import Found
from models.answering.library import Document, Standing, Statement
from models.answering.planner import found
from models.answering.query import read_query
from models.language.concepts import flat
from models.language.wording import stem_set
from verify.domain.ids import SourceId


@pytest.fixture
def make_document(make_passage: Callable[..., ShownPassage]) -> Callable[..., DocumentText]:
    """``paragraphs`` are strings of page 0, or (page index, text). Handles go on over the documents of a test."""
    numbers = count(1)

    def make(
        paragraphs: Sequence[str | tuple[int, str]], path: str = "a.pdf", dated: str | None = None
    ) -> DocumentText:
        placed = [p if isinstance(p, tuple) else (0, p) for p in paragraphs]
        shown = tuple(make_passage(next(numbers), path, [element], title=placed[0][1]) for element in placed)
        return DocumentText(SourceId(path), path, placed[0][1], shown, dated)

    return make


class SharedStems:
    """As alike as the stems that two texts share."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.zeros((len(texts), 1024), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[[crc32(stem.encode()) % 1023 for stem in stem_set((text,))] or [1023]] = 1.0
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class PlainLibrary:
    """Documents of a test as strategies read them: every passage is found, by words shared."""

    encoder = SharedStems()

    def __init__(self, texts: Sequence[DocumentText]) -> None:
        self._texts = {text.source_id: text for text in texts}
        self._kept: dict[str, Any] = {}
        self.documents = tuple(
            Document(t.source_id, t.path, t.title, t.opening, t.dated, _standing(t), 1) for t in texts
        )  # fmt: skip

    def statements(self, source_id: SourceId) -> tuple[Statement, ...]:
        quotes = self._texts[source_id].quotes
        return tuple(
            Statement(source_id, q.shown, q.sentence, flat(q.text), stem_set((q.text,)), order)
            for order, q in enumerate(quotes)
        )

    def ranked(self, text: str, sources: Sequence[SourceId], k: int) -> tuple[ShownPassage, ...]:
        wanted = stem_set((text,))
        found = [p for s, t in self._texts.items() if not sources or s in sources for p in t.passages]
        return tuple(sorted(found, key=lambda p: -len(wanted & stem_set((p.passage.text,))))[:k])

    def mentions(self, word: str) -> frozenset[SourceId]:
        return frozenset(s for s, t in self._texts.items() if word in " ".join(q.text for q in t.quotes).lower())

    def kept(self, key: str, make: Callable[[], Any]) -> Any:
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def of_passage(self, shown: ShownPassage) -> tuple[Statement, ...]:
        return tuple(s for s in self.statements(shown.passage.source_id) if s.passage.handle == shown.handle)

    def full(self, statement: Statement) -> ShownPassage:
        return statement.passage


def _standing(text: DocumentText) -> Standing:
    return Standing.FINAL if nature(text).is_basis else Standing.DRAFT


@pytest.fixture
def answer() -> Callable[..., Found]:
    """The answer to a question over documents, before any citation is checked."""

    def ask(question: str, texts: Sequence[DocumentText]) -> Found:
        library = PlainLibrary(texts)
        return found(read_query(question, library.documents, library.mentions), library, Claims())

    return ask
