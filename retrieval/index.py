"""The lexical index of a matter: passages, their places, and document cards; kept whole, changed by what changed."""

import hashlib
import io
import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrieval.lexical import Document, Grouped, IndexDamaged, LexicalIndex, group_frequencies
from retrieval.ports import PassageStore
from retrieval.tokenize import VERSION, tokens
from verify.domain.document import SourceRecord
from verify.domain.ids import PassageId, SourceId
from verify.domain.passage import Passage
from verify.domain.progress import Progress

BATCH = 512
"""Passages taken from the store at a time."""
FORMAT = f"{VERSION}, postings by term"
"""An index that was written by other rules, or in another form, is made anew."""
CARD_PASSAGES = 8
"""Of how many first passages a card may be made; OPENING characters of them are."""
OPENING = 1200
"""Characters of a document's beginning on its card: where a contract names itself, its parties and its date."""
_FILE_NAME_BREAKS = re.compile(r"[_\-./\\+]+")


class Place(NamedTuple):
    """Where a passage begins: its source, 0-based page and its number within the source."""

    source_id: SourceId
    page_index: int
    ordinal: int


@dataclass(frozen=True)
class Places:
    """Where each passage row begins. ``table`` has a row for each: number in ``sources`` (sorted, each of them used),
    0-based page, ordinal. Arrays rather than objects, so that they are ready as soon as they are read."""

    sources: tuple[SourceId, ...]
    table: NDArray[np.int32]

    @classmethod
    def of(cls, places: Sequence[Place]) -> "Places":
        sources = sorted({place.source_id for place in places})
        numbers = {source: number for number, source in enumerate(sources)}
        rows = [(numbers[place.source_id], place.page_index, place.ordinal) for place in places]
        return cls(tuple(sources), np.array(rows, np.int32).reshape(-1, 3))

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, row: int) -> Place:
        source, page, ordinal = self.table[row].tolist()
        return Place(self.sources[source], page, ordinal)

    def in_source(self, source_id: SourceId) -> NDArray[np.bool_]:
        """A flag for each row."""
        number = self.sources.index(source_id) if source_id in self.sources else -1
        inside: NDArray[np.bool_] = self.table[:, 0] == number
        return inside

    @cached_property
    def pages(self) -> tuple[NDArray[np.int32], int]:
        """For each row a number for the page that it begins on, 0 … n-1, and n."""
        pages, numbers = np.unique(self.table[:, 0] * np.int64(2**32) + self.table[:, 1], return_inverse=True)
        return numbers.astype(np.int32), len(pages)


@dataclass(frozen=True)
class MatterIndex:
    """Row r of ``passages`` stands at ``places[r]``; ``page_frequencies`` says on how many pages each of their terms
    stands. Keys of ``cards`` begin with the source id and a line feed; what follows tells whether the card is still
    right."""

    passages: LexicalIndex
    places: Places
    cards: LexicalIndex
    page_frequencies: NDArray[np.int32]

    @classmethod
    def of(cls, passages: LexicalIndex, places: Places, cards: LexicalIndex) -> "MatterIndex":
        return cls(passages, places, cards, group_frequencies(passages, *places.pages))

    @classmethod
    def empty(cls) -> "MatterIndex":
        return cls.of(LexicalIndex.empty(), Places.of(()), LexicalIndex.empty())

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
        return Grouped(self.passages, *self.places.pages, self.page_frequencies)

    def rows_at(self, source_id: SourceId, ordinals: Sequence[int]) -> list[int]:
        """The rows of a source's passages with these ordinals, in their order; an ordinal of none is left out."""
        inside = np.flatnonzero(self.places.in_source(source_id))
        rows = dict(zip(self.places.table[inside, 2].tolist(), inside.tolist(), strict=True))
        return [rows[ordinal] for ordinal in ordinals if ordinal in rows]

    def to_bytes(self) -> bytes:
        buffer = io.BytesIO()
        arrays: dict[str, Any] = {
            "version": np.array(FORMAT),
            "sources": np.array(self.places.sources, dtype=np.str_),
            "places": self.places.table,
            "page_frequencies": self.page_frequencies,
            **_prefixed("passages_", self.passages.arrays()),
            **_prefixed("cards_", self.cards.arrays()),
        }
        np.savez(buffer, **arrays)
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> "MatterIndex":
        """Raises IndexDamaged for anything but a whole index made by this version's rules."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
            if str(arrays["version"]) != FORMAT:
                raise IndexDamaged("made by other rules")
            index = cls(
                LexicalIndex.from_arrays(_part("passages_", arrays)),
                Places(tuple(SourceId(str(source)) for source in arrays["sources"]), arrays["places"]),
                LexicalIndex.from_arrays(_part("cards_", arrays)),
                arrays["page_frequencies"],
            )
            consistent = index._consistent()
        except Exception as damage:  # numpy and zipfile raise many kinds for bytes that were cut or changed
            raise IndexDamaged(type(damage).__name__) from damage
        if not consistent:
            raise IndexDamaged("inconsistent")
        return index

    def _consistent(self) -> bool:
        numbers = self.places.table[:, 0]
        return (
            self.places.table.shape == (len(self.passages.keys), 3)
            and len(self.page_frequencies) == len(self.passages.vocabulary)
            and bool((np.unique(numbers) == np.arange(len(self.places.sources))).all())
            and set(self.places.sources) <= set(self.card_sources)
        )


def is_current(index: MatterIndex, store: PassageStore, records: Sequence[SourceRecord]) -> bool:
    """Whether the index holds the store's passages by id, and each card the path that its document has now."""
    if frozenset(index.passages.keys) != store.ids():
        return False
    return frozenset(index.cards.keys) == frozenset(_wanted_cards(index.passages, index.places, records))


def brought_up_to_date(
    index: MatterIndex, store: PassageStore, records: Sequence[SourceRecord]
) -> Generator[Progress, None, MatterIndex]:
    """The index of what the store holds now; only passages that are new are read and their words counted."""
    wanted = store.ids()
    gone = frozenset(index.passages.keys) - wanted
    new = sorted(wanted - frozenset(index.passages.keys))
    yield Progress("retrieve", 0, len(new), "passages")
    documents: list[Document] = []
    places: dict[str, Place] = {}
    for done, passage in enumerate(_fetched(store, new), start=1):
        documents.append(Document(passage.passage_id, passage_terms(passage)))
        places[passage.passage_id] = Place(passage.source_id, passage.page_index, passage.ordinal)
        if done % BATCH == 0:
            yield Progress("retrieve", done, len(new), "passages")
    passages = index.passages.changed(gone, documents)
    yield Progress("retrieve", len(new), len(new), "passages")
    old = {key: index.places[row] for row, key in enumerate(index.passages.keys)}
    all_places = Places.of([places.get(key) or old[key] for key in passages.keys])
    return MatterIndex.of(passages, all_places, _cards(index.cards, passages, all_places, store, records))


def passage_terms(passage: Passage) -> list[str]:
    """Index terms of a passage: its text under its heading path. The document's title stands on the card instead."""
    return tokens("\n".join((*passage.heading_path, passage.text)))


def card_terms(path: str, title: str, opening: str) -> list[str]:
    """Index terms of a document's card."""
    return tokens("\n".join((_FILE_NAME_BREAKS.sub(" ", path), title, opening[:OPENING])))


def _fetched(store: PassageStore, ids: Sequence[str]) -> Iterator[Passage]:
    for begin in range(0, len(ids), BATCH):
        yield from store.get([PassageId(key) for key in ids[begin : begin + BATCH]])


def _wanted_cards(passages: LexicalIndex, places: Places, records: Sequence[SourceRecord]) -> dict[str, list[str]]:
    """For each source that has passages, the key of its card (source id, and a digest of path and first passages) with
    the ids of those passages."""
    paths = {record.source_id: record.path for record in records}
    firsts: dict[SourceId, list[str]] = {source: [] for source in places.sources}
    opening = np.flatnonzero(places.table[:, 2] < CARD_PASSAGES)
    for row in opening[np.argsort(places.table[opening, 2], kind="stable")].tolist():
        firsts[places[row].source_id].append(passages.keys[row])
    wanted: dict[str, list[str]] = {}
    for source, first in firsts.items():
        mark = hashlib.sha256("\n".join((paths.get(source, source), *first)).encode()).hexdigest()
        wanted[f"{source}\n{mark}"] = first
    return wanted


def _cards(
    old: LexicalIndex,
    passages: LexicalIndex,
    places: Places,
    store: PassageStore,
    records: Sequence[SourceRecord],
) -> LexicalIndex:
    """One card for each source that has passages; a card is kept while its path and its first passages are the same."""
    paths = {record.source_id: record.path for record in records}
    wanted = _wanted_cards(passages, places, records)
    new = [key for key in wanted if key not in old.row_of]
    return old.changed(set(old.keys) - set(wanted), (_card(key, wanted[key], store, paths) for key in new))


def _card(key: str, first: Sequence[str], store: PassageStore, paths: Mapping[SourceId, str]) -> Document:
    source = SourceId(key.partition("\n")[0])
    passages = store.get([PassageId(one) for one in first])
    title = passages[0].title if passages else ""
    opening = "\n".join(passage.text for passage in passages)[:OPENING]
    return Document(key, card_terms(paths.get(source, source), title, opening))


def _prefixed(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    return {prefix + name: array for name, array in arrays.items()}


def _part(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def rows_in(index: MatterIndex, sources: Iterable[SourceId]) -> NDArray[np.bool_]:
    """True for each card row whose source is among ``sources``."""
    wanted = frozenset(sources)
    return np.array([source in wanted for source in index.card_sources], bool)
