"""Claims of one answer that cannot both hold as they stand. They are shown side by side; none is dropped.

A false alarm costs a reader more here than a miss: clauses that share words speak, as a rule, of different things.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from models.drafts import ConflictKind
from models.negation import is_negated
from models.values import Value, ValueKind, values
from models.wording import stems

_CHANGES = re.compile(
    r"\b(?:hereby|shall be|is|are|was|were|has been|have been)\s+(?:\w+\s+){0,3}"
    r"(?:amended|deleted|replaced|superseded|modified|substituted|restated)\b|\bin (?:its|their) (?:place|stead)\b",
    re.I,
)
SAME_SUBJECT = 0.6
"""Share of the shorter statement's content stems, numbers apart, that the other must have."""
SAME_WORDS = 0.7
"""The same within one document, which seldom contradicts itself, and where one statement denies the other."""
SAME_ROLE = 0.5
"""Share of the words around a value that the words around the other value must have."""
_ROLE_WORDS = 5
"""How many content words on each side of a value tell what it is the value of."""
_SECTION = re.compile(r"(?:\bsections?|\bclauses?|\barticles?|\bparagraphs?|§)\s*(\d+(?:\.\d+)*)", re.I)
_NUMBERED = re.compile(r"^\W*(?:section\s+|clause\s+|article\s+)?(\d+(?:\.\d+)+\b|\d+(?=\.\s))", re.I | re.M)
_CASE = re.compile(r"\b(?:if|unless|where|when|in the event|in case|during|after|before|until)\b([^.;]*)", re.I)
_COMPARED = frozenset({ValueKind.DATE, ValueKind.AMOUNT, ValueKind.PERCENT, ValueKind.DURATION})


class Statement(NamedTuple):
    """A quoted sentence, all the text that stands around it, and the source that says it."""

    text: str
    around: str
    source_id: str


def conflict_between(first: Statement, second: Statement) -> tuple[ConflictKind, bool] | None:
    """The kind, and whether ``second`` is the one that changes the other; None where both may hold."""
    overlap = _overlap(first.text, second.text)
    apart = first.source_id != second.source_id
    if apart:
        for changer, changed, second_changes in ((second, first, True), (first, second, False)):
            if _CHANGES.search(changer.around) and (overlap >= SAME_SUBJECT or _names_section(changer, changed)):
                return ConflictKind.AMENDED, second_changes
    if not _same_case(first.text, second.text):
        return None
    if overlap >= (SAME_SUBJECT if apart else SAME_WORDS) and _values_differ(first.text, second.text):
        return ConflictKind.DIFFERENT_VALUES, True
    if overlap >= SAME_WORDS and is_negated(first.text) != is_negated(second.text):
        return ConflictKind.NEGATED, True
    return None


def _content(text: str) -> frozenset[str]:
    return frozenset(s for s in stems(text) if s.isalpha())


def _overlap(first: str, second: str) -> float:
    a, b = _content(first), _content(second)
    return len(a & b) / max(4, min(len(a), len(b)))


def _same_case(first: str, second: str) -> bool:
    """False where one speaks of a case ("if a breach lasts a day") whose words the other mostly lacks."""
    for own, other in ((first, second), (second, first)):
        for case in _CASE.findall(own):
            words = _content(case)
            if words and len(words & _content(other)) < SAME_SUBJECT * len(words):
                return False
    return True


def _names_section(changer: Statement, changed: Statement) -> bool:
    """True where the changer's passage names the changed clause and its own sentence is about it."""
    number = _own_number(changed)
    if number is None or number not in _SECTION.findall(changer.around):
        return False
    return number in (_own_number(changer), *_SECTION.findall(changer.text))


def _own_number(statement: Statement) -> str | None:
    """The number of the clause that the sentence stands in: the last one that opens a line up to it."""
    at = max(0, statement.around.find(statement.text))
    numbers = _NUMBERED.findall(statement.around[:at] + statement.text)
    return numbers[-1] if numbers else None


def _values_differ(first: str, second: str) -> bool:
    """Two values of one kind in the same role, where neither statement has the other's value."""
    ours, theirs = ([v for v in values(text) if v.kind in _COMPARED] for text in (first, second))
    alike = [(a, b) for a in ours for b in theirs if a.kind == b.kind and _same_role(a, first, b, second)]
    return any(not _states(a, theirs) and not _states(b, ours) for a, b in alike)


def _states(value: Value, others: Sequence[Value]) -> bool:
    return any(value.agrees_with(other) for other in others)


def _same_role(a: Value, first: str, b: Value, second: str) -> bool:
    ours, theirs = (frozenset(_around(v, text)) for v, text in ((a, first), (b, second)))
    return len(ours & theirs) >= SAME_ROLE * max(1, min(len(ours), len(theirs)))


def _around(value: Value, text: str) -> Iterator[str]:
    yield from [s for s in stems(text[: value.start]) if s.isalpha()][-_ROLE_WORDS:]
    yield from [s for s in stems(text[value.end :]) if s.isalpha()][:_ROLE_WORDS]


def first_conflict(statement: Statement, others: Sequence[Statement]) -> tuple[int, ConflictKind, bool] | None:
    """Index of the first of ``others`` that conflicts, the kind, and whether ``statement`` is the one that changes."""
    for index, other in enumerate(others):
        found = conflict_between(other, statement)
        if found is not None:
            return index, *found
    return None
