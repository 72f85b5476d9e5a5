"""A matter in memory: the ports that search is given, as plain dictionaries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from verify.domain.document import Metadata, Parser, SourceRecord, SourceStatus
from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId
from verify.domain.passage import Passage, PassageKind, PassagePart


@dataclass
class MemoryStore:
    """Counts what is read, so that a test can tell that nothing was read again."""

    passages: dict[PassageId, Passage] = field(default_factory=dict)
    fetched: int = 0

    def put(self, *passages: Passage) -> None:
        self.passages |= {passage.passage_id: passage for passage in passages}

    def drop(self, source_id: str) -> None:
        self.passages = {key: one for key, one in self.passages.items() if one.source_id != source_id}

    def state(self) -> str:
        return ""

    def ids(self) -> frozenset[PassageId]:
        return frozenset(self.passages)

    def listing(self) -> Iterator[tuple[SourceId, tuple[PassageId, ...]]]:
        for source in dict.fromkeys(one.source_id for one in self.passages.values()):
            yield source, tuple(one.passage_id for one in self.of_source(source))

    def get(self, passage_ids: Sequence[PassageId]) -> tuple[Passage, ...]:
        self.fetched += len(passage_ids)
        return tuple(self.passages[key] for key in passage_ids if key in self.passages)

    def all(self) -> Iterator[Passage]:
        return iter(self.passages.values())

    def of_source(self, source_id: SourceId) -> tuple[Passage, ...]:
        return tuple(one for one in self.passages.values() if one.source_id == source_id)


@dataclass
class MemoryFiles:
    kept: dict[str, bytes] = field(default_factory=dict)

    def read(self, name: str) -> bytes | None:
        return self.kept.get(name)

    def write(self, name: str, data: bytes) -> None:
        self.kept[name] = data

    def names(self) -> Sequence[str]:
        return tuple(self.kept)

    def remove(self, name: str) -> None:
        self.kept.pop(name, None)


@dataclass
class LetterEmbedder:
    """A vector of 26 letter counts: real geometry whose neighbours a person can work out."""

    name: str = "letters-1"
    dimension: int = 26
    embedded: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded.extend(texts)
        rows = np.array([[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


class Matter:
    """Store, files and records of one matter, and the ways to fill them."""

    def __init__(self) -> None:
        self.store, self.files = MemoryStore(), MemoryFiles()
        self.records: list[SourceRecord] = []

    def add(self, source_id: str, pages: Sequence[Sequence[str]], path: str = "", **metadata: str) -> list[Passage]:
        """One document: for each page its passages."""
        made: list[Passage] = []
        for page_index, texts in enumerate(pages):
            for text in texts:
                made.append(passage(source_id, len(made), page_index, text))
        return self.put(source_id, made, path, **metadata)

    def passage(self, *args: Any, **more: Any) -> Passage:
        return passage(*args, **more)

    def put(self, source_id: str, made: list[Passage], path: str = "", **metadata: str) -> list[Passage]:
        """One document of these passages."""
        self.store.put(*made)
        parser = Parser(name="test", version="1", profile="p")
        self.records.append(
            SourceRecord(
                SourceId(source_id),
                path or f"{source_id}.pdf",
                Fingerprint("sha256:" + "0" * 64),
                "application/pdf",
                made[-1].page_index + 1 if made else 0,
                SourceStatus.INDEXED,
                parser,
                metadata=Metadata(**metadata),
            )
        )
        return made


def passage(
    source_id: str,
    ordinal: int,
    page_index: int,
    text: str,
    path: tuple[str, ...] = (),
    kind: PassageKind = PassageKind.TEXT,
    bates: str | None = None,
) -> Passage:
    part = PassagePart(page_index, ElementId(f"p{page_index}-e0"), 0, 0, len(text))
    key = PassageId(f"{source_id}:{ordinal}:{hash((path, page_index, text)) & 0xFFFF:x}")
    fingerprint = Fingerprint("sha256:" + "0" * 64)
    return Passage(key, SourceId(source_id), fingerprint, ordinal, source_id, path, text, (part,), kind, bates)


@pytest.fixture
def matter() -> Matter:
    return Matter()


@pytest.fixture
def letters() -> LetterEmbedder:
    return LetterEmbedder()
