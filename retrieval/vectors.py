"""Embeddings as they were made, kept in segments, so that no index that is built from them needs them made again.

Exact search inside a document reads them too: a few hundred rows cost less than any filter of an approximate index.
"""

import hashlib
import io
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import IndexFiles
from verify.domain.ids import PassageId

SEGMENT = 1024
"""Passages in one file: what a crash can cost, and what the removal of a passage rewrites."""


@dataclass(frozen=True)
class _Segment:
    ids: tuple[PassageId, ...]
    matrix: NDArray[np.float16]

    def to_bytes(self) -> bytes:
        buffer = io.BytesIO()
        ids = np.frombuffer(json.dumps(self.ids).encode(), np.uint8)
        np.savez(buffer, ids=ids, matrix=self.matrix)
        return buffer.getvalue()


@dataclass(frozen=True)
class Vectors:
    """Row r of ``matrix`` belongs to ``ids[r]``; a value, replaced as a whole when embeddings come or go."""

    ids: tuple[PassageId, ...]
    matrix: NDArray[np.float32]

    @cached_property
    def rows(self) -> dict[PassageId, int]:
        return {key: row for row, key in enumerate(self.ids)}

    def nearest(self, vector: NDArray[np.float32], k: int, among: NDArray[np.int64] | None = None) -> list[PassageId]:
        """The ``k`` nearest by cosine, best first, among all rows or the given ones; ties by row number."""
        chosen = np.arange(len(self.ids)) if among is None else among
        matrix = self.matrix if among is None else self.matrix[chosen]
        similarity = matrix @ vector
        if len(chosen) > k:
            top = np.sort(np.argpartition(-similarity, k)[:k])
            chosen, similarity = chosen[top], similarity[top]
        return [self.ids[int(row)] for row in chosen[np.argsort(-similarity, kind="stable")]]


class KeptVectors:
    """The embeddings of one matter by one model. A damaged segment counts as absent: what it held is embedded again."""

    def __init__(self, files: IndexFiles, embedder: str, dimension: int) -> None:
        self._files, self._dimension = files, dimension
        self._prefix = kept_under(embedder)
        self._segments = {number: found for number in self._numbers() if (found := self._read(number))}
        self.current = _joined(self._segments.values(), dimension)

    def add(self, ids: Sequence[PassageId], matrix: NDArray[np.float32]) -> None:
        """Keeps one more segment; halved precision changes a cosine by less than 0.001."""
        number = max(self._segments, default=-1) + 1
        self._put(number, _Segment(tuple(ids), matrix.astype(np.float16)))
        self._settle()

    def keep_only(self, wanted: frozenset[PassageId]) -> None:
        """Takes out every other passage's vector, from the files too."""
        touched = [number for number, segment in self._segments.items() if not wanted.issuperset(segment.ids)]
        for number in touched:
            segment = self._segments[number]
            stay = np.array([key in wanted for key in segment.ids], bool)
            self._put(number, _Segment(tuple(key for key in segment.ids if key in wanted), segment.matrix[stay]))
        if touched:
            self._settle()

    def _numbers(self) -> list[int]:
        data = self._files.read(self._prefix)
        try:
            return [int(number) for number in json.loads(data)] if data else []
        except (ValueError, TypeError):
            return []

    def _read(self, number: int) -> _Segment | None:
        data = self._files.read(f"{self._prefix}-{number}")
        try:
            with np.load(io.BytesIO(data or b""), allow_pickle=False) as arrays:
                ids = tuple(PassageId(key) for key in json.loads(arrays["ids"].tobytes()))
                matrix = arrays["matrix"].astype(np.float16)
        except Exception:  # numpy and zipfile raise many kinds for bytes that were cut or changed
            return None
        whole = matrix.shape == (len(ids), self._dimension) and bool(np.isfinite(matrix).all())
        return _Segment(ids, matrix) if whole else None

    def _put(self, number: int, segment: _Segment) -> None:
        self._segments[number] = segment
        self._files.write(f"{self._prefix}-{number}", segment.to_bytes() if segment.ids else b"")

    def _settle(self) -> None:
        self._segments = {number: segment for number, segment in self._segments.items() if segment.ids}
        self._files.write(self._prefix, json.dumps(sorted(self._segments)).encode())
        self.current = _joined(self._segments.values(), self._dimension)


def _joined(segments: Iterable[_Segment], dimension: int) -> Vectors:
    """Of a passage that two segments hold (a crash between two writes), the later one counts."""
    held = list(segments)
    ids = [key for segment in held for key in segment.ids]
    last = {key: row for row, key in enumerate(ids)}
    rows = sorted(last.values())
    empty = np.zeros((0, dimension), np.float16)
    matrix = np.concatenate([empty, *(segment.matrix for segment in held)]).astype(np.float32)
    return Vectors(tuple(ids[row] for row in rows), matrix if len(rows) == len(ids) else matrix[rows])


def kept_under(embedder: str) -> str:
    """What the names of the files of one model's embeddings begin with."""
    return f"vectors-{slug(embedder)}"


def slug(name: str) -> str:
    """A model's name as a file or collection name: safe characters, and a digest so that no two names meet."""
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{re.sub(r'[^a-zA-Z0-9]+', '-', name).strip('-')[:40]}-{digest}"
