"""Words that clauses use for what a question names, added to it with less weight than its own words."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from retrieval.tokenize import tokens

EXPANSION_WEIGHT = 0.5
"""What an added word counts against one that the question itself holds."""


_TABLE = Path(__file__).with_name("vocabulary.txt")


class Concept(NamedTuple):
    """``asked``: sets of terms; one of them wholly in a question names the concept. ``wording``: how clauses say it."""

    asked: tuple[frozenset[str], ...]
    wording: str


@lru_cache(maxsize=1)
def concepts() -> tuple[Concept, ...]:
    """``vocabulary.txt``, parsed once; its head says how it is written."""
    lines = [line for line in _TABLE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    runs = [" ".join(line.strip() for line in run) for _, run in groupby(lines, key=lambda line: line[0] == " ")]
    return tuple(_concept(asked, wording) for asked, wording in zip(runs[::2], runs[1::2], strict=True))


def _concept(asked: str, wording: str) -> Concept:
    return Concept(tuple(frozenset(tokens(way)) for way in asked.split("|")), wording)


def wordings(terms: Mapping[str, float]) -> list[str]:
    """The wording of each concept that the question names; of two where one's words include the other's, the narrower.

    "cap on liability" names the limit of liability, so what "liability" alone would add is left out.
    """
    present = frozenset(terms)
    named = [(way, concept) for concept in concepts() for way in concept.asked if way <= present]
    ways = {way for way, _ in named}
    narrow = [(way, concept) for way, concept in named if not any(way < other for other in ways)]
    return list(dict.fromkeys(concept.wording for _, concept in narrow))


def expanded(terms: Mapping[str, float]) -> dict[str, float]:
    """``terms`` with the words of the wordings they name at EXPANSION_WEIGHT, where the question lacks them."""
    added = {term: EXPANSION_WEIGHT for wording in wordings(terms) for term in tokens(wording)}
    return added | dict(terms)
