"""In which ways a claim states the opposite of a sentence that says nearly the same.

Both are laid side by side word by word; what differs is looked up in ``opposites.toml``. It compares wording and reads
no meaning: it speaks only where the two are alike enough that the difference is the point.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from models.language.bounds import bounds_agree, without_bounds
from models.language.clauses import closest_clause, value_of_another
from models.language.negation import NEGATORS, at_odds, denies_a_denial, deny_alike, is_negated
from models.language.values import values
from models.language.wording import STOP_WORDS, stem
from models.triage.alignment import align
from verify.currencies import CODES

_TABLE = Path(__file__).with_name("opposites.toml")
ALIKE = 0.6
"""Share of a claim's content words that the sentence must hold in the same order."""
SPREAD = 2.5
"""How many times the claim's words the stretch of the sentence may be long that holds them."""
_TOKEN = re.compile(r"[$€£¥%]|[^\W_]+(?:[-'’.,][^\W_]+)*")
_CAPITALISED = re.compile(r"\b[A-Z][a-zA-Z]{2,}\b")
_SUPPOSED = re.compile(r"\bhad\b[^.;]*\bwould\s+(?:not\s+)?have\b", re.I)
"""What would have been says that it was not."""
_AUXILIARIES = "do does did is are was were be has have had can may shall will must any a an"
_STOP_STEMS = frozenset(map(stem, STOP_WORDS))
_DENYING = NEGATORS | frozenset(_AUXILIARIES.split())
"""What a change consists of that does nothing but deny."""


class Opposed(StrEnum):
    """What is turned around; the name of its signal."""

    NEGATION = "negation"
    MODALITY = "modality"
    COMPARISON = "comparison"
    OPPOSITE = "opposites"
    PARTIES = "parties"
    VALUES = "values"


_OF_TABLE = {"comparison": Opposed.COMPARISON, "opposite": Opposed.OPPOSITE, "party": Opposed.PARTIES,
             "modal": Opposed.MODALITY}  # fmt: skip


class _Opposites(NamedTuple):
    """``sides`` gives for a word the contrasts that it stands in, as (kind, contrast, side)."""

    sides: dict[str, tuple[tuple[Opposed, int, int], ...]]
    units: frozenset[str]


@lru_cache(maxsize=1)
def _opposites() -> _Opposites:
    table = tomllib.loads(_TABLE.read_text("utf-8"))
    sides: dict[str, tuple[tuple[Opposed, int, int], ...]] = {}
    contrasts = [(kind, pair) for name, kind in _OF_TABLE.items() for pair in table[name]]
    for number, (kind, pair) in enumerate(contrasts):
        for side, listed in enumerate(pair):
            for word in listed.split():
                sides[word] = (*sides.get(word, ()), (kind, number, side))
    return _Opposites(sides, frozenset(table["unit"][0].split()))


class _Stretch(NamedTuple):
    """The part of a sentence that a claim lies along, and what one has in the place of what the other has."""

    text: str
    changes: list[tuple[list[str], list[str]]]


def tokens(text: str) -> list[str]:
    """Lower-case words, numbers and signs of value, in order."""
    return [match.group().lower().replace("’", "'") for match in _TOKEN.finditer(text)]


def opposed(claim: str, sentence: str) -> frozenset[Opposed]:
    """Nothing where the two are not alike enough to be compared. Where both bound a value alike, the words that do so
    are no denial ("at most 60", "not more than 60"), nor are other words for one prohibition."""
    found = _worded_otherwise(*without_bounds(claim, sentence))
    if deny_alike(claim, sentence):
        found -= {Opposed.NEGATION, Opposed.MODALITY}
    if bounds_agree(claim, sentence) is False:
        found |= {Opposed.COMPARISON}
    if _exchanged(claim, sentence) or _of_the_other_side(claim, sentence):
        found |= {Opposed.PARTIES}
    if value_of_another(claim, sentence, _actors):
        found |= {Opposed.VALUES}
    return found


def is_opposed(claim: str, cited: Sequence[str]) -> bool:
    """True if the claim states the opposite of cited words that say nearly the same; a permission is no opposite of a
    duty."""
    single = [said for said in cited if not denies_a_denial(said)]
    return align(claim, cited).denies or any(opposed(claim, said) - {Opposed.MODALITY} for said in single)


def _worded_otherwise(claim: str, sentence: str) -> frozenset[Opposed]:
    stretch = _aligned(claim, sentence)
    if stretch is None:
        return frozenset()
    denies = is_negated(claim)
    one_denies = all(denies != is_negated(text) for text in (stretch.text, sentence)) and not _SUPPOSED.search(sentence)
    found = set(_of_changes(stretch, one_denies))
    if at_odds(claim, stretch.text):
        found.add(Opposed.NEGATION)
    return frozenset(found)


def _of_the_other_side(claim: str, sentence: str) -> bool:
    """True if the clause that says what the claim says is about the party on the other side alone."""
    ours, theirs = (_roles(text) for text in (claim, closest_clause(claim, sentence, _actors)))
    sides = _opposites().sides
    other = {(kind, contrast, 1 - side) for role in ours for kind, contrast, side in sides[role]}
    return bool(ours and theirs) and not ours & theirs and all(other & set(sides[role]) for role in theirs)


def _aligned(claim: str, sentence: str) -> _Stretch | None:
    ours, theirs = tokens(claim), tokens(sentence)
    codes = SequenceMatcher(None, [*map(_same, ours)], [*map(_same, theirs)], autojunk=False).get_opcodes()
    equal = [code for code in codes if code[0] == "equal"]
    content = sum(t not in STOP_WORDS for t in ours)
    held = sum(ours[n] not in STOP_WORDS for _, a, b, _, _ in equal for n in range(a, b))
    if held < max(2, ALIKE * content):
        return None
    low, high = equal[0][3], equal[-1][4]
    first, last = equal[0][1], len(ours) - equal[-1][2]
    low, high = max(0, low - first), min(len(theirs), high + last)
    if high - low > SPREAD * len(ours):
        return None
    changes = [(ours[a:b], theirs[max(c, low) : min(d, high)]) for tag, a, b, c, d in codes if tag != "equal"]
    places = [match.span() for match in _TOKEN.finditer(sentence)]
    return _Stretch(sentence[places[low][0] : places[high - 1][1]], [change for change in changes if any(change)])


def _same(token: str) -> str:
    return token if token in _opposites().sides or token in _opposites().units else stem(token)


def _of_changes(stretch: _Stretch, one_denies: bool) -> Iterator[Opposed]:
    for mine, other in stretch.changes:
        if one_denies and {*mine, *other} <= _DENYING and bool({*mine} & NEGATORS) != bool({*other} & NEGATORS):
            yield Opposed.NEGATION
        yield from _turned(mine, other)
        if _other_value(mine, other):
            yield Opposed.VALUES


def _other_value(mine: list[str], other: list[str]) -> bool:
    """True if both have a number, or both a unit, a currency or a month, and none in common."""
    stated, theirs_stated = (values(" ".join(said)) for said in (mine, other))
    if stated and all(any(a.kind is b.kind and a.agrees_with(b) for b in theirs_stated) for a in stated):
        return False  # "$ 85", "eighty-five dollars"
    units = _opposites().units
    measured = ({*mine} & units, {*other} & units)
    counted = (_numbers(mine), _numbers(other))
    return any(ours and theirs and not ours & theirs for ours, theirs in (measured, counted))


def _numbers(stated: list[str]) -> set[str]:
    return {part for value in values(" ".join(stated)) for reading in value.readings for part in reading.split()
            if part[0].isdigit()}  # fmt: skip


def _turned(mine: list[str], other: list[str]) -> Iterator[Opposed]:
    """Contrasts with one side in what the claim has and the other in what the sentence has in its place."""
    ours = set(chain.from_iterable(_opposites().sides.get(token, ()) for token in mine))
    theirs = set(chain.from_iterable(_opposites().sides.get(token, ()) for token in other))
    for kind, contrast, side in ours - theirs:
        if (kind, contrast, 1 - side) in theirs and (kind, contrast, 1 - side) not in ours:
            yield kind


def _exchanged(claim: str, sentence: str) -> bool:
    """True if who stands right before some word of both, and who after it, have changed places.

    Where only one of the two has it that something is done "by" somebody, the order goes with the voice, and who does
    it is compared.
    """
    who = _actors(claim) & _actors(sentence)
    if len(who) < 2:
        return False
    ours, theirs = ([t if t in who else stem(t) for t in tokens(text)] for text in (claim, sentence))
    pivots = {*ours} & {*theirs} - who - _STOP_STEMS
    if ("by" in ours) == ("by" in theirs):
        return any(_turns_around(pivot, ours, theirs, who) for pivot in pivots)
    pairs = [(_doer_and_other(ours, pivot, who), _doer_and_other(theirs, pivot, who)) for pivot in pivots]
    return any(mine is not None and other is not None and mine == other[::-1] for mine, other in pairs)


def _turns_around(pivot: str, ours: list[str], theirs: list[str], who: frozenset[str]) -> bool:
    mine, other = ours.index(pivot), theirs.index(pivot)
    subject = next((t for t in reversed(ours[:mine]) if t in who), None)
    their_subject = next((t for t in reversed(theirs[:other]) if t in who), None)
    if subject is None or their_subject is None or subject == their_subject:
        return False
    alone = subject not in ours[mine:] and their_subject not in theirs[other:] and their_subject not in ours[:mine]
    return alone and subject in theirs[other:] and their_subject in ours[mine:] and subject not in theirs[:other]


def _doer_and_other(said: list[str], pivot: str, who: frozenset[str]) -> tuple[str, str] | None:
    """Who does it and whom it concerns: who stands after "by" and the one other actor, else the one before the word and
    the one after it. None where there are more."""
    at = said.index(pivot)
    after = [n for n in range(at + 1, len(said)) if said[n] in who]
    by = next((said[n] for n in after if "by" in said[max(at, n - 3) : n]), None)
    before, following = {t for t in said[:at] if t in who}, {said[n] for n in after}
    if by is not None:
        before, following = {by}, (before | following) - {by}
    if len(before) != 1 or len(following) != 1 or before == following:
        return None
    return next(iter(before)), next(iter(following))


def _actors(text: str) -> frozenset[str]:
    """Words that name who acts: parties by their role, and names and defined terms by their capital."""
    named = {match.lower() for match in _CAPITALISED.findall(text) if match not in CODES}
    return frozenset(_roles(text) | named - STOP_WORDS)


def _roles(text: str) -> frozenset[str]:
    sides = _opposites().sides
    return frozenset(t for t in tokens(text) if any(kind is Opposed.PARTIES for kind, *_ in sides.get(t, ())))
