"""Embeddings as they were made, kept in segments, so that no index that is built from them needs them made again.

While passages are embedded only ids are held. A search holds the vectors of a matter of some 130,000 passages, in two
bytes a number, and compares them segment by segment; those of a larger one it reads for each question, so that memory
does not grow with the matter. Exact search inside a document takes its segments alone: a few hundred rows cost less
than any filter of an approximate index.
"""

import hashlib
import io
import json
import math
import re
import struct
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
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
_LENGTHS = 26
"""Where in the header of a file in a ZIP archive stand the lengths of its name and its extra field, the last two of it
(APPNOTE 4.3.7)."""
HELD = 128
"""Segments of vectors that a search holds at most: 100 MB with 384 numbers each."""


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
    """Vectors of unit length: rows ``starts[s]`` … ``starts[s + 1]`` - 1 are ``segment(s)``, in units of 1 / SCALE. A
    value, replaced as a whole when embeddings come or go."""

    starts: NDArray[np.int64]
    segment: Callable[[int], NDArray[np.int16]]

    def __len__(self) -> int:
        return int(self.starts[-1])

    def __getitem__(self, rows: list[int]) -> NDArray[np.float32]:
        """The vectors of some rows."""
        order = np.argsort(rows)
        found = [block.astype(np.float32) for _, block in self._parts(np.array(rows, np.int64)[order])]
        return (np.concatenate(found)[np.argsort(order)] / SCALE).astype(np.float32)

    def nearest(self, vector: NDArray[np.float32], k: int, among: NDArray[np.int64]) -> NDArray[np.int64]:
        """The ``k`` of the given rows that are nearest by cosine, best first; ties by row number. Each row's product is
        computed by itself, so that it does not depend on the rows beside it."""
        rows = np.sort(among)
        near, floats = np.empty(len(rows), np.float32), np.empty((SEGMENT, len(vector)), np.float32)
        for here, block in self._parts(rows):
            floats[: len(block)] = block
            np.vecdot(floats[: len(block)], vector, out=near[here])
        if len(rows) > k:
            best = near >= np.partition(near, len(rows) - k)[len(rows) - k]
            rows, near = rows[best], near[best]
        return rows[np.argsort(-near, kind="stable")[:k]]

    def _parts(self, rows: NDArray[np.int64]) -> Iterator[tuple[slice, NDArray[np.int16]]]:
        """Which of the rows, ascending and each once, lie in one segment, and their vectors."""
        bounds = np.searchsorted(rows, self.starts).tolist()
        for number, (begin, end) in enumerate(pairwise(bounds)):
            if begin < end:
                matrix, inside = self.segment(number), rows[begin:end] - self.starts[number]
                yield slice(begin, end), matrix if len(inside) == len(matrix) else matrix[inside]


class KeptVectors:
    """The embeddings of one matter by one model. A damaged segment counts as absent: what it held is embedded again.

    Of a passage that two segments hold (a crash between two writes), the later one counts.
    """

    def __init__(self, files: IndexFiles, embedder: str, dimension: int) -> None:
        self._files, self._dimension = files, dimension
        self._prefix = kept_under(embedder)
        self.begun = files.read(self._prefix) is not None
        """Whether any was ever kept, even if its list is damaged now."""
        self._numbers = self._listed()
        self._held: dict[int, tuple[PassageId, ...]] = {}
        self._vectors: Vectors | None = None

    def load(self) -> tuple[list[PassageId], Vectors]:
        """All of them, and the passage of each row; of one that has two rows, the later is right."""
        ids: list[PassageId] = []
        starts, numbers, held = [0], [], []
        hold = len(self._numbers) <= HELD
        for number in self._numbers:
            segment = self._read(number)
            if segment is not None:
                ids += segment.ids
                starts.append(len(ids))
                numbers.append(number)
                if hold:
                    held.append(segment.matrix)
        bounds = np.array(starts, np.int64)
        return ids, Vectors(bounds, held.__getitem__ if hold else partial(self._read_again, numbers, bounds))

    def __getitem__(self, rows: list[int]) -> NDArray[np.float32]:
        """The vectors of some of ``ids``, by their place there."""
        if self._vectors is None:
            self._vectors = self.load()[1]
        return self._vectors[rows]

    def ids(self) -> tuple[PassageId, ...]:
        """Of the passages that ``keep_only`` has found to have a vector, and of those that came since."""
        return tuple(key for number in self._numbers for key in self._held.get(number, ()))

    def add(self, ids: Sequence[PassageId], matrix: NDArray[np.float32]) -> None:
        """Keeps one more segment, of at most SEGMENT vectors of unit length."""
        number = max(self._numbers, default=-1) + 1
        self._put(number, _Segment(tuple(ids), _whole_numbers(matrix)))
        self._list([*self._numbers, number])

    def keep_only(self, wanted: frozenset[PassageId]) -> Iterator[int]:
        """Looks through the files, and takes out of them every other passage's vector, and the earlier of two. Gives
        the count of files that were looked at after each; what is broken off is gone on with by the next call."""
        before, seen = list(self._numbers), set[PassageId]()
        for done, number in enumerate(reversed(before), start=1):
            segment = self._read(number) or _Segment((), np.zeros((0, self._dimension), np.int16))
            stay = np.array([key in wanted and key not in seen for key in segment.ids], bool)
            self._held[number] = segment.ids
            if not stay.all():
                left = tuple(key for key, stays in zip(segment.ids, stay.tolist(), strict=True) if stays)
                self._put(number, _Segment(left, segment.matrix[stay]))
            seen.update(segment.ids)
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
        self._numbers, self._vectors = numbers, None
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

    def _read_again(self, numbers: Sequence[int], starts: NDArray[np.int64], place: int) -> NDArray[np.int16]:
        """A segment as it was when all were loaded. One that has changed since is near no question."""
        shape = (int(starts[place + 1] - starts[place]), self._dimension)
        try:
            matrix = _matrix_in(self._files.read(f"{self._prefix}-{numbers[place]}") or b"")
        except Exception:  # as for ``_read``
            return np.zeros(shape, np.int16)
        return matrix if matrix.shape == shape else np.zeros(shape, np.int16)

    def _put(self, number: int, segment: _Segment) -> None:
        self._held[number], self._vectors = segment.ids, None
        self._files.write(f"{self._prefix}-{number}", segment.to_bytes() if segment.ids else b"")


def _matrix_in(data: bytes) -> NDArray[np.int16]:
    """The matrix of a segment that was read before, where it lies in the file: an eighth of the time that numpy takes
    to read everything and add up its checksum. Raises many kinds of errors for bytes that were cut or changed."""
    file = io.BytesIO(data)
    with zipfile.ZipFile(file) as archive:
        header = archive.getinfo("matrix.npy").header_offset
    name, extra = struct.unpack_from("<HH", data, header + _LENGTHS)
    file.seek(header + _LENGTHS + 4 + name + extra)
    np.lib.format.read_magic(file)
    shape, _, kind = np.lib.format.read_array_header_1_0(file)
    return _whole_numbers(np.frombuffer(data, kind, math.prod(shape), file.tell()).reshape(shape))


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
