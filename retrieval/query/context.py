"""Passages that belong with a hit: its neighbours in the document, and what it refers to."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.index.index import MatterIndex
from retrieval.ports import PassageStore
from retrieval.query.references import defines, opens_section, sections_named, terms_used
from retrieval.words.tokenize import tokens
from verify.domain.ids import PassageId
from verify.domain.passage import Passage

MOST_TERMS = 40
"""Capitalised phrases of a passage that are looked up; the rest of a page of names is left."""
MOST_CANDIDATES = 12
"""Passages that are read to find where one section or term begins."""


def neighbours(index: MatterIndex, store: PassageStore, passage: Passage, before: int, after: int) -> list[Passage]:
    """Up to ``before`` passages before it and ``after`` after it, in document order."""
    ordinals = [
        *range(passage.ordinal - before, passage.ordinal),
        *range(passage.ordinal + 1, passage.ordinal + after + 1),
    ]
    return _read(index, store, index.rows_at(passage.source_id, ordinals))


def referred_to(index: MatterIndex, store: PassageStore, passage: Passage, limit: int) -> list[Passage]:
    """Up to ``limit`` other passages of the document: sections that the passage names first, in the order of naming,
    then definitions of terms that it uses, in the order of use."""
    found: dict[PassageId, Passage] = {}
    for target in _targets(index, store, passage):
        if target.passage_id != passage.passage_id:
            found.setdefault(target.passage_id, target)
        if len(found) == limit:
            break
    return list(found.values())


def _targets(index: MatterIndex, store: PassageStore, passage: Passage) -> Iterator[Passage]:
    inside = index.places.in_source(passage.source_id)
    for number in sections_named(passage.text):
        rows = _holding(index, tokens(number.split("(", 1)[0]), inside)
        yield from (one for one in _read(index, store, rows) if opens_section(one, number))
    own = [term for term in terms_used(passage.text) if not defines(passage, term)]
    for term in own[:MOST_TERMS]:
        rows = _holding(index, tokens(term), inside)
        yield from (one for one in _read(index, store, rows) if defines(one, term))


def _holding(index: MatterIndex, terms: Sequence[str], inside: NDArray[np.bool_]) -> list[int]:
    """Rows of the document that hold all the terms, from its beginning on: definitions and sections come before use."""
    if not terms:
        return []
    held = inside.copy()
    for term in set(terms):
        has = np.zeros_like(held)
        has[index.passages.rows_with(term)] = True
        held &= has
    rows = sorted((int(row) for row in np.flatnonzero(held)), key=lambda row: int(index.places.table[row, 2]))
    return rows[:MOST_CANDIDATES]


def _read(index: MatterIndex, store: PassageStore, rows: Sequence[int]) -> list[Passage]:
    return list(store.get([PassageId(index.passages.keys[row]) for row in rows]))
