"""Claims of one answer that cannot both hold as they stand. They are shown side by side; none is dropped."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from models.drafts import ConflictKind
from models.negation import is_negated
from models.values import ValueKind, values
from models.wording import stems

_CHANGES = re.compile(
    r"\b(?:hereby|shall be|is|are|was|were|has been|have been)\s+(?:\w+\s+){0,3}"
    r"(?:amended|deleted|replaced|superseded|modified|substituted|restated)\b|\bin (?:its|their) (?:place|stead)\b",
    re.I,
)
SAME_SUBJECT = 0.4
"""Share of the shorter statement's content stems, numbers apart, that the other must have."""
SAME_WORDS = 0.7
_SECTION = re.compile(r"(?:\bsections?|\bclauses?|\barticles?|\bparagraphs?|§)\s*(\d+(?:\.\d+)*)", re.I)
_OWN_NUMBER = re.compile(r"^\s*(?:section\s+|clause\s+|article\s+)?(\d+(?:\.\d+)+)\b", re.I)
_COMPARED = frozenset({ValueKind.DATE, ValueKind.AMOUNT, ValueKind.PERCENT, ValueKind.DURATION})


class Statement(NamedTuple):
    """A quoted sentence, all the text that stands around it, and the source that says it."""

    text: str
    around: str
    source_id: str


def conflict_between(first: Statement, second: Statement) -> tuple[ConflictKind, bool] | None:
    """The kind, and whether ``second`` is the one that changes the other; None where both may hold."""
    overlap = _overlap(first.text, second.text)
    if first.source_id != second.source_id:
        for changer, changed, second_changes in ((second, first, True), (first, second, False)):
            if _CHANGES.search(changer.around) and (overlap >= SAME_SUBJECT or _names_section(changer, changed)):
                return ConflictKind.AMENDED, second_changes
    if overlap >= SAME_SUBJECT and _values_differ(first.text, second.text):
        return ConflictKind.DIFFERENT_VALUES, True
    if overlap >= SAME_WORDS and is_negated(first.text) != is_negated(second.text):
        return ConflictKind.NEGATED, True
    return None


def _overlap(first: str, second: str) -> float:
    a, b = ({s for s in stems(text) if s.isalpha()} for text in (first, second))
    return len(a & b) / max(4, min(len(a), len(b)))


def _names_section(changer: Statement, changed: Statement) -> bool:
    own = _OWN_NUMBER.match(changed.text) or _OWN_NUMBER.match(changed.around)
    return own is not None and own[1] in _SECTION.findall(changer.around)


def _values_differ(first: str, second: str) -> bool:
    """A kind that both state, without one shared value of that kind."""
    ours, theirs = ([v for v in values(text) if v.kind in _COMPARED] for text in (first, second))
    shared = {v.kind for v in ours} & {v.kind for v in theirs}
    return any(not any(a.agrees_with(b) for a in ours for b in theirs if a.kind == kind == b.kind) for kind in shared)


def first_conflict(statement: Statement, others: Sequence[Statement]) -> tuple[int, ConflictKind, bool] | None:
    """Index of the first of ``others`` that conflicts, the kind, and whether ``statement`` is the one that changes."""
    for index, other in enumerate(others):
        found = conflict_between(other, statement)
        if found is not None:
            return index, *found
    return None
