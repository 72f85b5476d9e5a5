"""What of a sentence a claim may leave out: what does not change what it keeps.

Another statement of the same sentence, one of two words for the same, the payer where only the amount is said, the
recipient of a duty. Never a condition, an exception, a denial, a limit or what narrows any of them.
"""

from collections.abc import Iterable, Sequence

from models.language.values import Value, ValueKind
from models.triage.marked import Kind, Word
from models.triage.marked_text import FREE, GOVERNING, LEADING, SAID, MarkedText, has_subject_and_verb
from models.triage.pairing import Sides

_CONDITIONING = frozenset(
    ["condition", "limit", "cap", "requir", "base", "restrict", "includ", "exclud", "except", "accord", "depend"]
)
"""Stems of participles that change what they are said of."""
_SHORT_FORM = 3
"""Words that a name's short form in brackets has at most."""
_DETAIL = ("to", "from", "by", "against", "between")
_RATES = ("per", "of", "on", "a", "an", "for", "each", "every", "in")
"""Words after an amount that make it one of something else."""
_ELLIPTIC = ("other", "first", "second", "third", "latter", "former", "same")


def _narrows(word: Word) -> bool:
    """Whether what is said of a part, with this word, could be false of the whole."""
    return (
        word.kind in (Kind.NEGATION, Kind.ONLY, Kind.BOUND, Kind.EXCEPTION)
        or (word.kind is Kind.MODAL and word.key not in ("must", "will"))
        or (word.kind is Kind.QUANTITY and word.key != "all")
        or (word.kind is Kind.REPORT and word.key != "held")
    )


def _is_time(value: Value) -> bool:
    year = value.kind is ValueKind.NUMBER and any(r.isdigit() and 1900 <= int(r) < 2100 for r in value.readings)
    return value.kind is ValueKind.DATE or year


def belongs_to_bound(text: MarkedText, at: int, paired: Iterable[int]) -> bool:
    """The modal of "may be at most", where the other has "shall not exceed"."""
    if text.words[at].kind is not Kind.MODAL or text.words[at].key not in ("may", "must", "will"):
        return False
    k = at + 1
    while k < len(text.words) and text.words[k].kind is Kind.AUXILIARY:
        k += 1
    return k < len(text.words) and text.words[k].kind is Kind.BOUND and k in paired


class Omissions(Sides):
    def may_lack(self, m: int) -> bool:
        word = self.theirs.words[m]
        if self._names_an_amount() or word.key == "held" or self._is_alias(m) or self._is_detail(m):
            return True
        if word.kind is Kind.CONTENT and any(w.key == "held" for w in self.theirs.words[m + 1 : m + 2]):
            return True
        if word.kind is Kind.QUANTITY and word.key in ("any", "all"):
            return m == 0 or self.theirs.words[m - 1].kind is not Kind.NEGATION
        if word.kind is Kind.MODAL and word.key in ("must", "will"):
            return True
        if belongs_to_bound(self.theirs, m, self.pairs.values()) or self._is_paid(m) or self._is_aside(m):
            return True
        if word.kind is Kind.CONTENT and (self._is_said_again(m) or self._is_unnamed_doer(m)):
            return True
        if word.key in ("during", "from"):
            head = self.theirs.head(m)
            if any(self.ours.lead(n)[0] == "at" for n, k in self.pairs.items() if k == head):
                return True
        return self._is_double(m) or self._is_left_segment(m)

    def _is_alias(self, m: int) -> bool:
        """A name or its short form, of "Alder Limited (the Supplier)", where the other stands for both."""
        words, taken = self.theirs.words, set(self.pairs.values())
        for at, word in enumerate(words):
            if word.key != "(":
                continue
            end = next((k for k in range(at + 1, len(words)) if words[k].key == ")"), None)
            inside = range(at + 1, end or at + 1)
            if end is None or len(inside) > _SHORT_FORM or any(words[k].kind is not Kind.CONTENT for k in inside):
                continue
            start = at
            while (
                start > 0 and words[start - 1].kind in (Kind.CONTENT, Kind.STOP) and words[start - 1].key not in ";()"
            ):
                start -= 1
            sides = range(start, at), inside
            if any(m in one and taken.issuperset(other) and other for one, other in (sides, sides[::-1])):
                return True
        return False

    def _is_detail(self, m: int) -> bool:
        """Of a plain statement, or of a duty, to whom, from whom, by whom, against what or when: the statement holds
        without it. Not where anything denies, allows, limits or counts, for then it could say more than it did."""
        words, taken = self.theirs.words, set(self.pairs.values())
        segment = [k for k, s in enumerate(self.theirs.segment) if s == self.theirs.segment[m]]
        if self.theirs.governor[m] >= 0 or not any(k in taken and words[k].kind in SAID for k in segment if k < m):
            return False
        if any(
            _narrows(words[k]) and (k not in taken or words[k].kind is not Kind.BOUND)
            for k in segment
            if self.theirs.governor[k] < 0
        ):
            return False
        start = m
        while start > 0 and start - 1 not in taken and (
            words[start].kind not in (Kind.STOP, Kind.MODAL, Kind.AUXILIARY) or words[start].key in "()"
        ):  # fmt: skip
            start -= 1
        phrase = words[start : m + 1]
        return (bool(phrase) and phrase[0].text in _DETAIL) or self._is_date_of(start, m)

    def _is_date_of(self, start: int, m: int) -> bool:
        words = self.theirs.words
        lead = words[start].kind in (Kind.SOFT, Kind.RELATION) and words[start].text in ("in", "on", "since")
        value = words[start + 1].value if start + 1 < len(words) else None
        return lead and m in (start, start + 1) and value is not None and _is_time(value)

    def _is_paid(self, m: int) -> bool:
        """Who pays, where ours only say how much is paid ("the fee is ten euros")."""
        first = min(self.pairs.values(), default=0)
        if m >= first or any(self.theirs.segment[k] for k in range(first)):
            return False
        said = [w for w in self.theirs.words[:first] if w.kind not in (*FREE, Kind.CONTENT)]
        paid = [w.key for w in self.theirs.words[:first] if w.kind is Kind.CONTENT]
        return (
            bool(paid) and paid[-1] == "pay" and all(w.kind is Kind.MODAL and w.key in ("must", "will") for w in said)
        )

    def _is_aside(self, m: int) -> bool:
        """What is said after a comma of the thing just named ("..., payable at closing"), left out whole."""
        words, taken = self.theirs.words, set(self.pairs.values())
        start = next((k for k in range(m, -1, -1) if words[k].key in (",", ";")), None)
        if start is None or start + 1 >= len(words) or not words[start + 1].text.endswith(("able", "ed", "ing")):
            return False
        end = next((k for k in range(start + 1, len(words)) if words[k].key in (",", ";")), len(words))
        inside = range(start + 1, end)
        plain = all(words[k].kind in (*FREE, *LEADING, Kind.CONTENT, Kind.VALUE, Kind.QUANTITY) for k in inside)
        return (
            plain
            and words[start + 1].kind is Kind.CONTENT
            and words[start + 1].key not in _CONDITIONING
            and not (taken & {k for k in inside if words[k].kind not in FREE})
        )

    def _names_an_amount(self) -> bool:
        """A claim such as "the initial term is two years", of a sentence that states a term of two years beside other
        things: where the two stand together, nothing decides about them, and the amount is no rate of something."""
        ours = [(n, w) for n, w in enumerate(self.ours.words) if w.kind not in FREE]
        plain = all(w.kind in (*SAID, Kind.BOUND) and n in self.pairs for n, w in ours)
        amounts = [self.pairs[n] for n, w in ours if w.kind is Kind.VALUE and n in self.pairs]
        if not plain or len(amounts) != 1 or ours[-1][1].kind is not Kind.VALUE or len(ours) < 2:
            return False
        taken, words = set(self.pairs.values()), self.theirs.words
        kept = [m for m in taken if words[m].kind not in FREE]
        left = [w for m, w in enumerate(words) if m not in taken]
        together = all(m in taken or words[m].kind in FREE for m in range(min(kept), max(kept)))
        after = words[amounts[0] + 1] if amounts[0] + 1 < len(words) else None
        value = words[amounts[0]].value
        alike = [w for w in left if w.value is not None and value is not None and w.value.kind is value.kind]
        undecided = all(w.kind in (*FREE, *SAID) or w.key in ("must", "will") for w in left)
        rate = after is not None and after.text in _RATES
        return together and undecided and not alike and not rate

    def _is_double(self, m: int) -> bool:
        """One of two words for the same ("sole and exclusive")."""
        taken, words = set(self.pairs.values()), self.theirs.words
        return any(
            0 <= k < len(words) and k in taken and words[k].says(words[m]) and words[(k + m) // 2].kind is Kind.JOIN
            for k in (m - 2, m + 2)
        )

    def _is_said_again(self, m: int) -> bool:
        """Named elsewhere, and ours have a pronoun or nothing there ("the other", "but not the second")."""
        words, taken = self.theirs.words, set(self.pairs.values())
        again = [k for k, w in enumerate(words) if k != m and k in taken and words[m].says(w)]
        if not again:
            return False
        elliptic = m > 0 and m - 1 in taken and words[m - 1].key in _ELLIPTIC
        segment = self.theirs.segment[m]
        first = next(k for k, w in enumerate(words) if self.theirs.segment[k] == segment and w.kind in SAID)
        repeats = first == m and again[0] < m and segment > self.theirs.segment[again[0]]
        rest = [k for k, s in enumerate(self.theirs.segment) if s == segment and k != m and words[k].kind in SAID]
        repeats = repeats or (again[0] < m and self.theirs.segment[again[0]] < segment and taken.issuperset(rest))
        return elliptic or repeats or any(w.kind is Kind.PRONOUN for w in self.ours.words)

    def _is_unnamed_doer(self, m: int) -> bool:
        """The subject of a verb that ours have in the passive ("judgment was granted")."""
        if not self.voices_differ or self.theirs.segment[m] or not self.theirs.opens(m) or self.theirs.governor[m] >= 0:
            return False
        verb = next((k for k in range(m + 1, len(self.theirs.words)) if self.theirs.words[k].kind is Kind.CONTENT
                     and k in self.pairs.values()), None)  # fmt: skip
        return any(
            k == verb and self.ours.is_passive(n) and not self.theirs.is_passive(k) for n, k in self.pairs.items()
        )

    def _is_left_segment(self, m: int) -> bool:
        """A further statement of the sentence that ours leave out whole, and that says nothing about what they keep."""
        segment = self.theirs.segment[m]
        places = [k for k, s in enumerate(self.theirs.segment) if s == segment]
        taken = set(self.pairs.values())
        kept = [k for k in places if k in taken and self.theirs.words[k].kind not in FREE]
        if kept:
            return self._lends_its_subject(places, kept)
        if segment == 0:
            return self._stands_apart(places)
        return self._may_go(places)

    def _stands_apart(self, places: Sequence[int]) -> bool:
        """Whether nothing in a first statement holds of the next one too: no report, no condition before its verb, and
        none at all where the next has no subject of its own."""
        words = [self.theirs.words[k] for k in places]
        following = self.theirs.words[places[-1] + 1 :]
        own = has_subject_and_verb(following[1:])
        verb = next((n for n, w in enumerate(words) if w.kind in (Kind.MODAL, Kind.AUXILIARY)), 0)
        return not any(
            (w.kind is Kind.REPORT and w.key != "held")
            or (w.kind in GOVERNING and w.key != "because" and (n <= verb or not own))
            for n, w in enumerate(words)
        )

    def _may_go(self, places: Sequence[int]) -> bool:
        """Joined by "and" or a semicolon, outside any condition that began before it, and without a condition or
        exception that may hold of what is before it as well."""
        first = places[0]
        join, earlier = self.theirs.words[first], self.theirs.words[:first]
        if self.theirs.governor[first] >= 0 or (join.key == "or" and self._is_kept(self.theirs.segment[first] - 1)):
            return False
        denied = {Kind.NEGATION, Kind.ONLY, Kind.EXCEPTION} & {w.kind for w in earlier if w.key != "forbid"}
        has_own = any(self.theirs.words[k].kind in (Kind.MODAL, Kind.AUXILIARY) for k in places)
        apart = join.key == ";" or join.text in ("but", "while", "whereas") or has_own
        if any(self.theirs.words[k].kind in GOVERNING for k in places):
            return apart and not any(
                self.theirs.words[k].kind in GOVERNING and self.theirs.words[k - 1].key == "," for k in places
            )
        return apart or not (denied or any(w.key == "forbid" for w in earlier))

    def _is_kept(self, segment: int) -> bool:
        return any(self.theirs.segment[m] == segment and self.theirs.words[m].kind in SAID for m in self.pairs.values())

    def _lends_its_subject(self, places: Sequence[int], kept: Sequence[int]) -> bool:
        """The subject of a statement that is left out but for it, because the next one has no other."""
        said = [k for k in places if self.theirs.words[k].kind not in FREE]
        if said[: len(kept)] != list(kept) or len(kept) > 4 or not self._stands_apart(places):
            return False
        taken = set(self.pairs.values())
        after = [k for k in taken if k > places[-1] and self.theirs.words[k].kind in SAID]
        following = [k for k, s in enumerate(self.theirs.segment) if after and s == self.theirs.segment[min(after)]]
        rest = [k for k in following if self.theirs.words[k].kind not in FREE]
        return bool(rest) and all(k in taken or self.theirs.words[k].key in ("any", "all") for k in rest)
