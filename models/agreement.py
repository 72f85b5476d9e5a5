"""How far a text bears out a claim, as separate named signals. No signal reads meaning; each can be checked by eye."""

import re
from typing import NamedTuple

from models.negation import is_negated
from models.values import Value, ValueKind, values
from models.wording import STOP_WORDS, stem, stem_set, stems, words

_QUOTED = re.compile(r"[\"“]([^\"”“]{3,300})[\"”]")
_NAME = re.compile(
    r"(?<![.?!:\"“]\s)(?<!^)(?<![\"“(])\b[A-Z][\w&’'-]*(?:\s+(?:of|and|&|the|de|van|von)?\s*[A-Z][\w&’'-]*)*"
)
_NO_NAMES = frozenset({"yes", "no"})
_TITLE = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Messrs|Prof|Hon)\.?\s+(?=[A-Z])")
_ELLIPSIS = re.compile(r"\.(?:\s?\.){2,3}|…")
_ROLE = re.compile(r"\b(?:the|a|an|this|each|either|any|such|that|its|their|our|these)\s+[A-Z][\w’'-]*(?!\s+[A-Z])")
"""A single capitalised word after an article is a role or a defined term ("the Court", "each Party"), no name."""
_SECTION_NUMBER = re.compile(
    r"(?:\b(?:sections?|clauses?|articles?|paragraphs?|exhibits?|schedules?|art|sec|no)\b\.?|§+)\s*[\w.()]+", re.I
)


class Agreement(NamedTuple):
    """Shares, 0-1; 1 where the claim has nothing of the kind. ``differs`` names kinds of values that the text states
    otherwise, and none as the claim does; a date is not among them where the text states a duration, for then it may
    be reckoned ("two years from May 1, 2019")."""

    words: float
    values: float
    names: float
    quoted: float
    same_polarity: bool
    differs: frozenset[ValueKind]


def agreement(claim: str, text: str, also: str = "") -> Agreement:
    """``also`` may name parties and titles: it counts for names only."""
    held = stem_set((text,))
    content = set(stems(_QUOTED.sub(" ", claim))) or set(stems(claim))
    values_share, differs = _values(claim, text)
    return Agreement(
        words=len(content & held) / max(1, len(content)),
        values=values_share,
        names=share_of_names(claim, held | stem_set((also,))),
        quoted=share_quoted(claim, text),
        same_polarity=is_negated(claim) == is_negated(text),
        differs=differs,
    )


def claim_values(text: str) -> tuple[Value, ...]:
    """Values that state something: not the numbers of sections, and not a bare one or two."""
    numbers = [m.span() for m in _SECTION_NUMBER.finditer(text)]
    return tuple(
        value
        for value in values(text)
        if value.kind != ValueKind.NUMBER or not any(a <= value.start < b for a, b in numbers)
    )


def _values(claim: str, text: str) -> tuple[float, frozenset[ValueKind]]:
    ours, theirs = claim_values(claim), values(text)
    missing = [v for v in ours if not any(v.agrees_with(other) for other in theirs)]
    differs = {v.kind for v in missing} & {v.kind for v in theirs}
    if ValueKind.DURATION in {v.kind for v in theirs}:
        differs.discard(ValueKind.DATE)
    return 1 - len(missing) / max(1, len(ours)), frozenset(differs)


def names(text: str) -> tuple[str, ...]:
    """Runs of capitalised words that do not merely open a sentence; titles before a name ("Dr.") are left out."""
    return tuple(match.group() for match in _NAME.finditer(_TITLE.sub("", text)))


def share_of_names(claim: str, held: frozenset[str]) -> float:
    """Share of the claim's names, word by word, that are among the stems ``held``."""
    wanted = {
        stem(word)
        for name in names(_ROLE.sub(lambda role: role.group().lower(), claim))
        for word in words(name)
        if word not in STOP_WORDS and word not in _NO_NAMES
    }
    return len(wanted & held) / len(wanted) if wanted else 1.0


def share_quoted(claim: str, text: str) -> float:
    """Share of the claim's own quotations that stand in the text, word for word; case, punctuation, brackets and
    ellipses aside."""
    quoted = quotations(claim)
    if not quoted:
        return 1.0
    running = f" {' '.join(words(re.sub(r'[][]', '', text)))} "
    return sum(f" {q} " in running for q in quoted) / len(quoted)


def quotations(claim: str) -> tuple[str, ...]:
    """What the claim quotes, as ``words`` give it, one an unbroken piece."""
    parts = [part for q in _QUOTED.findall(claim) for part in _ELLIPSIS.split(re.sub(r"[\[\]]", "", q))]
    return tuple(quotation for part in parts if (quotation := " ".join(words(part))))
