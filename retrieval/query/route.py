"""Which document a question is about, and what is asked of it.

Every document has a small card: file name, title and opening words (``index.index``). A question names a document
with words that stand on its card and in few documents at all: a party's name does, "termination" does not, wherever it
may stand on a card.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.index.index import MatterIndex
from retrieval.words.tokenize import tokens
from verify.domain.ids import SourceId

CLEAR = 0.5
"""By how much the best card must lead the next to route a question, as a share of what a word of one document weighs.
On 1,016 questions that name their document and as many that name none, 0.5 routed 94 % of the first, none of them to a
wrong document but one, and 3 % of the second."""
ROUTED_WEIGHT = 16.0
"""What a place in the routed document's own list counts against one in the list of the whole matter."""
LEANING_WEIGHT = 4.0
"""The same where the question only has words that stand on one card, and does not name the document: a guess leans, a
name binds."""
SHORT = 3
"""Passages up to which a document is mostly card, so that any question about it seems to name it. It is only leaned
to, unless its file name has one of the telling words."""
MOST = 4
"""Documents that a question may name together."""
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
_BREAKS = re.compile(
    r"([;?!\n]+|[:,]\s|\.\s|\b(?:among|are|between|by|can|did|do|does|for|from|has|have|in|is|may(?!,?\s+(?:the\s+)?\d)|must|of|shall|to"
    r"|under|will|with)\b)",
    re.IGNORECASE,
)
PathOf = Callable[[SourceId], str]
_CLAUSES = re.compile(r"[;?!\n]+|:\s")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, apart from the document it is asked of: weighted index terms, and the same as text."""

    terms: dict[str, float]
    text: str


@dataclass(frozen=True, slots=True)
class Route:
    """``cards`` are the rows of the named documents in the card index; ``asked`` what to search for inside them;
    ``weight`` what a place in their own list counts against one in the list of everything."""

    cards: tuple[int, ...]
    asked: Question
    weight: float = ROUTED_WEIGHT


def whole(question: str) -> Question:
    """The question as it stands. A word about documents as such ("clause", "agreement") counts FRAME, unless it is all
    there is."""
    return _asked(question, frozenset(), 1.0)


def no_path(_: SourceId) -> str:
    return ""


def route(index: MatterIndex, question: str, allowed: NDArray[np.bool_], path_of: PathOf = no_path) -> Route | None:
    """The documents that the question names; the only allowed one if there is but one; None if none stands clear.

    ``allowed`` has a flag for each card; ``path_of`` gives a document's path.
    """
    rarity = _rarity(index, frozenset(tokens(question)))
    if allowed.sum() == 1:
        card = int(allowed.argmax())
        return Route((card,), _inside(index, (card,), question, rarity, unnamed=1.0)[0])
    scores = np.where(allowed, naming_scores(index, rarity), -1.0)
    order = np.argsort(-scores, kind="stable")[: MOST + 1].tolist()
    bar = CLEAR * rarest(index)
    for many in range(1, len(order)):
        named = tuple(order[:many])
        if scores[order[many - 1]] - scores[order[many]] >= bar and _each_by_itself(index, named, rarity, bar):
            asked, by_name = _inside(index, named, question, rarity, unnamed=EXPLAINED)
            binds = by_name and all(_may_bind(index, card, rarity, bar, path_of) for card in named)
            return Route(named, asked, ROUTED_WEIGHT if binds else LEANING_WEIGHT)
    return None


def _each_by_itself(index: MatterIndex, cards: Sequence[int], rarity: dict[str, float], bar: float) -> bool:
    """Whether each of several is named by a word that stands on no other's card; one alone need not be."""
    if len(cards) == 1:
        return True
    telling = [_telling(index, card, rarity, bar) for card in cards]
    return all(own - frozenset().union(*telling[:n], *telling[n + 1 :]) for n, own in enumerate(telling))


def _telling(index: MatterIndex, card: int, rarity: dict[str, float], bar: float) -> frozenset[str]:
    known = index.cards.terms_of(card)
    return frozenset(term for term, weight in rarity.items() if weight >= bar and term in known)


def _may_bind(index: MatterIndex, card: int, rarity: dict[str, float], bar: float, path_of: PathOf) -> bool:
    if int((index.row_cards == card).sum()) > SHORT:
        return True
    return not _telling(index, card, rarity, bar).isdisjoint(tokens(path_of(index.card_sources[card])))


def naming_scores(index: MatterIndex, rarity: dict[str, float]) -> NDArray[np.float64]:
    """For each card the weight of the question's words that stand on it."""
    scores = np.zeros(len(index.card_sources))
    for term, weight in rarity.items():
        scores[index.cards.rows_with(term)] += 0.0 if term in FRAME_WORDS else weight
    return scores


def rarest(index: MatterIndex) -> float:
    """What a word weighs that stands in one document only."""
    return _weight(len(index.card_sources), 1)


def _rarity(index: MatterIndex, terms: Iterable[str]) -> dict[str, float]:
    """For each term, how few documents hold it: log(1 + (n - f + 0.5) / (f + 0.5)), Lucene's form of BM25's idf."""
    return {term: _weight(len(index.card_sources), index.documents_with(term)) for term in sorted(terms)}


def _weight(documents: int, holding: int) -> float:
    return math.log(1 + (documents - holding + 0.5) / (holding + 0.5))


def _inside(
    index: MatterIndex, cards: Sequence[int], question: str, rarity: dict[str, float], unnamed: float
) -> tuple[Question, bool]:
    """The question without what only names the documents ("… of the lease between A and B"), and whether it names them.

    A clause names the document where the card explains most of it and a rare word is in it ("Consider the lease between
    Halden Freight and B; …"); it goes, if another clause asks. What is left is cut into chunks at marks and small
    words. A chunk names the document likewise, and so does one beside it that the card explains wholly ("the lease").
    The rest is asked. Where no chunk names, or each does, rare words that the card explains count ``unnamed`` each.
    """
    known = frozenset().union(*map(index.cards.terms_of, cards))
    bar = CLEAR * rarest(index)
    telling = frozenset(term for term, weight in rarity.items() if weight >= bar and term in known)
    clauses = [clause for clause in _CLAUSES.split(question) if tokens(clause)]
    others = [clause for clause in clauses if not _names(known, tokens(clause), rarity, bar)]
    if len(others) < len(clauses) and _asks(" ".join(others)):
        question, unnamed = "; ".join(clause.strip() for clause in others), 1.0
    chunks = _chunks(question)
    explained = [_explained(known, tokens(text), rarity) for text, _ in chunks]
    rare = [_names(known, tokens(text), rarity, bar) for text, _ in chunks]
    by_name = any(rare) or len(others) < len(clauses)
    if not any(rare):
        return _asked(question, telling, unnamed), by_name
    names = list(rare)
    for here in (*range(1, len(chunks)), *range(len(chunks) - 2, -1, -1)):
        beside = names[max(here - 1, 0)] or names[min(here + 1, len(chunks) - 1)]
        names[here] = names[here] or (beside and explained[here][1] == 1.0)
    for named in (names, rare):
        left = _joined([(text, mark, not is_name) for (text, mark), is_name in zip(chunks, named, strict=True)])
        if _asks(left):
            return _asked(left, telling, 1.0), by_name
    return _asked(question, telling, unnamed), by_name


def _names(known: frozenset[str], terms: Sequence[str], rarity: dict[str, float], bar: float) -> bool:
    """Whether the card explains most of it, with a rare word in it."""
    weight, share = _explained(known, terms, rarity)
    return share >= NAMING_SHARE and weight >= bar


def _asks(text: str) -> bool:
    return any(term not in FRAME_WORDS for term in tokens(text))


def _chunks(question: str) -> list[tuple[str, str]]:
    """Pieces that hold a term, each with the mark or small word that follows it. What holds none ("What is") stands at
    the head of the next piece."""
    pieces = [*_BREAKS.split(question), ""]
    chunks, head = [], ""
    for text, mark in zip(pieces[::2], pieces[1::2], strict=True):
        if tokens(text):
            chunks.append((head + text, mark))
            head = ""
        else:
            head += text + mark
    return chunks


def _joined(chunks: Iterable[tuple[str, str, bool]]) -> str:
    """The chunks that stay, with what stood between two of them; a comma where something was left out."""
    text, mark = "", ""
    for chunk, after, stays in chunks:
        if stays:
            text += (mark if text else "") + chunk
            mark = after
        else:
            mark = ", "
    return " ".join(text.split())


def _explained(known: frozenset[str], terms: Sequence[str], rarity: dict[str, float]) -> tuple[float, float]:
    """The weight of the terms that the card explains, and their share in the weight of all, 0 to 1."""
    weights = [(term, rarity.get(term, 0.0)) for term in terms if term not in FRAME_WORDS]
    weight = sum(w for term, w in weights if term in known)
    return weight, weight / max(sum(w for _, w in weights), 1e-9)


def _asked(text: str, names: frozenset[str], name_weight: float) -> Question:
    counts = Counter(tokens(text))
    telling = any(term not in FRAME_WORDS for term in counts)
    terms = {
        term: count * (FRAME if telling and term in FRAME_WORDS else 1.0) * (name_weight if term in names else 1.0)
        for term, count in counts.items()
    }
    return Question(terms, text)
