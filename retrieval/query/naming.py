"""How much of what is asked a passage names, in the question's words or in those that clauses have for it.

A question and its answer often share no word ("How do we get out of it?"), so words alone tell badly whether anything
was found: answering takes this share to decide whether to refuse.
"""

from functools import lru_cache
from typing import NamedTuple

from retrieval.query.expand import POINTING, explained, stems
from retrieval.query.rerank import pairs_of, said_in
from retrieval.query.route import FRAME_WORDS
from retrieval.words.tokenize import STOP_WORDS, stem

SAID = 0.15
"""From where on a passage states a concept: half of a phrase of two pairs, or one pair of up to six."""
_COMMON = """able allowed another any anybody anyone anything apply case come each either else enough ever even far get
    give go happen just keep kind like make many may might more most much must need other party people possible put
    really right say shall side somebody someone something still take thing type use want way"""
COMMON = FRAME_WORDS | POINTING | frozenset(map(stem, _COMMON.split()))
"""Stems that stand in questions of every kind and tell none from another."""


class _Sought(NamedTuple):
    """The stems that a passage is to name, and for each concept that the question names its wording with those of them
    that stating it accounts for."""

    stems: frozenset[str]
    concepts: tuple[tuple[str, frozenset[str]], ...]


def share_named(question: str, text: str) -> float:
    """0 to 1; 0 for a question that seeks nothing."""
    sought = _sought(question)
    pairs = pairs_of(text)
    named = sought.stems & frozenset(stems(text))
    for wording, accounted in sought.concepts:
        if said_in(pairs, wording) >= SAID:
            named |= accounted
    return len(named) / len(sought.stems) if sought.stems else 0.0


@lru_cache(maxsize=64)
def _sought(question: str) -> _Sought:
    concepts = explained(question)
    telling = frozenset().union(*concepts.values()) - POINTING
    words = frozenset(stems(question, without=STOP_WORDS)) - (COMMON - telling)
    whole = frozenset(one for one in words if len(one) > 1)
    return _Sought(whole, tuple((wording, accounted & whole) for wording, accounted in concepts.items()))
