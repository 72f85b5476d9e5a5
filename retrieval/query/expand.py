"""Words that clauses use for what a question names, added to it with less weight than its own words."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from retrieval.query.route import Question
from retrieval.words.tokenize import STOP_WORDS, stem, tokens

EXPANSION_WEIGHT = 0.5
"""What an added word counts against one that the question itself holds."""
WINDOW = 10
"""Within how many words of a question a way to ask must stand: those of a long question that lie far apart ("… party
… whether during the contract or after it ends") name nothing together."""
POINTING = frozenset(stem(word) for word in STOP_WORDS) | frozenset(
    map(stem, ["agreement", "clause", "contract", "document", "provision", "section"])
)
"""Words of a way that tell how it is asked, or of what, rather than what is sought."""
_TABLE = Path(__file__).with_name("vocabulary.txt")
_WORD = re.compile(r"[^\W_]+")


class Concept(NamedTuple):
    """``asked``: sets of stems; one of them wholly in a question names the concept. ``wording``: how clauses say it."""

    asked: tuple[frozenset[str], ...]
    wording: str


@lru_cache(maxsize=1)
def concepts() -> tuple[Concept, ...]:
    """``vocabulary.txt``, parsed once; its head says how it is written."""
    lines = [line for line in _TABLE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    runs = [" ".join(line.strip() for line in run) for _, run in groupby(lines, key=lambda line: line[0] == " ")]
    return tuple(_concept(asked, wording) for asked, wording in zip(runs[::2], runs[1::2], strict=True))


def _concept(asked: str, wording: str) -> Concept:
    return Concept(tuple(frozenset(stems(way)) for way in asked.split("|")), wording)


def stems(text: str, without: frozenset[str] = frozenset()) -> list[str]:
    """Stems of all words but ``without``, those that no index holds too: "who" and "how long" tell what is asked."""
    return [stem(word) for word in _WORD.findall(text.lower()) if word not in without]


def wordings(question: str) -> list[str]:
    """The wording of each concept that the question names; of two ways to ask where one's telling words include the
    other's, the narrower counts.

    "cap on liability" names the limit of liability, so what "liability" alone would add is left out.
    """
    return list(explained(question))


def explained(question: str) -> dict[str, frozenset[str]]:
    """``wordings``, each with the stems of the question that it stands for."""
    words = stems(question)
    present = frozenset(words)
    named = [
        (way - POINTING or way, way, concept)
        for concept in concepts()
        for way in concept.asked
        if way <= present and _together(way, words)
    ]
    told = {telling for telling, _, _ in named}
    found: dict[str, frozenset[str]] = {}
    for telling, way, concept in named:
        if not any(telling < other for other in told):
            found[concept.wording] = found.get(concept.wording, frozenset()) | way
    return found


def _together(way: frozenset[str], words: Sequence[str]) -> bool:
    return len(words) <= WINDOW or any(
        way <= frozenset(words[at : at + WINDOW]) for at in range(len(words) - WINDOW + 1)
    )


def expanded(question: Question) -> dict[str, float]:
    """The question's terms with the words of the wordings that it names at EXPANSION_WEIGHT, where it lacks them."""
    added = {term: EXPANSION_WEIGHT for wording in wordings(question.text) for term in tokens(wording)}
    return added | question.terms
