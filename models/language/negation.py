"""Whether a sentence denies what its words say, by the words alone."""

import re
from enum import StrEnum

from models.language.wording import STOP_WORDS, stem

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


_NOT_SO = re.compile(
    r"\b(?:not|n['’]t|never|cannot)\s+(?:be\s+)?(?:the\s+case|true|correct|right|so|said)\s+that\b", re.I
)


def denies_a_denial(text: str) -> bool:
    """True for "it is not the case that he never inspected it": what that states is not told by its words of denial."""
    return _NOT_SO.search(text) is not None and negations(text) > 1


_TOKEN = re.compile(r"[\w'’]+|[.;:()]")
NEGATORS = frozenset({"not", "no", "never", "neither", "nor", "none", "cannot"})
"""Without "without": what an act is done without is not itself denied."""
_AUXILIARIES = frozenset(
    ("is", "are", "was", "were", "be", "been", "shall", "may", "must", "will", "can", "has", "have")
)
_SUPPOSED = re.compile(r"\b(?:if|unless|whether)\b[^.;:,]*", re.I)
"""What stands in a condition or an open question is neither stated nor denied."""


_BUT_FOR = re.compile(r"\b(?:not|no|neither|nor|never)\b[^.;]*\b(?:without|unless|except)\b", re.I)
"""A denial with an exception ("not without consent") allows as much as it denies."""


class Stance(StrEnum):
    """What a rule does."""

    FORBIDS = "forbids"
    FREES = "frees"
    OBLIGES = "obliges"
    PERMITS = "permits"


_STANCES = (
    (Stance.FREES, re.compile(
        r"\b(?:need\s+not|(?:is|are|be)\s+not\s+(?:required|obliged|obligated|bound)|(?:do|does)\s+not\s+(?:have|need)\s+to|"
        r"no\s+(?:obligation|duty))\b", re.I)),
    (Stance.FORBIDS, re.compile(
        r"\b(?:(?:shall|must|may|can|will|could)\s+not|cannot|no\s+\w+(?:\s+\w+){0,2}\s+(?:may|shall|must)|"
        r"(?:is|are|be)\s+(?:not\s+(?:permitted|allowed|entitled|authori[sz]ed)|prohibited|forbidden|barred|precluded))\b",
        re.I)),
    (Stance.OBLIGES, re.compile(r"\b(?:shall|must|required|obliged|obligated|(?:has|have)\s+to)\b", re.I)),
    (Stance.PERMITS, re.compile(r"\b(?:may|can|permitted|allowed|entitled)\b", re.I)),
)  # fmt: skip
_AT_ODDS = frozenset(
    map(frozenset, ((Stance.FORBIDS, Stance.PERMITS), (Stance.FORBIDS, Stance.OBLIGES), (Stance.FREES, Stance.OBLIGES)))
)


def stance(text: str) -> Stance | None:
    """What the text does, if it is one thing only and without an exception; words of denial elsewhere leave it open."""
    rest = _NO_DENIAL.sub(" ", text)
    found = []
    for what, pattern in _STANCES:
        if pattern.search(rest):
            found.append(what)
            rest = pattern.sub(" ", rest)
    alone = len(found) == 1 and not NEGATORS & set(rest.lower().split())
    return found[0] if alone else None


def deny_alike(first: str, second: str) -> bool:
    """True if both do nothing but forbid, or nothing but free from a duty: "may not", "must not", "is prohibited from"
    are one, and so are "need not" and "is not required to"."""
    return stance(first) is stance(second) and stance(first) in (Stance.FORBIDS, Stance.FREES)


def at_odds(first: str, second: str) -> bool:
    """True if one forbids or frees from what the other permits or demands. Not where there is an exception: what is not
    permitted without consent is permitted with it."""
    if _BUT_FOR.search(first) or _BUT_FOR.search(second):
        return False
    return frozenset((stance(first), stance(second))) in _AT_ODDS


def _heads(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of the content words that a negation stands right before, and of all others. None are denied where the
    denial has an exception."""
    denied: set[str] = set()
    stated: set[str] = set()
    pending, of_noun = 0, False
    for token in _TOKEN.findall(_SUPPOSED.sub(" ", _NO_DENIAL.sub(" ", text))):
        word = token.lower().replace("’", "'")
        if word in NEGATORS or word.endswith("n't"):
            of_noun = word == "no"  # "no interest accrues", "no partnership is created": nor does it, nor is it
            pending = 2 if of_noun else 1
        elif of_noun and word in _AUXILIARIES:
            pending, of_noun = 1, False
        elif not word[0].isalnum():
            pending, of_noun = 0, False
        elif word not in STOP_WORDS:
            (denied if pending else stated).add(stem(word))
            pending = max(0, pending - 1)
    return frozenset[str]() if _BUT_FOR.search(text) else frozenset(denied), frozenset(stated)


def deny_each_other(first: str, second: str) -> bool:
    """True if one sentence denies a word that the other states, and nowhere states it itself; not where both deny one
    word, or do nothing but forbid."""
    (denied, stated), (denied_too, stated_too) = _heads(first), _heads(second)
    if denied & denied_too or deny_alike(first, second):
        return False
    return bool((denied - stated) & (stated_too - denied_too) or (denied_too - stated_too) & (stated - denied))
