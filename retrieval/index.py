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

from retrieval.lexical import Document, IndexDamaged, LexicalIndex
from retrieval.ports import PassageStore
from retrieval.tokenize import VERSION, tokens
from verify.domain.document import SourceRecord
from verify.domain.ids import PassageId, SourceId
from verify.domain.passage import Passage
from verify.domain.progress import Progress

BATCH = 512
"""Passages taken from the store at a time."""


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
class MatterIndex:
    """Row r of ``passages`` stands at ``places[r]``. Keys of ``cards`` begin with the source id and a line feed; what
    follows tells whether the card is still right."""

    passages: LexicalIndex
    places: tuple[Place, ...]
    cards: LexicalIndex

    @classmethod
    def empty(cls) -> "MatterIndex":
        return cls(LexicalIndex.empty(), (), LexicalIndex.empty())

    @cached_property
    def card_sources(self) -> tuple[SourceId, ...]:
        """The source of each card, by row."""
        return tuple(SourceId(key.partition("\n")[0]) for key in self.cards.keys)

    @cached_property
    def row_cards(self) -> NDArray[np.int32]:
        """For each passage row the row of its document's card."""
        numbers = {source: row for row, source in enumerate(self.card_sources)}
        return np.array([numbers[place.source_id] for place in self.places], np.int32)

    def documents_with(self, term: str) -> int:
        """How many documents hold the term, in a passage or on the card."""
        holding = np.zeros(len(self.card_sources), bool)
        holding[self.row_cards[self.passages.rows_with(term)]] = True
        holding[self.cards.rows_with(term)] = True
        return int(holding.sum())

    @cached_property
    def row_pages(self) -> NDArray[np.int32]:
        """For each passage row the row of its page in ``pages``."""
        numbers: dict[tuple[SourceId, int], int] = {}
        pages = [numbers.setdefault((place.source_id, place.page_index), len(numbers)) for place in self.places]
        return np.array(pages, np.int32)

    @cached_property
    def pages(self) -> LexicalIndex:
        """Each page as one document, made of the passages that begin on it."""
        count = int(self.row_pages.max()) + 1 if len(self.row_pages) else 0
        return self.passages.merged(self.row_pages, [str(number) for number in range(count)])

    @cached_property
    def rows_at(self) -> dict[tuple[SourceId, int], int]:
        """Row by source and ordinal."""
        return {(place.source_id, place.ordinal): row for row, place in enumerate(self.places)}

    def to_bytes(self) -> bytes:
        buffer = io.BytesIO()
        sources = sorted({place.source_id for place in self.places})
        numbers = {source: number for number, source in enumerate(sources)}
        rows = np.array([(numbers[p.source_id], p.page_index, p.ordinal) for p in self.places], np.int32).reshape(-1, 3)
        arrays: dict[str, Any] = {
            "version": np.array(VERSION),
            "sources": np.array(sources, dtype=np.str_),
            "places": rows,
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
            index = cls(
                LexicalIndex.from_arrays(_part("passages_", arrays)),
                tuple(Place(SourceId(str(arrays["sources"][s])), int(p), int(o)) for s, p, o in arrays["places"]),
                LexicalIndex.from_arrays(_part("cards_", arrays)),
            )
            right = str(arrays["version"]) == VERSION and len(index.places) == len(index.passages.keys)
        except Exception as damage:  # numpy and zipfile raise many kinds for bytes that were cut or changed
            raise IndexDamaged(type(damage).__name__) from damage
        if not right or not {place.source_id for place in index.places} <= set(index.card_sources):
            raise IndexDamaged("other version or inconsistent")
        return index


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
    old_places = dict(zip(index.passages.keys, index.places, strict=True))
    all_places = tuple(places.get(key) or old_places[key] for key in passages.keys)
    yield Progress("retrieve", len(new), len(new), "passages")
    return MatterIndex(passages, all_places, _cards(index.cards, passages, all_places, store, records))


def passage_terms(passage: Passage) -> list[str]:
    """Index terms of a passage: its text under its heading path. The document's title stands on the card instead."""
    return tokens("\n".join((*passage.heading_path, passage.text)))


def card_terms(path: str, title: str, opening: str) -> list[str]:
    """Index terms of a document's card."""
    return tokens("\n".join((_FILE_NAME_BREAKS.sub(" ", path), title, opening[:OPENING])))


def _fetched(store: PassageStore, ids: Sequence[str]) -> Iterator[Passage]:
    for begin in range(0, len(ids), BATCH):
        yield from store.get([PassageId(key) for key in ids[begin : begin + BATCH]])


def _wanted_cards(
    passages: LexicalIndex, places: Sequence[Place], records: Sequence[SourceRecord]
) -> dict[str, list[str]]:
    """For each source that has passages, the key of its card (source id, and a digest of path and first passages) with
    the ids of those passages."""
    paths = {record.source_id: record.path for record in records}
    openings: dict[SourceId, list[tuple[int, str]]] = {}
    for key, place in zip(passages.keys, places, strict=True):
        entries = openings.setdefault(place.source_id, [])
        if place.ordinal < CARD_PASSAGES:
            entries.append((place.ordinal, key))
    wanted: dict[str, list[str]] = {}
    for source, entries in openings.items():
        first = [key for _, key in sorted(entries)]
        mark = hashlib.sha256("\n".join((paths.get(source, source), *first)).encode()).hexdigest()
        wanted[f"{source}\n{mark}"] = first
    return wanted


def _cards(
    old: LexicalIndex,
    passages: LexicalIndex,
    places: Sequence[Place],
    store: PassageStore,
    records: Sequence[SourceRecord],
) -> LexicalIndex:
    """One card for each source that has passages; a card is kept while its path and its first passages are the same."""
    paths = {record.source_id: record.path for record in records}
    wanted = _wanted_cards(passages, places, records)
    new = [key for key in wanted if key not in old.rows]
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
