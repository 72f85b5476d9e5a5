"""The lexical index of a matter as a value: passages, their places, and document cards."""

import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrieval.index.lexical import Grouped, LexicalIndex
from retrieval.index.postings import IndexDamaged, Segment
from retrieval.ports import IndexFiles
from retrieval.words.tokenize import VERSION, tokens
from verify.domain.ids import SourceId
from verify.domain.passage import Passage, PassageKind

FORMAT = f"{VERSION}, segments by digest, kinds"
"""An index that was written by other rules, or in another form, is made anew."""
OPENING = 1200
"""Characters of a document's beginning on its card: where a contract names itself, its parties and its date."""
KINDS = tuple(PassageKind)
_COLUMNS = 4
_FILE_NAME_BREAKS = re.compile(r"[_\-./\\+]+")


class Place(NamedTuple):
    """Where a passage begins: its source, 0-based page and its number within the source; and what it is made of."""

    source_id: SourceId
    page_index: int
    ordinal: int
    kind: PassageKind = PassageKind.TEXT


@dataclass(frozen=True)
class Places:
    """Where each passage row begins. ``table`` has a row for each: number in ``sources`` (sorted, each of them used),
    0-based page, ordinal, number in ``KINDS``. Arrays rather than objects, so that they are ready as soon as they are
    read."""

    sources: tuple[SourceId, ...]
    table: NDArray[np.int32]

    @classmethod
    def of(cls, places: Sequence[Place]) -> "Places":
        sources = sorted({place.source_id for place in places})
        numbers = {source: number for number, source in enumerate(sources)}
        rows = [
            (numbers[place.source_id], place.page_index, place.ordinal, KINDS.index(place.kind)) for place in places
        ]
        return cls(tuple(sources), np.array(rows, np.int32).reshape(-1, _COLUMNS))

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, row: int) -> Place:
        source, page, ordinal, kind = self.table[row].tolist()
        return Place(self.sources[source], page, ordinal, KINDS[kind])

    def of_kinds(self, kinds: Iterable[PassageKind]) -> NDArray[np.bool_]:
        """A flag for each row."""
        wanted = frozenset(kinds)
        return np.array([kind in wanted for kind in KINDS], bool)[self.table[:, 3]]

    def in_source(self, source_id: SourceId) -> NDArray[np.bool_]:
        """A flag for each row."""
        number = self.sources.index(source_id) if source_id in self.sources else -1
        inside: NDArray[np.bool_] = self.table[:, 0] == number
        return inside

    def in_sources(self, source_ids: Iterable[SourceId]) -> NDArray[np.bool_]:
        """A flag for each row."""
        wanted = frozenset(source_ids)
        return np.array([source in wanted for source in self.sources], bool)[self.table[:, 0]]

    def where(self, stay: NDArray[np.bool_]) -> "Places":
        """Only the rows with a flag."""
        used, numbers = np.unique(self.table[stay, 0], return_inverse=True)
        table = np.column_stack([numbers, self.table[stay, 1:]]).astype(np.int32)
        return Places(tuple(self.sources[number] for number in used.tolist()), table)

    def followed_by(self, other: "Places") -> "Places":
        """The rows of both."""
        sources = sorted({*self.sources, *other.sources})
        number = {source: place for place, source in enumerate(sources)}
        tables = []
        for places in (self, other):
            renumbered = np.array([number[source] for source in places.sources], np.int32)[places.table[:, 0]]
            tables.append(np.column_stack([renumbered, places.table[:, 1:]]).astype(np.int32))
        return Places(tuple(sources), np.concatenate(tables))

    @cached_property
    def pages(self) -> tuple[NDArray[np.int32], int]:
        """For each row a number for the page that it begins on, 0 … n-1, and n."""
        pages, numbers = np.unique(self.table[:, 0] * np.int64(2**32) + self.table[:, 1], return_inverse=True)
        return numbers.astype(np.int32), len(pages)


class Part(NamedTuple):
    """A segment as a file: its name, and how many rows it has."""

    name: str
    rows: int


@dataclass(frozen=True)
class FiledIndex(LexicalIndex):
    """An index whose segments are the files ``parts``; they are read when they are first needed."""

    parts: tuple[Part, ...] = ()

    @classmethod
    def of(
        cls, files: IndexFiles, keys: Sequence[str], lengths: NDArray[np.int32], parts: Sequence[Part]
    ) -> "FiledIndex":
        return cls(keys, lengths, partial(_read_parts, files, tuple(parts)), None, tuple(parts))

    def by_part(self, rows: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
        """What ``rows`` has for each row, parted as the files are."""
        ends = accumulate((part.rows for part in self.parts), initial=0)
        return [rows[begin:end] for begin, end in pairwise(ends)]


@dataclass(frozen=True)
class MatterIndex:
    """Row r of ``passages`` stands at ``places[r]``. Keys of ``cards`` begin with the source id and a line feed; what
    follows tells whether the card is still right.

    ``marks`` has for each source of which all passages are here what tells whether they are still the same; ``state``
    is that of the store when everything was compared with it, "" if it was not. ``page_mean`` is the mean idf of all
    words over pages, if it was worked out.
    """

    passages: FiledIndex
    places: Places
    cards: FiledIndex
    marks: Mapping[SourceId, str]
    state: str = ""
    page_mean: float | None = None

    @classmethod
    def empty(cls) -> "MatterIndex":
        none = FiledIndex((), np.zeros(0, np.int32), tuple)
        return cls(none, Places.of(()), none, {})

    @cached_property
    def card_sources(self) -> tuple[SourceId, ...]:
        """The source of each card, by row."""
        return tuple(SourceId(key.partition("\n")[0]) for key in self.cards.keys)

    @cached_property
    def row_cards(self) -> NDArray[np.int32]:
        """For each passage row the row of its document's card."""
        numbers = {source: row for row, source in enumerate(self.card_sources)}
        cards = np.array([numbers[source] for source in self.places.sources], np.int32)
        return cards[self.places.table[:, 0]]

    def documents_with(self, term: str) -> int:
        """How many documents hold the term, in a passage or on the card."""
        holding = np.zeros(len(self.card_sources), bool)
        holding[self.row_cards[self.passages.rows_with(term)]] = True
        holding[self.cards.rows_with(term)] = True
        return int(holding.sum())

    @property
    def row_pages(self) -> NDArray[np.int32]:
        """For each passage row the row of its page in ``pages``."""
        return self.places.pages[0]

    @cached_property
    def pages(self) -> Grouped:
        """Each page as one document, made of the passages that begin on it."""
        return Grouped(self.passages, *self.places.pages, self.page_mean)

    def rows_at(self, source_id: SourceId, ordinals: Sequence[int]) -> list[int]:
        """The rows of a source's passages with these ordinals, in their order; an ordinal of none is left out."""
        inside = np.flatnonzero(self.places.in_source(source_id))
        rows = dict(zip(self.places.table[inside, 2].tolist(), inside.tolist(), strict=True))
        return [rows[ordinal] for ordinal in ordinals if ordinal in rows]

    def to_bytes(self) -> bytes:
        """All but the segments."""
        means = (self.passages.known_mean, self.page_mean)
        about = {
            "version": FORMAT,
            "state": self.state,
            "sources": self.places.sources,
            "marks": dict(self.marks),
            "means": [None if mean is None else mean.hex() for mean in means],
            "keys": [self.passages.keys, self.cards.keys],
            "parts": [self.passages.parts, self.cards.parts],
        }
        return packed(
            {
                "about": np.frombuffer(json.dumps(about, ensure_ascii=False).encode(), np.uint8),
                "places": self.places.table,
                "lengths": self.passages.lengths,
                "card_lengths": self.cards.lengths,
            }
        )

    @classmethod
    def from_bytes(cls, data: bytes, files: IndexFiles) -> "MatterIndex":
        """Raises IndexDamaged for anything but a whole index made by this version's rules."""
        arrays = unpacked(data)
        try:
            about = json.loads(arrays["about"].tobytes())
            if about["version"] != FORMAT:
                raise IndexDamaged("made by other rules")
            index = cls._from(about, arrays, files)
            consistent = index._consistent()
        except (KeyError, TypeError, ValueError, IndexError) as damage:
            raise IndexDamaged(type(damage).__name__) from damage
        if not consistent:
            raise IndexDamaged("inconsistent")
        return index

    @classmethod
    def _from(cls, about: Any, arrays: Mapping[str, NDArray[Any]], files: IndexFiles) -> "MatterIndex":
        mean, page_mean = (None if mean is None else float.fromhex(mean) for mean in about["means"])
        lengths = (arrays["lengths"], arrays["card_lengths"])
        passages, cards = (
            FiledIndex.of(files, tuple(keys), sizes, [Part(str(name), int(rows)) for name, rows in parts])
            for keys, sizes, parts in zip(about["keys"], lengths, about["parts"], strict=True)
        )
        return cls(
            replace(passages, known_mean=mean),
            Places(tuple(SourceId(source) for source in about["sources"]), arrays["places"]),
            cards,
            {SourceId(source): str(mark) for source, mark in about["marks"].items()},
            str(about["state"]),
            page_mean,
        )

    def _consistent(self) -> bool:
        rows, numbers = len(self.passages.keys), self.places.table[:, 0]
        return (
            self.places.table.shape == (rows, _COLUMNS)
            and all(
                len(one.keys) == len(one.lengths) == sum(part.rows for part in one.parts)
                for one in (self.passages, self.cards)
            )
            and bool((np.unique(numbers) == np.arange(len(self.places.sources))).all())
            and set(self.places.sources) <= set(self.card_sources)
        )


def _read_parts(files: IndexFiles, parts: Sequence[Part]) -> tuple[Segment, ...]:
    return tuple(read_part(files, part) for part in parts)


def read_part(files: IndexFiles, part: Part) -> Segment:
    """Raises IndexDamaged, also for a file that is gone."""
    segment = Segment.from_arrays(unpacked(files.read(part.name) or b""))
    if segment.size != part.rows:
        raise IndexDamaged("another segment")
    return segment


def packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def unpacked(data: bytes) -> dict[str, NDArray[Any]]:
    """Raises IndexDamaged for bytes that were cut or changed."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except Exception as damage:  # numpy and zipfile raise many kinds
        raise IndexDamaged(type(damage).__name__) from damage


def passage_terms(passage: Passage) -> list[str]:
    """Index terms of a passage: its text under its heading path, and the Bates number of its page. The document's title
    stands on the card instead."""
    return tokens("\n".join((*passage.heading_path, passage.text, passage.bates or "")))


def card_terms(path: str, title: str, opening: str) -> list[str]:
    """Index terms of a document's card."""
    return tokens("\n".join((_FILE_NAME_BREAKS.sub(" ", path), title, opening[:OPENING])))


def rows_in(index: MatterIndex, sources: Iterable[SourceId]) -> NDArray[np.bool_]:
    """True for each card row whose source is among ``sources``."""
    wanted = frozenset(sources)
    return np.array([source in wanted for source in index.card_sources], bool)
