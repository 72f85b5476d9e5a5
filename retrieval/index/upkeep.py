"""Keeps a matter's lexical index in step with its store, one segment at a time.

A segment is written under a name of its own, then the index that names it, then what no index names any more is
deleted: killed between two steps, the index is the one before or the one after, and the next run goes on from there.
Neither memory nor the time between two signs of life depends on how large the matter is.
"""

import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from retrieval.index.index import (
    OPENING,
    FiledIndex,
    MatterIndex,
    Part,
    Place,
    Places,
    card_terms,
    packed,
    passage_terms,
    read_part,
)
from retrieval.index.lexical import mean_idf
from retrieval.index.postings import Counting, IndexDamaged, Segment
from retrieval.ports import IndexFiles, PassageStore
from verify.domain.document import SourceRecord
from verify.domain.ids import PassageId, SourceId
from verify.domain.passage import Passage
from verify.domain.progress import Progress

INDEX_FILE = "lexical.npz"
PART_PREFIX = "lexical-"
SEGMENT = 32_768
"""Passages in one segment: sorting its three million postings takes under half a second, and their memory is bounded
by it. Two neighbours that fit in one are joined, so that the count of segments follows the size of the matter."""
BATCH = 64
"""Passages read and counted between two signs of life."""
CARD_PASSAGES = 8
"""Of how many first passages a card may be made; OPENING characters of them are."""
_CARDS = 16
"""Cards made between two signs of life."""
_LISTED = 100_000
"""Passages whose ids are compared between two signs of life."""

Records = Callable[[], Sequence[SourceRecord]]
Steps = Generator[Progress, None, MatterIndex]


def kept_index(files: IndexFiles) -> MatterIndex:
    """As it was written last; an empty one where there is none, or it was damaged."""
    data = files.read(INDEX_FILE)
    try:
        return MatterIndex.from_bytes(data, files) if data else MatterIndex.empty()
    except IndexDamaged:
        return MatterIndex.empty()


def refreshed(index: MatterIndex, store: PassageStore, records: Records, files: IndexFiles, *, hold: bool) -> Steps:
    """The index of what the store holds now. Only documents of which a passage is new or gone are read.

    ``hold`` says that a search follows: the segments stay in memory, and another process may be at work on the same
    index. Otherwise they are looked through one by one, and what a killed run has left behind is deleted.
    """
    damaged = yield from _damaged(index, files, hold)
    if damaged:  # or another process has replaced them since the index was read
        index = kept_index(files)
        damaged = yield from _damaged(index, files, hold)
    if damaged or not index.state or index.state != store.state():
        index = yield from _Upkeep(index, store, records, files).run(damaged)
    if hold:
        _all_read(index)
    else:
        _sweep(index, files, files.names())
    return index


def _damaged(index: MatterIndex, files: IndexFiles, hold: bool) -> Generator[Progress, None, frozenset[str]]:
    """Names of the files that are gone or do not open."""
    if hold and _all_read(index):
        return frozenset()
    damaged = set()
    parts = (*index.passages.parts, *index.cards.parts)
    for done, part in enumerate(parts):
        if done > 2:
            yield Progress("retrieve", done, len(parts), "segments")
        try:
            read_part(files, part)
        except IndexDamaged:
            damaged.add(part.name)
    return frozenset(damaged)


def _all_read(index: MatterIndex) -> bool:
    """Reads all segments into the index, where they stay, if they are sound."""
    try:
        for one in (index.passages, index.cards):
            one.segments  # noqa: B018 (read on first use)
    except IndexDamaged:
        return False
    return True


def _names(index: MatterIndex) -> list[str]:
    return [part.name for one in (index.passages, index.cards) for part in one.parts]


def _sweep(index: MatterIndex, files: IndexFiles, names: Iterable[str]) -> None:
    """Deletes the segments among ``names`` that the index does not name."""
    used = frozenset(_names(index))
    for name in names:
        if name.startswith(PART_PREFIX) and name not in used:
            files.remove(name)


class _Parts:
    """The segments of an index that is being made, as files. ``written`` gets the name of each new one."""

    def __init__(self, files: IndexFiles, written: list[str], kept: Sequence[Part] = ()) -> None:
        self._files, self._written = files, written
        self.kept = list(kept)

    def put(self, part: Part, segment: Segment | None = None) -> None:
        """The next segment, joined with the last one if both fit in one. ``segment`` is its content where that is not
        in a file yet."""
        if self.kept and self.kept[-1].rows + part.rows <= SEGMENT:
            last = read_part(self._files, self.kept.pop())
            segment = last.followed_by(segment or read_part(self._files, part))
        if segment is not None:
            data = packed(segment.arrays())
            part = Part(f"{PART_PREFIX}{hashlib.sha256(data).hexdigest()[:16]}.npz", segment.size)
            self._written.append(part.name)
            self._files.write(part.name, data)
        self.kept.append(part)

    def put_new(self, segment: Segment) -> None:
        if segment.size:
            self.put(Part("", segment.size), segment)


class _Upkeep:
    """One run. ``index`` is whole after each step."""

    def __init__(self, index: MatterIndex, store: PassageStore, records: Records, files: IndexFiles) -> None:
        self._index, self._begun = index, index
        self._store, self._files = store, files
        self._paths = {record.source_id: record.path for record in records()}
        self._marks: dict[SourceId, str] = {}
        self._new: dict[SourceId, tuple[PassageId, ...]] = {}
        self._written: list[str] = []
        self._total = self._done = 0

    def run(self, damaged: frozenset[str]) -> Steps:
        """``damaged`` names files of the index that cannot be read: what they held is put in anew."""
        state = self._store.state()
        self._drop(damaged)
        yield from self._compare()
        yield from self._take_out()
        yield from self._add()
        yield from self._bring_cards()
        if self._index is not self._begun:
            yield from self._measure()
        if self._index is not self._begun or state != self._index.state:
            self._index = replace(self._index, state=state)
            self._write()
            _sweep(self._index, self._files, (*_names(self._begun), *self._written))
        return self._index

    def _write(self) -> None:
        self._files.write(INDEX_FILE, self._index.to_bytes())

    def _progress(self) -> Progress:
        return Progress("retrieve", self._done, self._total, "passages")

    # What goes -------------------------------------------------------------------------------------------------------

    def _drop(self, damaged: frozenset[str]) -> None:
        """The rows of files that cannot be read; a source that loses one is put in anew."""
        index = self._index
        stay, left = _outside(index.passages, damaged)
        if not stay.all():
            hurt = frozenset(index.places.where(~stay).sources)
            marks = {source: mark for source, mark in index.marks.items() if source not in hurt}
            self._index = self._with_passages(stay, left, marks)
        stay, left = _outside(index.cards, damaged)
        if not stay.all():
            self._index = replace(self._index, cards=_chosen(index.cards, stay, left, self._files))

    def _compare(self) -> Generator[Progress, None, None]:
        """Finds the sources whose passages are not all here, or not as they are now."""
        listed = 0
        for source, ids in self._store.listing():
            self._marks[source] = hashlib.sha256("\n".join(ids).encode()).hexdigest()[:32]
            if self._index.marks.get(source) != self._marks[source]:
                self._new[source] = ids
                self._total += len(ids)
            listed += len(ids)
            if listed >= _LISTED:
                listed = 0
                yield Progress("retrieve", 0, None, "passages")

    def _take_out(self) -> Generator[Progress, None, None]:
        """All passages of sources that are gone, have changed or were not finished."""
        index = self._index
        marks = {source: mark for source, mark in index.marks.items() if self._marks.get(source) == mark}
        stay = index.places.in_sources(marks)
        if not stay.all():
            parts = yield from self._left(index.passages, stay)
            self._index = self._with_passages(stay, parts, marks)

    def _left(self, index: FiledIndex, stay: NDArray[np.bool_]) -> Generator[Progress, None, list[Part]]:
        """The files of the rows with a flag."""
        parts = _Parts(self._files, self._written)
        for part, flags in zip(index.parts, index.by_part(stay), strict=True):
            yield self._progress()
            if flags.all():
                parts.put(part)
            else:
                parts.put_new(read_part(self._files, part).without(flags))
        return parts.kept

    def _with_passages(
        self, stay: NDArray[np.bool_], parts: Sequence[Part], marks: Mapping[SourceId, str]
    ) -> MatterIndex:
        index = self._index
        return replace(
            index,
            passages=_chosen(index.passages, stay, parts, self._files),
            places=index.places.where(stay),
            marks=marks,
            state="",
            page_mean=None,
        )

    # What comes ------------------------------------------------------------------------------------------------------

    def _add(self) -> Generator[Progress, None, None]:
        """Each document's passages together, and those of a page in one segment, as pages are counted by segments."""
        batch = _Batch()
        for source in list(self._new):
            ids, before = self._new.pop(source), self._done
            for passage in _fetched(self._store, ids):
                if len(batch.keys) >= SEGMENT and not batch.is_of_last_page(passage):
                    yield from self._close(batch)
                    self._write()
                    batch = _Batch()
                batch.add(passage)
                self._done += 1
                if self._done % BATCH == 1:
                    yield self._progress()
            if self._done - before == len(ids):
                batch.whole[source] = self._marks[source]
        if batch.keys:
            yield from self._close(batch)

    def _close(self, batch: "_Batch") -> Generator[Progress, None, None]:
        """Makes the batch a segment of the index, and the cards of its documents."""
        index, parts = self._index, _Parts(self._files, self._written, self._index.passages.parts)
        segment = batch.counting.segment()
        yield self._progress()
        parts.put_new(segment)
        keys = (*index.passages.keys, *batch.keys)
        lengths = np.concatenate([index.passages.lengths, np.array(batch.counting.lengths, np.int32)])
        self._index = replace(
            index,
            passages=FiledIndex.of(self._files, keys, lengths, parts.kept),
            places=index.places.followed_by(Places.of(batch.places)),
            marks={**index.marks, **batch.whole},
            state="",
            page_mean=None,
        )
        yield self._progress()
        yield from self._bring_cards()

    def _bring_cards(self) -> Generator[Progress, None, None]:
        """One card for each source that has passages; a card is kept while its path and its first passages are the
        same."""
        old, wanted = self._index.cards, _wanted_cards(self._index, self._paths)
        stay = np.array([key in wanted for key in old.keys], bool)
        kept = frozenset(old.keys)
        new = [key for key in wanted if key not in kept]
        if stay.all() and not new:
            return
        parts = _Parts(self._files, self._written, (yield from self._left(old, stay)))
        cards = _chosen(old, stay, parts.kept, self._files)
        for begin in range(0, len(new), SEGMENT):
            cards = yield from self._with_cards(
                cards, parts, {key: wanted[key] for key in new[begin : begin + SEGMENT]}
            )
        self._index = replace(self._index, cards=cards)

    def _with_cards(
        self, cards: FiledIndex, parts: _Parts, firsts: Mapping[str, Sequence[str]]
    ) -> Generator[Progress, None, FiledIndex]:
        counting = Counting()
        for number, (key, first) in enumerate(firsts.items()):
            if number % _CARDS == _CARDS - 1:
                yield Progress("retrieve", number, len(firsts), "documents")
            counting.add(self._card(key, first))
        parts.put_new(counting.segment())
        lengths = np.concatenate([cards.lengths, np.array(counting.lengths, np.int32)])
        return FiledIndex.of(self._files, (*cards.keys, *firsts), lengths, parts.kept)

    def _card(self, key: str, first: Sequence[str]) -> list[str]:
        source = SourceId(key.partition("\n")[0])
        passages = self._store.get([PassageId(one) for one in first])
        title = passages[0].title if passages else ""
        opening = "\n".join(passage.text for passage in passages)[:OPENING]
        return card_terms(self._paths.get(source, source), title, opening)

    def _measure(self) -> Generator[Progress, None, None]:
        """Works out the mean idf of all words, over passages and over pages, so that no query has to."""
        index = self._index
        pages, count = index.places.pages
        words, pages_with = [], []
        begin = 0
        for done, part in enumerate(index.passages.parts):
            yield Progress("retrieve", done, len(index.passages.parts), "segments")
            segment = read_part(self._files, part)
            words.append((segment.digests, np.diff(segment.starts)))
            pages_with.append((segment.digests, segment.group_frequencies(pages[begin : begin + part.rows])))
            begin += part.rows
        yield self._progress()
        mean = mean_idf(words, len(index.passages.keys))
        yield self._progress()
        passages = replace(index.passages, known_mean=mean)
        self._index = replace(index, passages=passages, page_mean=mean_idf(pages_with, count))


class _Batch:
    """What becomes the next segment. ``whole`` has the marks of the sources that end in it."""

    def __init__(self) -> None:
        self.counting = Counting()
        self.keys: list[str] = []
        self.places: list[Place] = []
        self.whole: dict[SourceId, str] = {}

    def add(self, passage: Passage) -> None:
        self.counting.add(passage_terms(passage))
        self.keys.append(passage.passage_id)
        self.places.append(Place(passage.source_id, passage.page_index, passage.ordinal, passage.kind))

    def is_of_last_page(self, passage: Passage) -> bool:
        return self.places[-1][:2] == (passage.source_id, passage.page_index)


def _outside(index: FiledIndex, names: frozenset[str]) -> tuple[NDArray[np.bool_], list[Part]]:
    """A flag for each row that lies in none of the files, and the other files."""
    flags = [np.full(part.rows, part.name not in names) for part in index.parts]
    return np.concatenate([np.zeros(0, bool), *flags]), [part for part in index.parts if part.name not in names]


def _chosen(index: FiledIndex, stay: NDArray[np.bool_], parts: Sequence[Part], files: IndexFiles) -> FiledIndex:
    """The rows with a flag, which lie in ``parts``."""
    keys = tuple(key for key, flag in zip(index.keys, stay.tolist(), strict=True) if flag)
    return FiledIndex.of(files, keys, index.lengths[stay], parts)


def _fetched(store: PassageStore, ids: Sequence[PassageId]) -> Iterator[Passage]:
    for begin in range(0, len(ids), BATCH):
        yield from store.get(ids[begin : begin + BATCH])


def _wanted_cards(index: MatterIndex, paths: Mapping[SourceId, str]) -> dict[str, list[str]]:
    """For each source that has passages, the key of its card (source id, and a digest of path and first passages) with
    the ids of those passages."""
    places = index.places
    firsts: dict[SourceId, list[str]] = {source: [] for source in places.sources}
    opening = np.flatnonzero(places.table[:, 2] < CARD_PASSAGES)
    for row in opening[np.argsort(places.table[opening, 2], kind="stable")].tolist():
        firsts[places[row].source_id].append(index.passages.keys[row])
    wanted: dict[str, list[str]] = {}
    for source, first in firsts.items():
        mark = hashlib.sha256("\n".join((paths.get(source, source), *first)).encode()).hexdigest()
        wanted[f"{source}\n{mark}"] = first
    return wanted
