"""Words of a question that stand nowhere in what was searched, with the nearest spelling that does, as an offer.

Nothing is searched in a word's place: what was meant is for the person to say.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrieval.index.index import MatterIndex
from retrieval.ports import PassageStore
from retrieval.query.expand import POINTING
from retrieval.query.pinpoint import pinpoint, quotations
from retrieval.query.route import FRAME_WORDS
from retrieval.words.dates import dates_in
from retrieval.words.tokenize import stem, tokens
from verify.domain.ids import PassageId

MOST_OFFERED = 2
SHORTEST = 5
"""Letters of a word from which on one wrong letter leaves it known."""
_LOOKED_AT = 4
"""Stems one letter away of which the words are looked up, the most frequent first."""
_FARTHEST = 3
"""How far apart (``_apart``) an offered word may be: "ledgers" for "leger", not "indemnify" for "indemnifcation"."""
_READ = 5
"""Passages that are read to see how a word is written that is known by its stem alone."""
_PHRASE_READ = 300
"""Passages that are read for words in quotation marks."""
_ASKING = frozenset(map(stem, ("how", "much", "many", "often", "long", "please")))
_WORD = re.compile(r"[^\s\"“”„«»\[\]{}<>;!?…]+")
_PLAIN = re.compile(r"[^\W\d_]+")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Unmatched(NamedTuple):
    """``word`` as it was asked; ``nearest`` words that do occur, about one letter away, the nearest first."""

    word: str
    nearest: tuple[str, ...]


def unmatched(index: MatterIndex, store: PassageStore, question: str, allowed: NDArray[np.bool_]) -> list[Unmatched]:
    """In the order asked, each once. ``allowed`` has a flag for each card of the documents that were searched; what
    stands on a document's card (its file name, its title) stands in it."""
    rows = allowed[index.row_cards]
    found: dict[str, Unmatched] = {}
    for word in _words(_without_dates(index, question, rows)):
        terms = [term for term in tokens(word) if term not in FRAME_WORDS | POINTING | _ASKING]
        needed = terms if "(" in word else terms[:1]  # "7.2(b)" is mostly printed as 7.2 and, below it, (b)
        if needed and word not in found and not any(_occurs(index, term, allowed, rows) for term in needed):
            found[word] = Unmatched(word, tuple(_nearest(index, store, word, rows)))
    return [*found.values(), *_phrases(index, store, question, rows, found.keys())]


def _without_dates(index: MatterIndex, question: str, rows: NDArray[np.bool_]) -> str:
    """The question without the dates that the documents have, however these write them."""
    kept, end = "", 0
    for date in dates_in(question):
        if any(rows[index.passages.rows_with(reading)].any() for reading in date.readings):
            kept += question[end : date.start] + " "
            end = date.end
    return kept + question[end:]


def _phrases(
    index: MatterIndex, store: PassageStore, question: str, rows: NDArray[np.bool_], told: Iterable[str]
) -> Iterator[Unmatched]:
    """Words in quotation marks that no passage has in a row. What too many passages may have is not looked for."""
    for phrase in quotations(question):
        alone = set(_words(phrase))
        if len(alone) < 2 or not alone.isdisjoint(told):
            continue
        holding = rows.copy()
        for term in tokens(phrase):
            here = np.zeros_like(rows)
            here[index.passages.rows_with(term)] = True
            holding &= here
        keys = [PassageId(index.passages.keys[row]) for row in np.flatnonzero(holding)[: _PHRASE_READ + 1]]
        if len(keys) <= _PHRASE_READ and not any(map(pinpoint(f'"{phrase}"').hits, store.get(keys))):
            yield Unmatched(phrase, ())


def _words(question: str) -> Iterator[str]:
    for match in _WORD.finditer(question):
        word = match.group().strip(".,:'’-")
        if word := word if word.count("(") == word.count(")") else word.strip("()"):
            yield word


def _occurs(index: MatterIndex, term: str, allowed: NDArray[np.bool_], rows: NDArray[np.bool_]) -> bool:
    return bool(rows[index.passages.rows_with(term)].any() or allowed[index.cards.rows_with(term)].any())


def _nearest(index: MatterIndex, store: PassageStore, word: str, rows: NDArray[np.bool_]) -> list[str]:
    lowered = word.lower().replace("’", "'").removesuffix("'s")
    if len(lowered) < SHORTEST or not _PLAIN.fullmatch(lowered):
        return []
    often: dict[str, int] = {}
    for term in {stem(one) for one in _one_letter_away(lowered)}:
        if (holding := int(rows[index.passages.rows_with(term)].sum())) > 0:
            often[term] = holding
    terms = sorted(often, key=lambda one: (-often[one], one))[:_LOOKED_AT]
    written = {one: None for term in terms for one in _as_written(index, store, term, lowered, rows)}
    return sorted(written, key=lambda one: _apart(one.lower(), lowered))[:MOST_OFFERED]


def _one_letter_away(word: str) -> set[str]:
    """One letter left out, doubled or exchanged for another, or two neighbours exchanged."""
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    ways = {a + b[1:] for a, b in cuts if b} | {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
    ways |= {
        a + letter + b[skipped:] for a, b in cuts for letter in _LETTERS for skipped in (0, 1) if len(b) >= skipped
    }
    return ways - {word}


def _as_written(
    index: MatterIndex, store: PassageStore, term: str, meant: str, rows: NDArray[np.bool_]
) -> Iterator[str]:
    """The word of that stem that is nearest to ``meant``, as a passage has it."""
    holding = index.passages.rows_with(term)
    keys = [PassageId(index.passages.keys[row]) for row in holding[rows[holding]][:_READ]]
    written = {one for passage in store.get(keys) for one in _PLAIN.findall(passage.text) if term in tokens(one)}
    nearest = min(written, key=lambda one: (_apart(one.lower(), meant), one), default="")
    if nearest and _apart(nearest.lower(), meant) <= _FARTHEST:
        yield nearest


def _apart(one: str, other: str) -> int:
    """Letters of the longer word that are left between a common beginning and a common end: few for one stem."""
    shorter = min(len(one), len(other))
    head = next((n for n in range(shorter) if one[n] != other[n]), shorter)
    tail = next((n for n in range(shorter) if one[-1 - n] != other[-1 - n]), shorter)
    return max(len(one), len(other)) - min(head + tail, shorter)
