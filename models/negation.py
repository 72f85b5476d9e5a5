"""Whether a sentence denies what its words say, by the words alone."""

import re

_NEGATION = re.compile(
    r"\b(?:no|not|never|neither|nor|none|cannot|without|nothing|nobody|\w+n['’]t|fails? to|failed to|lacks?|lacked|"
    r"refus(?:e|es|ed) to|prohibit(?:s|ed)?|forbid(?:s|den)?|decline[sd]? to|unable)\b",
    re.I,
)
_NO_DENIAL = re.compile(
    r"\bnot (?:only|limited|less|more|later|earlier|exceed\w*|to exceed)\b|"
    r"\bno (?:later|less|more|fewer|earlier) than\b|"
    r"\bwhether or not\b|\bnot withstanding\b|\bwithout limit\w*\b|\bno\.\s*\d",
    re.I,
)
"""Words of denial that deny nothing ("not later than", "whether or not")."""


def negations(text: str) -> int:
    """How many words of denial stand in the text."""
    return len(_NEGATION.findall(_NO_DENIAL.sub(" ", text)))


def is_negated(text: str) -> bool:
    """True for an odd number: two denials cancel out."""
    return negations(text) % 2 == 1
