"""What search needs to be given. ``app.store`` and ``models.embeddings`` implement these."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from verify.domain.ids import PassageId, SourceId
from verify.domain.passage import Passage


class PassageStore(Protocol):
    """The passages of the current sources of one matter (superseded and missing sources have none)."""

    def generation(self) -> int:
        """Rises with every change of the passages, so that an index knows whether it is current."""
        ...

    def ids(self) -> frozenset[PassageId]: ...

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
