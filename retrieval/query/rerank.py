"""The first passages of a fused list once more, by what ranks of single words cannot tell: whether a passage says what
the question names in the phrases that clauses have for it, and whether it states the kind of value that is asked for.

No model is asked. Weights were tried on two parts of the documents and
confirmed on the third, in turn (README.md has the figures).
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from retrieval.query.expand import stems, wordings
from retrieval.query.pinpoint import Pinpoint, pinpoint
from retrieval.words.tokenize import STOP_WORDS
from verify.domain.passage import Passage

FIRST = 12
"""How many passages are read again, in about a millisecond; with 40 the same pages come first."""
POINTED_FIRST = 60
"""The same for a question that points at a place ("Section 7.2", words in quotation marks): it may stand far down."""
PLACE = 4.0
"""What the place itself adds: enough to come before all that only mentions it, from the sixtieth rank too."""
PHRASES = 0.5
"""What all its phrases add to a passage's fused score of 1. The right page of a contract is first 3 to 6 times more
often in 100 than without; more than this costs where a document is about one subject throughout, such as a privacy
policy or a non-disclosure agreement, and less costs in contracts (README.md)."""
VALUE = 0.1
"""What a date or a period adds where a question asks when or how long, an amount or a share where it asks how much."""
FULL_PHRASE = 3
"""Pairs of words from which on a phrase counts wholly: a single pair ("written notice") stands in many clauses."""

_TIME_ASKED = re.compile(
    r"\b(?:when|dates?|how (?:long|soon|many (?:days|weeks|months|years))|duration|period|terms?|deadline|expir\w*)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|ninety)\)?[-\s]+"
    r"(?:(?:calendar|business|working)\s+)?(?:day|week|month|year)s?\b|\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_AMOUNT_ASKED = re.compile(
    r"\b(?:how (?:much|high)|prices?|fees?|costs?|amounts?|percent\w*|rates?|royalt\w*|rent)\b", re.IGNORECASE
)
_AMOUNT = re.compile(r"[$€£¥]\s?\d|\d\s?%|\bper\s?cent\b|\b(?:dollars|euros|pounds)\b", re.IGNORECASE)

Pair = tuple[str, str]
"""Stems of two words that follow each other, stop words left out."""


def depth(question: str) -> int:
    """How many passages of a fused list ``reranked`` wants to read."""
    return POINTED_FIRST if pinpoint(question) else FIRST


def reranked(question: str, fused: Sequence[tuple[int, float]], read: Mapping[int, Passage]) -> list[tuple[int, float]]:
    """``fused`` (row and score, best first) with its first rows in their new order; ``read`` holds the passages of the
    first ``depth`` rows, and a row without one keeps its score.

    A score is raised and never lowered, so that all of them stay before the others.
    """
    named, place, many = wordings(question), pinpoint(question), depth(question)
    first = [
        (row, score * (1 + _gain(question, named, place, read[row])) if row in read else score)
        for row, score in fused[:many]
    ]
    return sorted(first, key=lambda item: -item[1]) + list(fused[many:])


def _gain(question: str, named: Sequence[str], place: Pinpoint, passage: Passage) -> float:
    pairs = pairs_of(passage.text) if named else frozenset()
    said = sum(said_in(pairs, wording) for wording in named)
    gain = PHRASES * said / (1 + said)
    gain += VALUE * bool(_TIME_ASKED.search(question) and _TIME.search(passage.text))
    gain += VALUE * bool(_AMOUNT_ASKED.search(question) and _AMOUNT.search(passage.text))
    return gain + (PLACE * place.hits(passage) if place else 0.0)


def said_in(pairs: frozenset[Pair], wording: str) -> float:
    """How many of a wording's phrases a text of these pairs has, each counted by the share of its own pairs."""
    return sum(sum(pair in pairs for pair in phrase) / max(len(phrase), FULL_PHRASE) for phrase in _phrases(wording))


@lru_cache(maxsize=1024)
def _phrases(wording: str) -> tuple[tuple[Pair, ...], ...]:
    """The pairs of each phrase of a wording; phrases end at commas."""
    phrases = (tuple(pairwise(stems(part, without=STOP_WORDS))) for part in wording.split(","))
    return tuple(phrase for phrase in phrases if phrase)


def pairs_of(text: str) -> frozenset[Pair]:
    return frozenset(pairwise(stems(text, without=STOP_WORDS)))
