"""What search needs to be given. ``app.store`` and ``models.adapters.embeddings`` implement these."""

from collections.abc import Generator, Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from verify.domain.ids import PassageId, SourceId
from verify.domain.passage import Passage
from verify.domain.progress import Progress


class PassageStore(Protocol):
    """The passages of the current sources of one matter (superseded and missing sources have none)."""

    def state(self) -> str:
        """Another one after every change of the passages, of their sources' records, and of what may be read; "" if
        that cannot be told, so that an index must compare to know whether it is current."""
        ...

    def ids(self) -> frozenset[PassageId]: ...

    def listing(self) -> Iterator[tuple[SourceId, tuple[PassageId, ...]]]:
        """Each source that has passages with their ids, in order of the passages; streamed."""
        ...

    def get(self, passage_ids: Sequence[PassageId]) -> tuple[Passage, ...]:
        """In the order asked; an unknown id is left out."""
        ...

    def all(self) -> Iterator[Passage]:
        """In order of source path, then ordinal; streamed."""
        ...

    def of_source(self, source_id: SourceId) -> tuple[Passage, ...]: ...


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """Names model and revision; part of the collection's name, so another model never meets these vectors."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of unit length."""
        ...


class IndexFiles(Protocol):
    """Where an index keeps its bytes between runs, sealed where the matter is. Names are plain ASCII words."""

    def read(self, name: str) -> bytes | None:
        """None if there is no such file or it cannot be opened; the index is then made anew."""
        ...

    def write(self, name: str, data: bytes) -> None:
        """Whole or not at all: written aside, then renamed."""
        ...

    def names(self) -> Sequence[str]:
        """Of the files that were written."""
        ...

    def remove(self, name: str) -> None:
        """Nothing happens if there is no such file."""
        ...


class VectorRows(Protocol):
    """Vectors of unit length by row, as an array is asked for some of its rows; read when they are asked for."""

    def __getitem__(self, rows: list[int], /) -> NDArray[np.float32]: ...


class VectorIndex(Protocol):
    """Nearest neighbours over a whole matter; ``retrieval.index.dense`` implements it with Chroma."""

    def sync(self, ids: Sequence[PassageId], vectors: VectorRows) -> Generator[Progress, None, None]:
        """Makes the index hold exactly these rows, mending or remaking it where it must; or nothing, where that would
        take more memory than it may."""
        ...

    def attach(self, ids: Sequence[PassageId]) -> bool:
        """Whether it answers from here on, because what an earlier ``sync`` left holds exactly these rows."""
        ...

    def nearest(self, vector: NDArray[np.float32], k: int) -> list[PassageId] | None:
        """The ``k`` nearest, best first; None while the index cannot answer: damaged, server away, not attached since
        a ``sync`` that found nothing to do."""
        ...
