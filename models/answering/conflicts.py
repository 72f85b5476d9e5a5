"""Claims of one answer that cannot both hold as they stand. They are shown side by side; none is dropped.

A false alarm costs a reader more here than a miss: clauses that share words speak, as a rule, of different things.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from models.answering.drafts import ConflictKind
from models.language.negation import deny_each_other, is_negated, negations
from models.language.values import Value, ValueKind, values, without_values
from models.language.wording import stem, stem_set, stems
from models.triage.opposition import Opposed, opposed

_CHANGES = re.compile(
    r"\b(?:hereby|shall be|is|are|was|were|has been|have been)\s+(?:\w+\s+){0,3}"
    r"(?:amended|deleted|replaced|superseded|modified|substituted|restated)\b|\bin (?:its|their) (?:place|stead)\b",
    re.I,
)
SAME_SUBJECT = 0.6
"""Share of the shorter statement's content stems, numbers apart, that the other must have."""
SAME_WORDS = 0.7
"""The same within one document, which seldom contradicts itself, and where one statement denies the other."""
RELATED = 0.2
"""The share that an amendment must have which names the clause by its number: other contracts have that number too."""
DENIED = 0.5
"""Share of the longer statement's, where one denies the other: a long sentence says more than a denial."""
AMENDED_WORDS = 4
"""How many of them an amendment must have that does not name the clause."""
SAME_ROLE = 0.5
"""Share of the words around a value that the words around the other value must have."""
_ROLE_WORDS = 5
"""How many content words on each side of a value tell what it is the value of."""
_SECTION = re.compile(r"(?:\bsections?|\bclauses?|\barticles?|\bparagraphs?|§)\s*(\d+(?:\.\d+)*)", re.I)
_NUMBERED = re.compile(r"^[^\w\n]*(?:section\s+|clause\s+|article\s+)?(\d+(?:\.\d+)+\b|\d+(?=\.\s))", re.I | re.M)
_OWN_NUMBER = re.compile(r"^\W*\d+(?:\.\d+)*\.?\s+(?=[A-Z“\"])")
_CASE = re.compile(r"\b(?:if|unless|where|when|in the event|in case|during|after|before|until)\b([^.;]*)", re.I)
_TIME = re.compile(r"\b(?:before|after|since|during|prior to|following)\b[^.;]*", re.I)
_ORDER = re.compile(r"\b(?:before|after|until|since|during|prior|following)\b")
_HOW_SAID = stem_set(
    ("about approximately around roughly exactly precisely almost nearly only just also then actually really believe "
     "remember recall think say said tell told testify testified state stated swear swore total",)
)  # fmt: skip
"""Words that tell how sure or in what way it is said, not of what."""


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
        alike = overlap.shorter >= SAME_SUBJECT and overlap.words >= AMENDED_WORDS
        for changer, changed, second_changes in ((second, first, True), (first, second, False)):
            if _CHANGES.search(changer.around) and (
                alike or (overlap.shorter >= RELATED and _names_section(changer, changed))
            ):
                return ConflictKind.AMENDED, second_changes
    one, other = (_OWN_NUMBER.sub("", statement.text) for statement in (first, second))
    if _told_apart(one, other):
        return None
    kind = _value_that_differs(one, other)
    if not _same_case(one, other, dated=kind is ValueKind.DATE):
        return None
    if kind is not None and overlap.shorter >= (SAME_SUBJECT if apart else SAME_WORDS):
        return ConflictKind.DIFFERENT_VALUES, True
    if overlap.shorter >= SAME_WORDS and overlap.longer >= DENIED and _denies(one, other):
        return ConflictKind.NEGATED, True
    return None


def _told_apart(first: str, second: str) -> bool:
    """True where each speaks of something that the other does not: another party, year, unit or purpose. What differs
    in the wording alone is taken for that too."""
    ours, theirs = (_content_aside(text) - _HOW_SAID | _labels(text) for text in (first, second))
    return bool(ours - theirs) and bool(theirs - ours)


def _labels(text: str) -> frozenset[str]:
    """Single capitals within a sentence ("Unit B")."""
    return frozenset(re.findall(r"(?<=\w )[A-HJ-Z]\b(?!\.)", text))


def _denies(first: str, second: str) -> bool:
    """One denies what the other states, of the same persons in the same parts; or says the opposite in its place."""
    if is_negated(first) != is_negated(second):
        return deny_each_other(first, second) and Opposed.PARTIES not in opposed(first, second)
    return negations(first) == negations(second) and opposed(first, second) == {Opposed.OPPOSITE}


def _content(text: str) -> frozenset[str]:
    return frozenset(s for s in stems(text) if s.isalpha())


def _content_aside(text: str) -> frozenset[str]:
    """Without what its values are written with."""
    return _content(without_values(text, values(text)))


class _Overlap(NamedTuple):
    """The share of the shorter statement's content that the other has, of the longer one's, and how many words."""

    shorter: float
    longer: float
    words: int


def _overlap(first: str, second: str) -> _Overlap:
    a, b = _content_aside(first), _content_aside(second)
    shared = len(a & b)
    return _Overlap(shared / max(3, min(len(a), len(b))), shared / max(3, len(a), len(b)), shared)


def _same_case(first: str, second: str, *, dated: bool) -> bool:
    """False where one speaks of a case ("if a breach lasts a day") whose words the other mostly lacks, or of a time
    before or after it; what is ``dated`` may say of what it was after."""
    if dated:
        first, second = (_TIME.sub(" ", text) for text in (first, second))
    elif {*_ORDER.findall(first.lower())} != {*_ORDER.findall(second.lower())}:
        return False
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


def _value_that_differs(first: str, second: str) -> ValueKind | None:
    """Its kind where each states one value of a kind that the other does not, in the same role; a second difference of
    that sort would mean that they speak of different things ("Invoice 12", "in 2020")."""
    found = [values(text) for text in (first, second)]
    ours, theirs = ([v for v in own if not any(map(v.agrees_with, other))] for own, other in (found, found[::-1]))
    kinds = {v.kind for v in ours} & {v.kind for v in theirs}
    if len(kinds) != 1:
        return None
    (kind,) = kinds
    mine, other = ([v for v in own if v.kind is kind] for own in (ours, theirs))
    if len(mine) != 1 or len(other) != 1 or not _same_role(mine[0], first, other[0], second):
        return None
    return kind if kind is not ValueKind.NUMBER or _counts_same(mine[0], first, other[0], second) else None


def _counts_same(a: Value, first: str, b: Value, second: str) -> bool:
    """True for two numbers before the same word ("four people"); after one a number may be a name ("Unit 4")."""
    mine, other = (re.match(r"[\s-]*([^\W\d_]+)", text[v.end :]) for v, text in ((a, first), (b, second)))
    return mine is not None and other is not None and mine[1][0].islower() and stem(mine[1]) == stem(other[1])


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
