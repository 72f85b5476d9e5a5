"""An embedder for benchmarks of size: random unit vectors, seeded by the text, in place of hours of embedding.

The product has no such thing. The real model is loaded beside it and embeds some of the texts, so that what it takes of
memory is counted; that its vectors go the same way is shown at small sizes (``bench_index_scale.py --dense real``).
"""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.adapters.embeddings import DIMENSION, MiniLmEmbedder

REAL_EVERY = 100
"""Of so many batches one has a text that the real model embeds."""


class StandIn:
    name, dimension = "stand-in-384", DIMENSION

    def __init__(self) -> None:
        self._real, self._calls = MiniLmEmbedder(), 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self._calls % REAL_EVERY == 0:
            self._real.embed(texts[:1])
        self._calls += 1
        rows = np.stack([_drawn(text) for text in texts]) if texts else np.zeros((0, DIMENSION), np.float32)
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


def _drawn(text: str) -> NDArray[np.float32]:
    seed = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return np.random.default_rng(int.from_bytes(seed, "little")).standard_normal(DIMENSION, np.float32)


def install() -> None:
    """Makes every part of this process that asks for the embedding model get a StandIn."""
    import app.bootstrap

    held = StandIn()
    app.bootstrap.build_embedder = lambda _settings: held  # type: ignore[assignment]
