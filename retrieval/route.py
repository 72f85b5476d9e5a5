"""Which document a question is about, told from small cards: file name, title and opening words of each."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.lexical import LexicalIndex, best_rows
from retrieval.tokenize import tokens

OPENING = 1200
"""Characters of a document's beginning on its card: where a contract names itself, its parties and its date."""
CLEAR = 1.25
"""A card's score must exceed the next one's by this factor to route a question; else everything is searched alike."""
ROUTED_WEIGHT = 4.0
"""What a place in the routed document's own list counts against one in the list of the whole matter."""
EXPLAINED = 0.25
"""What a query word counts inside the routed document if the document's card already explains it."""
NAMING_SHARE = 0.6
"""A part of a question names the document if the card explains at least this share of its weight."""
FRAME = 0.2
"""What a word counts that speaks of documents as such, beside words that say what is sought in them."""
FRAME_WORDS = frozenset(
    tokens(
        "agreement clause concerning consider contain contract document include indicate mention provide provision "
        "regarding require say section specify state under"
    )
)
_PART_BREAKS = re.compile(r"[;:?!\n]|,\s|\.\s")
_FILE_NAME_BREAKS = re.compile(r"[_\-./\\+]+")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, apart from the document it is asked of: weighted index terms, and the same as text."""

    terms: dict[str, float]
    text: str


@dataclass(frozen=True, slots=True)
class Route:
    """``card`` is the row of the card index; ``asked`` what to search for inside that document; ``weight`` what a place
    in that document's own list counts against one in the list of everything."""

    card: int
    asked: Question
    weight: float = ROUTED_WEIGHT


def card_terms(path: str, title: str, opening: str) -> list[str]:
    """Index terms of a document's card."""
    return tokens("\n".join((_FILE_NAME_BREAKS.sub(" ", path), title, opening[:OPENING])))


def whole(question: str) -> Question:
    """The question as it stands. A word about documents as such ("clause", "agreement") counts FRAME, unless it is all
    there is."""
    return _asked([question], frozenset(), 1.0)


def route(cards: LexicalIndex, question: str, allowed: NDArray[np.bool_]) -> Route | None:
    """The one document that the question names; the only allowed one if there is but one; None if none stands clear."""
    if allowed.sum() == 1:
        card = int(allowed.argmax())
        return Route(card, inside(cards, card, question, unnamed=1.0))
    scores = cards.scores(whole(question).terms)
    best = best_rows(scores, 2, allowed)
    if not best or (len(best) > 1 and scores[best[0]] < CLEAR * scores[best[1]]):
        return None
    return Route(best[0], inside(cards, best[0], question, unnamed=EXPLAINED))


def inside(cards: LexicalIndex, card: int, question: str, unnamed: float) -> Question:
    """The question without what only names the document.

    A part of the question ("Under the lease between A and B, …") names the document where the card explains most of it,
    by weight; what the other parts say is then the question. Without such a part, words that the card explains count
    ``unnamed`` each.
    """
    known = cards.terms_of(card)
    parts = [part for part in _PART_BREAKS.split(question) if tokens(part)]
    asking = [part for part in parts if _explained_share(cards, known, tokens(part)) < NAMING_SHARE]
    if not asking:
        return whole(question)
    return _asked(asking, known, unnamed if len(asking) == len(parts) else 1.0)


def _asked(parts: Sequence[str], known: frozenset[str], known_weight: float) -> Question:
    counts = Counter(term for part in parts for term in tokens(part))
    telling = any(term not in FRAME_WORDS for term in counts)
    terms = {
        term: count * (FRAME if telling and term in FRAME_WORDS else 1.0) * (known_weight if term in known else 1.0)
        for term, count in counts.items()
    }
    return Question(terms, ", ".join(part.strip() for part in parts))


def _explained_share(cards: LexicalIndex, known: frozenset[str], terms: Sequence[str]) -> float:
    """How much of the terms' weight the card explains, 0 to 1. A word on no card weighs like the rarest."""
    rarest = math.log(len(cards.keys) + 0.5) - math.log(0.5)
    weights = [cards.idf(term) or rarest for term in terms]
    return sum(w for w, term in zip(weights, terms, strict=True) if term in known) / max(sum(weights), 1e-9)
