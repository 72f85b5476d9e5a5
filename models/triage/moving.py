"""Where a word of a claim may stand otherwise than in the sentence without changing who does what.

A phrase moves with its preposition, a passive turns subject and object around, "the Owner's consent" is "consent of the
Owner", and the halves of an "or" change places. Nothing else moves.
"""

from collections.abc import Iterator

from models.triage.marked import NONE, Kind, Word
from models.triage.marked_text import GOVERNING, SAID
from models.triage.pairing import Sides


def _denies(word: Word) -> bool:
    return word.kind is Kind.NEGATION or word.key == "forbid"


class Moves(Sides):
    def may_move(self, n: int, m: int) -> bool:
        if self.ours.words[n].kind not in SAID:
            return self._said_of_the_same(n, m)
        lead, other = self.ours.lead(n), self.theirs.lead(m)
        if self._is_swap(n, m):
            return True
        if not self._near(n, m):
            return False
        if lead[0] and (lead == other or lead[-1] == other[-1] != "of"):
            return True
        keys = lead[0], other[0]
        return self._is_genitive(n, m) or self._by_voice(n, m, keys) or self._is_adverb(n, m)

    def _is_adverb(self, n: int, m: int) -> bool:
        near = {self.pairs.get(k) for k in (n - 1, n + 1)} - {None}
        return self.ours.words[n].text.endswith("ly") and bool(near & {m - 1, m + 1})

    def _near(self, n: int, m: int) -> bool:
        """True if words beside ours that are paired have their counterparts in the same segment as ``m``."""
        segments = [
            self.theirs.segment[self.pairs[k]] for k in range(max(0, n - 4), min(len(self.ours.words), n + 5))
            if k in self.pairs and self.ours.words[k].kind in SAID and self.ours.segment[k] == self.ours.segment[n]
        ]  # fmt: skip
        return not segments or self.theirs.segment[m] in segments

    def _said_of_the_same(self, n: int, m: int) -> bool:
        """Deciding words moved with what they decide; a bound may stand after its value."""
        head, other = self.ours.head(n), self.theirs.head(m)
        if head is not None and other is not None and self.pairs.get(head) == other:
            return True
        kind = self.ours.words[n].kind
        if kind is Kind.MODAL and (self.voices_differ or self._only_modal()):
            return True
        if kind is Kind.REPORT:
            near = set(self.theirs.content_near(m))
            return any(self.pairs.get(k) in near for k in self.ours.content_near(n))
        if kind is Kind.NEGATION:
            return self._denies_the_same(n, m)
        if kind is Kind.BOUND:
            return any(self.pairs.get(n + a) == m + b for a in (-1, 1) for b in (-1, 1) if self._bounds(n, a, m, b))
        if self.ours.words[n].text == "alone":
            return other is not None and any(self.pairs.get(k) == other for k in range(n - 3, n))
        if kind in (Kind.QUANTITY, Kind.ONLY):
            beside = {self.pairs.get(k) for k in (n - 1, n + 1)} - {None}
            return bool(beside & {m - 1, m + 1})
        return False

    def _bounds(self, n: int, a: int, m: int, b: int) -> bool:
        """Whether the words at these steps are what each bounds: it comes before its value, but for "or more"."""
        steps = [-1 if w.text.startswith("or ") else 1 for w in (self.ours.words[n], self.theirs.words[m])]
        return steps == [a, b]

    def _denies_the_same(self, n: int, m: int) -> bool:
        """ "Authorised no one" and "did not authorise anyone"."""
        for text, at, head in ((self.ours, n, self.theirs.head(m)), (self.theirs, m, self.ours.head(n))):
            before = at - 1
            if before < 0 or text.words[before].kind is not Kind.CONTENT or head is None:
                continue
            if (self.pairs.get(before) == head) if text is self.ours else (self.pairs.get(head) == before):
                return True
        return self._denies_from_its_subject(n, m)

    def _denies_from_its_subject(self, n: int, m: int) -> bool:
        """ "No waiver is effective", "a waiver is not effective" and "shall not be effective"."""
        for (one, subject), (two, verb) in (
            ((self.ours, n), (self.theirs, m)), ((self.theirs, m), (self.ours, n)),
        ):  # fmt: skip
            opens = subject == 0 or one.words[subject - 1].kind in (Kind.STOP, Kind.JOIN, *GOVERNING)
            alone = all(sum(map(_denies, text.words)) == 1 for text in (one, two))
            after = two.words[verb].key == "forbid" or (
                verb > 0 and two.words[verb - 1].kind in (Kind.AUXILIARY, Kind.MODAL)
            )
            if one.words[subject].text in NONE and two.words[verb].text not in NONE and opens and alone and after:
                return True
        return False

    def _only_modal(self) -> bool:
        return all(sum(w.kind is Kind.MODAL for w in text.words) == 1 for text in (self.ours, self.theirs))

    def _is_genitive(self, n: int, m: int) -> bool:
        """ "The Owner's consent" and "consent of the Owner", "notice by e-mail" and "e-mail notice"."""
        beside = set(self.theirs.neighbours(m))
        for k in self.ours.neighbours(n):
            q = self.pairs.get(k)
            if q in beside and q is not None and (n < k) != (m < q):
                bound = self.ours.binds(n, k) and self.theirs.binds(m, q)
                owned = self._owns(n, k, m, q) or self.ours.words[n].kind is Kind.VALUE
                if not owned and not (self.ours.are_next(n, k) and self.theirs.are_next(m, q)):
                    continue
                if bound and (
                    self.ours.is_bound_by_word(n, k) != self.theirs.is_bound_by_word(m, q) or self._owns(n, k, m, q)
                ):
                    return True
        return False

    def _owns(self, n: int, k: int, m: int, q: int) -> bool:
        return self.ours.words[min(n, k)].owner != self.theirs.words[min(m, q)].owner

    def _is_swap(self, n: int, m: int) -> bool:
        """The two sides of one "and" or "or"."""
        for step in (-1, 1):
            over, across = n + 2 * step, m - 2 * step
            if 0 <= over < len(self.ours.words) and 0 <= across < len(self.theirs.words):
                joins = self.ours.words[n + step], self.theirs.words[m - step]
                said = self.ours.words[over].kind in SAID
                if said and all(w.kind is Kind.JOIN for w in joins) and self.pairs.get(over) == across:
                    return True
        return False

    def _by_voice(self, n: int, m: int, keys: tuple[str, str]) -> bool:
        opens, opened = self.ours.opens(n), self.theirs.opens(m)
        if {*keys} == {"", "to"} and not opens and not opened:
            return True  # "grants Licensee a licence", "grants a licence to Licensee"
        if not self.voices_differ:
            return False
        if {*keys} == {"", "by"}:
            return opened if keys[0] == "by" else opens
        if {*keys} == {"", "to"}:
            return True
        verb = self.ours.is_passive(n) != self.theirs.is_passive(m)
        return keys == ("", "") and (opens != opened or verb)

    def turned(self) -> Iterator[tuple[int, int]]:
        """Subjects that a verb of another voice kept, and doers that are none."""
        for n, m in sorted(self.pairs.items()):
            if self.ours.words[n].kind is not Kind.CONTENT:
                continue
            lead, other = self.ours.lead(n), self.theirs.lead(m)
            by = lead[0] == "by", other[0] == "by"
            if by[0] != by[1] and (self.theirs if by[0] else self.ours).opens(m if by[0] else n) is False:
                near = {self.pairs[k] for k in self.ours.neighbours(n) if k in self.pairs}
                if not near & set(self.theirs.neighbours(m)):
                    yield n, m
            if self.ours.is_passive(n) != self.theirs.is_passive(m) and self._keeps_subject(n, m):
                yield n, m

    def _keeps_subject(self, n: int, m: int) -> bool:
        active, verb = (self.ours, n) if self.theirs.is_passive(m) else (self.theirs, m)
        word = active.words[verb]
        if verb == 0 or word.text.endswith(("ed", "ing", "en")) or active.words[verb - 1].kind is not Kind.MODAL:
            return False
        subject = next(
            (k for k in range(n - 1, -1, -1) if self.ours.words[k].kind is Kind.CONTENT and self.ours.opens(k)), None
        )
        kept = -1 if subject is None else self.pairs.get(subject, -1)
        return 0 <= kept < m and self.theirs.opens(kept)
