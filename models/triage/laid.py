"""Two texts of marked words laid side by side: which word has which counterpart, and what is wrong with it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from models.language.values import ValueKind
from models.triage.leaving import Omissions, belongs_to_bound
from models.triage.marked import Kind, Word
from models.triage.marked_text import FREE, SAID, MarkedText
from models.triage.moving import Moves
from models.triage.pairing import PAIRINGS, Pairs, Sides, stands_for

_PAST = frozenset(["was", "were", "had", "did"])
_PRESENT = frozenset(["is", "are", "has", "have", "does", "do"])


class Laid(NamedTuple):
    """``pairs`` are places in ``ours`` and in ``theirs``. ``unmatched`` of ours say what theirs do not; ``lacking`` of
    theirs are left out by ours and could change it. ``misplaced`` and ``joined_otherwise`` are pairs; so is
    ``other_time``, the first verb or auxiliary of another tense."""

    ours: tuple[Word, ...]
    theirs: tuple[Word, ...]
    pairs: dict[int, int]
    unmatched: tuple[int, ...]
    lacking: tuple[int, ...]
    misplaced: tuple[tuple[int, int], ...]
    joined_otherwise: tuple[tuple[int, int], ...]
    other_time: tuple[int, int] | None

    @property
    def faults(self) -> int:
        return (
            len(self.unmatched) + len(self.lacking) + 2 * len(self.misplaced) + len(self.joined_otherwise)
            + (self.other_time is not None)
        )  # fmt: skip


def lay(ours: Sequence[Word], theirs: Sequence[Word]) -> Laid:
    """The pairing that leaves least over: all in one order, conditions apart, statements apart, phrases apart."""
    first, second = MarkedText(tuple(ours)), MarkedText(tuple(theirs))
    best: Laid | None = None
    for pairing in PAIRINGS:
        found = _Laying(first, second, pairing(first, second)).laid()
        if best is None or found.faults < best.faults:
            best = found
        if not best.faults:
            break
    assert best is not None
    return best


class _Laying(Sides):
    """One way of pairing, and what is wrong with it."""

    def __init__(self, ours: MarkedText, theirs: MarkedText, pairs: Pairs) -> None:
        super().__init__(ours, theirs, pairs)
        self._moves, self._omissions = Moves(ours, theirs, pairs), Omissions(ours, theirs, pairs)

    def laid(self) -> Laid:
        misplaced = [*self._moved(), *self._moves.turned()]
        lacking = [m for m in self._left() if not self._omissions.may_lack(m)]
        unmatched = [n for n in range(len(self.ours.words)) if not self._is_matched(n)]
        return Laid(
            self.ours.words, self.theirs.words, self.pairs, tuple(unmatched), tuple(lacking), tuple(misplaced),
            tuple(self._joined_otherwise()), self._other_time(),
        )  # fmt: skip

    def _left(self) -> list[int]:
        taken = set(self.pairs.values())
        return [m for m, word in enumerate(self.theirs.words) if m not in taken and word.kind not in FREE]

    def _moved(self) -> list[tuple[int, int]]:
        """Pairs what is left over with its like; those that are where they may not be."""
        misplaced = []
        deciding = [n for n, w in enumerate(self.ours.words) if w.kind not in FREE and n not in self.pairs]
        for n in sorted(deciding, key=lambda n: self.ours.words[n].kind not in SAID):
            word = self.ours.words[n]
            like = [m for m in self._left() if stands_for(word, self.theirs.words[m])]
            allowed = [m for m in like if self._moves.may_move(n, m)]
            if allowed:
                self.pairs[n] = allowed[0]
            elif like and word.kind in SAID:
                self.pairs[n] = like[0]
                misplaced.append((n, like[0]))
        return misplaced

    def _is_matched(self, n: int) -> bool:
        word = self.ours.words[n]
        if n in self.pairs or word.kind in FREE:
            return True
        if word.kind is Kind.CONTENT:
            return self._in_place_of_pronoun(n) or self._is_the_author(n)
        if word.key == "held":
            return True
        if belongs_to_bound(self.ours, n, self.pairs.keys()) or self._is_after_period(n):
            return True
        if word.kind is Kind.MODAL and word.key == "should":
            return any(w.key == "recommend" for w in self.theirs.words)
        if word.kind is Kind.QUANTITY and word.key == "any":
            return any(w.kind is Kind.NEGATION or w.key in ("forbid", "free") for w in self.theirs.words)
        return False

    def _is_after_period(self, n: int) -> bool:
        """ "Ten days after service" for "ten days of service"."""
        if self.ours.words[n].key != "after" or n == 0 or n - 1 not in self.pairs:
            return False
        value, m = self.ours.words[n - 1].value, self.pairs[n - 1] + 1
        period = value is not None and value.kind is ValueKind.DURATION
        return period and m < len(self.theirs.words) and self.theirs.words[m].key in ("of", "at")

    def _is_the_author(self, n: int) -> bool:
        """The Court, where theirs have "we hold"."""
        says = n + 1 < len(self.ours.words) and self.ours.words[n + 1].key == "held"
        return says and any(w.text == "we" for w in self.theirs.words)

    def _in_place_of_pronoun(self, n: int) -> bool:
        """A name said again where theirs have "it"."""
        if not any(stands_for(self.ours.words[n], w) for w in self.theirs.words):
            return False
        low = max((self.pairs[k] for k in range(n) if k in self.pairs), default=-1)
        after = [self.pairs[k] for k in range(n + 1, len(self.ours.words)) if k in self.pairs]
        high = min((k for k in after if k > low), default=len(self.theirs.words))
        return any(w.kind is Kind.PRONOUN for w in self.theirs.words[low + 1 : high])

    def _joined_otherwise(self) -> Iterator[tuple[int, int]]:
        """ "And" between two words whose counterparts "or" joins, and the reverse."""
        said = [n for n, w in enumerate(self.ours.words) if w.kind in SAID and n in self.pairs]
        for n, word in enumerate(self.ours.words):
            if word.kind is not Kind.JOIN:
                continue
            before = next((k for k in reversed(said) if k < n), None)
            after = next((k for k in said if k > n), None)
            if before is None or after is None:
                continue
            low, high = sorted((self.pairs[before], self.pairs[after]))
            joins = [m for m in range(low, high) if self.theirs.words[m].kind is Kind.JOIN]
            other = next((m for m in joins if self.theirs.words[m].key != word.key), None)
            if other is not None and not any(self.theirs.words[m].key == word.key for m in joins):
                yield n, other

    def _other_time(self) -> tuple[int, int] | None:
        for n, m in sorted(self.pairs.items()):
            word, other = self.ours.words[n], self.theirs.words[m]
            if word.kind is Kind.CONTENT and word.text.endswith("ed") and not other.text.endswith("ed"):
                finite = n > 0 and self.ours.words[n - 1].kind in (Kind.CONTENT, Kind.STOP, Kind.JOIN)
                modal = m > 0 and self.theirs.words[m - 1].kind in (Kind.MODAL, Kind.REPORT)
                if finite and modal and not self.ours.is_passive(n):
                    return n, m
        return self._other_auxiliary()

    def _other_auxiliary(self) -> tuple[int, int] | None:
        ours = [n for n, w in enumerate(self.ours.words) if w.kind is Kind.AUXILIARY]
        theirs = [m for m, w in enumerate(self.theirs.words) if w.kind is Kind.AUXILIARY]
        said, stated = ({w.text for w in text.words if w.kind is Kind.AUXILIARY} for text in (self.ours, self.theirs))
        modal = next(
            (m for m, w in enumerate(self.theirs.words) if w.key in ("must", "will", "expect", "recommend")), None
        )
        if any(w.kind is Kind.CONTENT and w.text.endswith("ed") and m in self.pairs.values()
               for m, w in enumerate(self.theirs.words)):  # fmt: skip
            return None
        if said & _PAST and not said & _PRESENT and not stated & _PAST and (stated & _PRESENT or modal is not None):
            return ours[0], next((m for m in theirs if self.theirs.words[m].text in _PRESENT), modal or 0)
        return None
