"""Ways in which the words of a claim can be paired with those of a sentence, before anything is judged."""

from collections.abc import Callable, Sequence

from models.triage.marked import Kind, Word
from models.triage.marked_text import SAID, MarkedText

_WEIGHT = {Kind.CONTENT: 2.0, Kind.VALUE: 2.0, Kind.SOFT: 0.3, Kind.JOIN: 0.4, Kind.AUXILIARY: 0.1}
_NEXT_TO = 0.25
"""What a pair gains that follows another pair in both texts."""
Pairs = dict[int, int]
"""Places in the claim's words to places in the sentence's."""


class Sides:
    """A claim's words and a sentence's, and the pairs between them, which are added to."""

    def __init__(self, ours: MarkedText, theirs: MarkedText, pairs: Pairs) -> None:
        self.ours, self.theirs, self.pairs = ours, theirs, pairs
        self.voices_differ = bool((ours.passives() ^ theirs.passives()) & ours.keys() & theirs.keys())


def stands_for(ours: Word, theirs: Word) -> bool:
    """Whether our word can say what theirs does. What shall be done will be done, and "shall not be" is "is not"."""
    if ours.says(theirs):
        return True
    if ours.kind is Kind.MODAL and theirs.kind is Kind.MODAL:
        return {ours.key, theirs.key} == {"must", "will"}
    if ours.kind is Kind.QUANTITY and theirs.kind is Kind.QUANTITY:
        return {ours.key, theirs.key} == {"any", "all"}
    if ours.text.startswith("according to") and theirs.kind is Kind.REPORT:
        return theirs.key in ("say", "allege", "view", "conclude")
    return ours.kind is Kind.NEGATION and theirs.key == "forbid" and theirs.text.startswith(("shall", "will"))


def _in_one(ours: MarkedText, theirs: MarkedText) -> Pairs:
    return _in_order(ours, theirs, range(len(ours.words)), range(len(theirs.words)))


def _in_groups(ours: MarkedText, theirs: MarkedText) -> Pairs:
    main = _in_order(ours, theirs, _governed(ours, -1), _governed(theirs, -1))
    return main | _conditions(ours, theirs)


def _conditions(ours: MarkedText, theirs: MarkedText) -> Pairs:
    """Each condition with its like, wherever it stands."""
    pairs: Pairs = {}
    left = {g for g in theirs.governor if g >= 0}
    for governor in sorted({g for g in ours.governor if g >= 0}):
        alike = [g for g in left if ours.words[governor].says(theirs.words[g])]
        tried = [(g, _in_order(ours, theirs, _governed(ours, governor), _governed(theirs, g))) for g in sorted(alike)]
        if tried:
            best, found = max(tried, key=lambda one: len(one[1]))
            left.discard(best)
            pairs |= found
    return pairs


def _by_segments(ours: MarkedText, theirs: MarkedText) -> Pairs:
    """Each joined statement with the one that it has most in common with, in whatever order they come."""
    pairs = _conditions(ours, theirs)
    here, there = _governed(ours, -1), _governed(theirs, -1)
    tried = [
        (s, t, *_alike(ours, theirs, _of_segment(ours, here, s), _of_segment(theirs, there, t)))
        for s in sorted({ours.segment[n] for n in here})
        for t in sorted({theirs.segment[m] for m in there})
    ]
    done: set[int] = set()
    used: set[int] = set()
    for s, t, _, found in sorted(tried, key=lambda one: (-one[2], -len(one[3]))):
        if s not in done and t not in used:
            pairs |= found
            done.add(s)
            used.add(t)
    return pairs


def _alike(ours: MarkedText, theirs: MarkedText, here: Sequence[int], there: Sequence[int]) -> tuple[int, Pairs]:
    """How many of ours have a like among theirs, in any order, and the pairs that are in one order."""
    like = sum(
        ours.words[n].kind in SAID and any(stands_for(ours.words[n], theirs.words[m]) for m in there) for n in here
    )
    return like, _in_order(ours, theirs, here, there)


def _of_segment(text: MarkedText, places: Sequence[int], segment: int) -> list[int]:
    return [n for n in places if text.segment[n] == segment]


def _core_first(ours: MarkedText, theirs: MarkedText) -> Pairs:
    """Who does what, without the phrases that a preposition leads; these then in their own order."""
    pairs = _conditions(ours, theirs)
    for core in (True, False):
        here, there = (
            [n for n in _governed(text, -1) if text.is_core(n) is core and (text is not ours or n not in pairs)]
            for text in (ours, theirs)
        )
        pairs |= _in_order(ours, theirs, here, there)
    return pairs


def _governed(text: MarkedText, governor: int) -> list[int]:
    return [n for n, g in enumerate(text.governor) if g == governor]


def _in_order(ours: MarkedText, theirs: MarkedText, here: Sequence[int], there: Sequence[int]) -> Pairs:
    """The heaviest common subsequence, where pairs that follow each other in both weigh a little more."""
    best = [[0.0] * (len(there) + 1) for _ in range(len(here) + 1)]
    taken = [[0.0] * (len(there) + 1) for _ in range(len(here) + 1)]
    for i in range(len(here) - 1, -1, -1):
        for j in range(len(there) - 1, -1, -1):
            word = ours.words[here[i]]
            best[i][j] = max(best[i + 1][j], best[i][j + 1])
            if word.kind is not Kind.STOP and stands_for(word, theirs.words[there[j]]):
                follows = taken[i + 1][j + 1] > 0 and taken[i + 1][j + 1] >= best[i + 1][j + 1]
                weight = _WEIGHT.get(word.kind, 1.2) + best[i + 1][j + 1] + _NEXT_TO * follows
                taken[i][j] = weight
                best[i][j] = max(best[i][j], weight)
    pairs, i, j = {}, 0, 0
    while i < len(here) and j < len(there):
        if taken[i][j] and taken[i][j] >= best[i][j]:
            pairs[here[i]] = there[j]
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


PAIRINGS: tuple[Callable[[MarkedText, MarkedText], Pairs], ...] = (_in_one, _in_groups, _by_segments, _core_first)
"""All in one order, conditions apart, statements apart, phrases apart."""
