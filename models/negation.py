"""Whether a sentence denies what its words say, by the words alone."""

import re

from models.wording import STOP_WORDS, stem

_NEGATION = re.compile(
    r"\b(?:no|not|never|neither|nor|none|cannot|without|nothing|nobody|\w+n['’]t|fails? to|failed to|lacks?|lacked|"
    r"refus(?:e|es|ed) to|prohibit(?:s|ed)?|forbid(?:s|den)?|decline[sd]? to|unable)\b",
    re.I,
)
_NO_DENIAL = re.compile(
    r"\bnot (?:only|limited|less|more|later|earlier|exceed\w*|to exceed)\b|"
    r"\bno (?:later|less|more|fewer|earlier) than\b|"
    r"\bwhether or not\b|\bnot withstanding\b|\bwithout (?:limit\w*|regard|respect|reference|prejudice)\b|\bno\.\s*\d",
    re.I,
)
"""Words of denial that deny nothing ("not later than", "whether or not")."""


def negations(text: str) -> int:
    """How many words of denial stand in the text."""
    return len(_NEGATION.findall(_NO_DENIAL.sub(" ", text)))


def is_negated(text: str) -> bool:
    """True for an odd number: two denials cancel out."""
    return negations(text) % 2 == 1


_TOKEN = re.compile(r"[\w'’]+|[.;:()]")
NEGATORS = frozenset({"not", "no", "never", "neither", "nor", "none", "cannot"})
"""Without "without": what an act is done without is not itself denied."""
_SUPPOSED = re.compile(r"\b(?:if|unless|whether)\b[^.;:,]*", re.I)
"""What stands in a condition or an open question is neither stated nor denied."""


_BUT_FOR = re.compile(r"\b(?:not|no|neither|nor|never)\b[^.;]*\b(?:without|unless|except)\b", re.I)
"""A denial with an exception ("not without consent") allows as much as it denies."""


def _heads(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of the content words that a negation stands right before, and of all others. None are denied where the
    denial has an exception."""
    denied: set[str] = set()
    stated: set[str] = set()
    pending = False
    for token in _TOKEN.findall(_SUPPOSED.sub(" ", _NO_DENIAL.sub(" ", text))):
        word = token.lower().replace("’", "'")
        if word in NEGATORS or word.endswith("n't"):
            pending = True
        elif not word[0].isalnum():
            pending = False
        elif word not in STOP_WORDS:
            (denied if pending else stated).add(stem(word))
            pending = False
    return frozenset[str]() if _BUT_FOR.search(text) else frozenset(denied), frozenset(stated)


def deny_each_other(first: str, second: str) -> bool:
    """True if one sentence denies a word that the other states, and nowhere states it itself."""
    (denied, stated), (denied_too, stated_too) = _heads(first), _heads(second)
    return bool((denied - stated) & (stated_too - denied_too) or (denied_too - stated_too) & (stated - denied))
