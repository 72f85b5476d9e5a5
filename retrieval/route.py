"""Which document a question is about, told from small cards: file name, title and opening words of each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.lexical import LexicalIndex, best_rows
from retrieval.tokenize import tokens

OPENING = 1200
"""Characters of a document's beginning on its card: where a contract names itself, its parties and its date."""
CLEAR = 1.25
"""A card's score must exceed the next one's by this factor to route a question; else everything is searched alike."""
EXPLAINED = 0.25
"""What a query word counts inside the routed document if the document's card already explains it."""
_FILE_NAME_BREAKS = re.compile(r"[_\-./\\+]+")


@dataclass(frozen=True, slots=True)
class Route:
    """``card`` is the row of the card index; ``query`` the terms to search inside that document."""

    card: int
    query: dict[str, float]


def card_terms(path: str, title: str, opening: str) -> list[str]:
    """Index terms of a document's card."""
    return tokens("\n".join((_FILE_NAME_BREAKS.sub(" ", path), title, opening[:OPENING])))


def route(cards: LexicalIndex, query: Mapping[str, float], allowed: NDArray[np.bool_]) -> Route | None:
    """The one document that the question names; the only allowed one if there is but one; None if none stands clear."""
    scores = cards.scores(query)
    if allowed.sum() == 1:
        return Route(int(allowed.argmax()), inside(cards, int(allowed.argmax()), query))
    best = best_rows(scores, 2, allowed)
    if not best or (len(best) > 1 and scores[best[0]] < CLEAR * scores[best[1]]):
        return None
    return Route(best[0], inside(cards, best[0], query))


def inside(cards: LexicalIndex, card: int, query: Mapping[str, float]) -> dict[str, float]:
    """The query with less weight on words that the card explains; as it was if it explains them all."""
    known = cards.terms_of(card)
    if all(term in known for term in query):
        return dict(query)
    return {term: weight * (EXPLAINED if term in known else 1.0) for term, weight in query.items()}
