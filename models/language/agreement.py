"""How far a text bears out a claim, as separate named signals. No signal reads meaning; each can be checked by eye."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from models.language.negation import is_negated
from models.language.values import Value, ValueKind, in_small_letters, is_reckoned, values
from models.language.wording import STOP_WORDS, stem, stem_set, stems, words
from verify.currencies import CODES

_QUOTED = re.compile(r"[\"“]([^\"”“]{3,300})[\"”]")
_BRACKETS = re.compile(r"[\[\]]")
_ALTERATION = re.compile(r"\[([^\[\]]{0,60})\]")
_ALTERED = 2
_NAME = re.compile(
    r"(?<![.?!:\"“]\s)(?<!^)(?<![\"“(])\b[A-Z][\w&’'-]*(?:\s+(?:of|and|&|the|de|van|von)?\s*[A-Z][\w&’'-]*)*"
)
_NO_NAMES = frozenset({"yes", "no"})
_TITLE = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Messrs|Prof|Hon)\.?\s+(?=[A-Z])")
_ELLIPSIS = re.compile(r"\.(?:\s?\.){2,3}|…")
_ARTICLE = r"(?:[Tt]he|[Aa]n?|[Tt]his|[Ee]ach|[Ee]ither|[Aa]ny|[Ss]uch|that|[Ii]ts|[Tt]heir|[Oo]ur|[Tt]hese)"
_ROLE = re.compile(rf"\b{_ARTICLE}\s+[A-Z][\w’'-]*(?!\s+[A-Z])")
"""A single capitalised word after an article is a role or a defined term ("the Court", "each Party"), no name."""
_SECTION_NUMBER = re.compile(
    r"(?:\b(?:sections?|clauses?|articles?|paragraphs?|exhibits?|schedules?|art|sec|no)\b\.?|§+)\s*[\w.()]+", re.I
)


class Agreement(NamedTuple):
    """Shares, 0-1; 1 where the claim has nothing of the kind. ``differs`` names kinds of values that the text states
    otherwise, and none as the claim does; a date is not among them where the text states a duration, for then it may
    be reckoned ("two years from May 1, 2019"). ``lacks`` names the kinds of all values that the text does not state."""

    words: float
    values: float
    names: float
    quoted: float
    same_polarity: bool
    differs: frozenset[ValueKind]
    lacks: frozenset[ValueKind]


def agreement(claim: str, text: str, also: str = "", found: frozenset[tuple[int, int]] = frozenset()) -> Agreement:
    """``also`` may name parties and titles: it counts for names only. ``found`` are values, by their offsets in the
    claim, that were found otherwise."""
    held = stem_set((text,))
    content = set(stems(_QUOTED.sub(" ", claim))) or set(stems(claim))
    values_share, differs, lacks = _values(claim, text, found)
    return Agreement(
        words=len(content & held) / max(1, len(content)),
        values=values_share,
        names=share_of_names(claim, held | stem_set((also,))),
        quoted=share_quoted(claim, text),
        same_polarity=is_negated(claim) == is_negated(text),
        differs=differs,
        lacks=lacks,
    )


def claim_values(text: str) -> tuple[Value, ...]:
    """Values that state something: not the numbers of sections, and not a bare one or two."""
    numbers = [m.span() for m in _SECTION_NUMBER.finditer(text)]
    return tuple(
        value
        for value in values(text)
        if value.kind != ValueKind.NUMBER or not any(a <= value.start < b for a, b in numbers)
    )


def share_of_values(wanted: Sequence[Value], stated: Sequence[Value]) -> float:
    """1 where none is wanted."""
    found = sum(any(value.covers(other) for other in stated) for value in wanted)
    return found / len(wanted) if wanted else 1.0


def _values(
    claim: str, text: str, found: frozenset[tuple[int, int]]
) -> tuple[float, frozenset[ValueKind], frozenset[ValueKind]]:
    ours, theirs = claim_values(claim), values(text)
    missing = [v for v in ours if (v.start, v.end) not in found and not any(v.covers(other) for other in theirs)]
    lacks = frozenset(v.kind for v in missing)
    differs = frozenset(v.kind for v in missing if not is_reckoned(v, theirs)) & {v.kind for v in theirs}
    if ValueKind.DURATION in {v.kind for v in theirs}:
        differs -= {ValueKind.DATE}
    return 1 - len(missing) / max(1, len(ours)), differs, lacks


def names(text: str) -> tuple[str, ...]:
    """Runs of capitalised words that do not merely open a sentence; titles before a name ("Dr.") are left out."""
    return tuple(match.group() for match in _NAME.finditer(_TITLE.sub("", text)))


def share_of_names(claim: str, held: frozenset[str]) -> float:
    """Share of the claim's names, word by word, that are among the stems ``held``. A month or a currency is none: it
    belongs to a value, which another page may write otherwise ("Sept. 3", "$")."""
    written = (value for value in values(claim) if value.kind in (ValueKind.DATE, ValueKind.AMOUNT))
    bare = _ROLE.sub(lambda role: role.group().lower(), in_small_letters(claim, written))
    wanted = {
        stem(word)
        for name in names(bare)
        for word in words(name)
        if word not in STOP_WORDS and word not in _NO_NAMES and word.upper() not in CODES
    }
    return len(wanted & held) / len(wanted) if wanted else 1.0


def share_quoted(claim: str, *texts: str) -> float:
    """Share of the claim's own quotations that stand in one of the texts, word for word; case, punctuation, ellipses
    and what the claim alters in brackets ("[t]he", "narrow[ed]") aside."""
    quoted = [_as_pattern(part) for part in _quoted_parts(claim)]
    if not quoted:
        return 1.0
    running = [f" {' '.join(words(_BRACKETS.sub('', text)))} " for text in texts]
    return sum(any(pattern.search(text) for text in running) for pattern in quoted) / len(quoted)


def quotations(claim: str) -> tuple[str, ...]:
    """What the claim quotes, as ``words`` give it, one an unbroken piece."""
    return tuple(" ".join(words(_BRACKETS.sub("", part))) for part in _quoted_parts(claim))


def _quoted_parts(claim: str) -> list[str]:
    parts = [part for quoted in _QUOTED.findall(claim) for part in _ELLIPSIS.split(quoted)]
    return [part for part in parts if words(_BRACKETS.sub("", part))]


def _as_pattern(part: str) -> re.Pattern[str]:
    """Matches among words parted by single spaces. A bracket stands for the end or the beginning of its word, and for
    up to ``_ALTERED`` words beside those that it holds."""
    pieces = _ALTERATION.split(part)
    pattern = ""
    for kept, altered in zip(pieces[::2], [*pieces[1::2], None], strict=True):
        spelled = " ".join(map(re.escape, words(kept)))
        gap = " " if pattern and kept[:1].isspace() and spelled else ""
        pattern += gap + spelled
        if altered is not None:
            space = " ?" if kept[-1:].isspace() else ""
            pattern += rf"{space}\w*(?: \w+){{0,{len(altered.split()) + _ALTERED}}}?"
    return re.compile(rf"(?<!\w){pattern}(?!\w)")
