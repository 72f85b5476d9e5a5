"""Embeddings as they were made, kept in segments, so that no index that is built from them needs them made again.

While passages are embedded only ids are held, so that memory does not grow with the vectors; a search reads all of
them, in two bytes a number, and compares them block by block. Exact search inside a document reads them too: a few
hundred rows cost less than any filter of an approximate index.
"""

import hashlib
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import IndexFiles
from verify.domain.ids import PassageId

SEGMENT = 1024
"""Most passages in one file: what a crash can cost, and what the removal of a passage rewrites."""
SCALE = 32_767
"""What a number of a unit vector is multiplied by to be kept in 16 bits. A cosine comes out within 0.0001 (standard
error 0.00001), as with half-precision floats, but whole numbers become floats eight times as fast."""
BLOCK = 1024
"""Rows turned into floats and compared at a time: they stay in the processor's cache."""
_SPARE = 2
"""The best rows, that many times ``k``, are compared again in double precision, so that the order of rows that are
equally near does not depend on where in a block they lie."""


@dataclass(frozen=True)
class _Segment:
    ids: tuple[PassageId, ...]
    matrix: NDArray[np.int16]

    def to_bytes(self) -> bytes:
        buffer = io.BytesIO()
        ids = np.frombuffer(json.dumps(self.ids).encode(), np.uint8)
        np.savez(buffer, ids=ids, matrix=self.matrix)
        return buffer.getvalue()


@dataclass(frozen=True)
class Vectors:
    """Row r of ``matrix``, in units of 1 / SCALE, belongs to ``ids[r]``, and ``rows[ids[r]]`` is r; a value, replaced
    as a whole when embeddings come or go."""

    ids: tuple[PassageId, ...]
    matrix: NDArray[np.int16]
    rows: dict[PassageId, int]

    def __getitem__(self, rows: Sequence[int]) -> NDArray[np.float32]:
        """The vectors of some rows, of unit length."""
        return self.matrix[rows].astype(np.float32) / np.float32(SCALE)

    def nearest(self, vector: NDArray[np.float32], k: int, among: NDArray[np.int64] | None = None) -> list[PassageId]:
        """The ``k`` nearest by cosine, best first, among all rows or the given ones; ties by row number."""
        chosen = np.arange(len(self.ids)) if among is None else np.sort(among)
        if len(chosen) > _SPARE * k:
            similarity = self._compared(vector, among if among is None else chosen)
            chosen = chosen[np.sort(np.argpartition(-similarity, _SPARE * k)[: _SPARE * k])]
        exact = (self.matrix[chosen] * vector.astype(np.float64)).sum(axis=1)
        return [self.ids[int(row)] for row in chosen[np.argsort(-exact, kind="stable")[:k]]]

    def _compared(self, vector: NDArray[np.float32], rows: NDArray[np.int64] | None) -> NDArray[np.float32]:
        size = len(self.ids) if rows is None else len(rows)
        similarity, floats = np.empty(size, np.float32), np.empty((BLOCK, len(vector)), np.float32)
        for begin in range(0, size, BLOCK):
            end = min(begin + BLOCK, size)
            block = floats[: end - begin]
            block[:] = self.matrix[begin:end] if rows is None else self.matrix[rows[begin:end]]
            np.dot(block, vector, out=similarity[begin:end])
        return similarity


class KeptVectors:
    """The embeddings of one matter by one model. A damaged segment counts as absent: what it held is embedded again.

    Of a passage that two segments hold (a crash between two writes), the later one counts.
    """

    def __init__(self, files: IndexFiles, embedder: str, dimension: int) -> None:
        self._files, self._dimension = files, dimension
        self._prefix = kept_under(embedder)
        self._numbers = self._listed()
        self._held: dict[int, tuple[PassageId, ...]] = {}
        self._current: Vectors | None = None

    @property
    def current(self) -> Vectors:
        """All of them in memory, from the first time on that they are asked for until some come or go."""
        if self._current is None:
            self._current = self._read_all()
        return self._current

    def __getitem__(self, rows: list[int]) -> NDArray[np.float32]:
        """The vectors of some of ``ids``, by their place there."""
        return self.current[rows]

    def ids(self) -> tuple[PassageId, ...]:
        """Of the passages that ``keep_only`` has found to have a vector, and of those that came since."""
        return tuple(dict.fromkeys(key for number in self._numbers for key in self._held.get(number, ())))

    def add(self, ids: Sequence[PassageId], matrix: NDArray[np.float32]) -> None:
        """Keeps one more segment, of at most SEGMENT vectors of unit length."""
        number = max(self._numbers, default=-1) + 1
        self._put(number, _Segment(tuple(ids), _whole_numbers(matrix)))
        self._list([*self._numbers, number])

    def keep_only(self, wanted: frozenset[PassageId]) -> Iterator[int]:
        """Looks through the files, and takes out of them every other passage's vector. Gives the count of files that
        were looked at after each; what is broken off is gone on with by the next call."""
        before = list(self._numbers)
        for done, number in enumerate(before, start=1):
            segment = self._read(number) or _Segment((), np.zeros((0, self._dimension), np.int16))
            stay = np.array([key in wanted for key in segment.ids], bool)
            self._held[number] = segment.ids
            if not stay.all():
                left = tuple(key for key in segment.ids if key in wanted)
                self._put(number, _Segment(left, segment.matrix[stay]))
            yield done
        left_over = [number for number in before if self._held[number]]
        if left_over != before:
            self._list(left_over)

    def _listed(self) -> list[int]:
        data = self._files.read(self._prefix)
        try:
            return [int(number) for number in json.loads(data)] if data else []
        except (ValueError, TypeError):
            return []

    def _list(self, numbers: list[int]) -> None:
        self._numbers, self._current = numbers, None
        self._files.write(self._prefix, json.dumps(numbers).encode())

    def _read(self, number: int) -> _Segment | None:
        data = self._files.read(f"{self._prefix}-{number}")
        try:
            with np.load(io.BytesIO(data or b""), allow_pickle=False) as arrays:
                ids = tuple(PassageId(key) for key in json.loads(arrays["ids"].tobytes()))
                matrix = _whole_numbers(arrays["matrix"])
        except Exception:  # numpy and zipfile raise many kinds for bytes that were cut or changed
            return None
        return _Segment(ids, matrix) if matrix.shape == (len(ids), self._dimension) and len(ids) <= SEGMENT else None

    def _read_all(self) -> Vectors:
        """Room is taken for full segments; what stays empty of it costs nothing."""
        matrix = np.empty((len(self._numbers) * SEGMENT, self._dimension), np.int16)
        rows: dict[PassageId, int] = {}
        for number in self._numbers:
            segment = self._read(number)
            if segment is not None:
                places = [rows.setdefault(key, len(rows)) for key in segment.ids]
                matrix[places] = segment.matrix
        return Vectors(tuple(rows), matrix[: len(rows)], rows)

    def _put(self, number: int, segment: _Segment) -> None:
        self._held[number], self._current = segment.ids, None
        self._files.write(f"{self._prefix}-{number}", segment.to_bytes() if segment.ids else b"")


def _whole_numbers(matrix: NDArray[Any]) -> NDArray[np.int16]:
    """In units of 1 / SCALE; earlier versions kept floats. Raises ValueError for what is no vector of unit length."""
    if matrix.dtype == np.int16:
        return matrix.astype(np.int16, copy=False)
    if not (np.abs(matrix) <= 1.001).all():  # which NaN is not either
        raise ValueError("not of unit length")
    kept: NDArray[np.int16] = np.rint(np.clip(matrix, -1, 1).astype(np.float32) * SCALE).astype(np.int16)
    return kept


def kept_under(embedder: str) -> str:
    """What the names of the files of one model's embeddings begin with."""
    return f"vectors-{slug(embedder)}"


def slug(name: str) -> str:
    """A model's name as a file or collection name: safe characters, and a digest so that no two names meet."""
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{re.sub(r'[^a-zA-Z0-9]+', '-', name).strip('-')[:40]}-{digest}"
