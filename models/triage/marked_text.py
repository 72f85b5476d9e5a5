"""One text of marked words, with what each word belongs to: its statement, its condition, its phrase."""

from collections.abc import Iterator, Sequence

from models.triage.marked import Kind, Word

SAID = (Kind.CONTENT, Kind.VALUE)
"""Kinds of words that say something of their own; the others decide what is said, or bind it together."""
FREE = (Kind.SOFT, Kind.AUXILIARY, Kind.PRONOUN, Kind.STOP, Kind.JOIN)
"""Kinds that need no counterpart."""
GOVERNING = (Kind.CONDITION, Kind.EXCEPTION)
LEADING = (Kind.SOFT, Kind.RELATION, Kind.BOUND)
_PASSED = (*SAID, Kind.QUANTITY, Kind.PRONOUN, Kind.ONLY)
_WITHIN_PHRASE = (Kind.SOFT, Kind.QUANTITY, Kind.PRONOUN, Kind.AUXILIARY)
_BE = frozenset(["is", "are", "was", "were", "be", "been", "being"])
_TIMES = frozenset(["year", "month", "week", "day", "quarter", "fiscal", "calendar"])
_HOW = ("again", "more", "less")
"""Relations that begin no phrase."""
_THAT = ("deny", "say", "allege", "recommend", "conclude", "view")
"""Reports that a clause of its own follows."""
_NEAR = 3
_PARTICIPLE = (
    "ed", "en", "wn", "id", "ld", "ht", "lt", "nt", "un", "ut", "ade", "rn", "ne", "pt", "ft", "nd", "et", "st",
)  # fmt: skip
"""How participles end; a form of "to be" before it tells that it is one."""


class MarkedText:
    """Marked words with what each is governed by. ``segment`` counts the joins and semicolons before a word;
    ``governor`` is the place of the condition or exception that it stands in, -1 outside."""

    def __init__(self, words: tuple[Word, ...]) -> None:
        self.words = words
        self.segment = _segments(words)
        self.governor = _governors(words)

    def lead(self, n: int) -> tuple[str, ...]:
        """The prepositions that the word's phrase begins with, the nearest first, beyond "of" ("end of the year"); ""
        for a subject or an object. A time that none leads ("each year") stands as if one did."""
        keys = []
        for k in range(n - 1, -1, -1):
            kind = self.words[k].kind
            if kind in LEADING and self.words[k].key not in _HOW:
                keys.append(self.words[k].key)
                if keys[-1] != "of":
                    return tuple(keys)
            elif kind not in _PASSED or (self.words[k + 1].named and kind in SAID):
                break
        timed = any(w.kind is Kind.CONTENT and w.key in _TIMES for w in self.words[n : n + 2])
        return tuple(keys) or (("at",) if timed else ("",))

    def is_core(self, n: int) -> bool:
        return self.words[n].kind not in LEADING and not self.lead(n)[0]

    def opens(self, n: int) -> bool:
        """True if the word belongs to what its clause begins with: its subject, in most."""
        before = 0
        for k in range(n - 1, -1, -1):
            kind = self.words[k].kind
            if kind in (Kind.STOP, *GOVERNING) or (kind is Kind.REPORT and self.words[k].key in _THAT):
                return True
            if kind is Kind.JOIN:
                return self._is_clause(k + 1)
            before += kind in SAID
            if (kind not in (*_PASSED, Kind.NEGATION) and self.words[k].key != "of") or before > 2:
                return False
        return True

    def _is_clause(self, first: int) -> bool:
        """True if a verb's auxiliary follows before the next join or stop."""
        for word in self.words[first:]:
            if word.kind in (Kind.MODAL, Kind.AUXILIARY):
                return True
            if word.kind in (Kind.JOIN, Kind.STOP):
                return False
        return False

    def is_passive(self, n: int) -> bool:
        word = self.words[n]
        if not word.text.endswith(_PARTICIPLE):
            return word.text.endswith("able") and n > 0 and self.words[n - 1].text in _BE
        for before in reversed(self.words[max(0, n - 4) : n]):
            if before.kind is Kind.AUXILIARY or before.kind in (Kind.MODAL, Kind.REPORT, Kind.NEGATION):
                if before.text.split()[-1] in _BE:
                    return True
                if before.kind is Kind.AUXILIARY:
                    return False
            elif not before.text.endswith("ly") and before.kind not in (Kind.ONLY, Kind.RELATION):
                return False
        return False

    def passives(self) -> frozenset[str]:
        return frozenset(w.key for n, w in enumerate(self.words) if w.kind is Kind.CONTENT and self.is_passive(n))

    def keys(self) -> frozenset[str]:
        return frozenset(w.key for w in self.words if w.kind is Kind.CONTENT)

    def neighbours(self, n: int) -> Iterator[int]:
        """Up to three words of content on both sides, within the phrase."""
        for step in (-1, 1):
            k, found = n + step, 0
            while 0 <= k < len(self.words) and found < _NEAR:
                if self.words[k].kind in SAID:
                    found += 1
                    yield k
                elif self.words[k].kind not in _WITHIN_PHRASE and not (self.words[k].kind is Kind.JOIN and found):
                    break
                k += step

    def binds(self, n: int, k: int) -> bool:
        """True if "of", "by" or a possessive joins the two, or nothing parts them."""
        low, high = sorted((n, k))
        between = self.words[low + 1 : high]
        return self.words[low].owner or all(
            w.kind in (*SAID, Kind.QUANTITY, Kind.JOIN, Kind.AUXILIARY) or w.key in ("of", "by", "at") for w in between
        )

    def are_next(self, n: int, k: int) -> bool:
        low, high = sorted((n, k))
        return not any(w.kind in SAID for w in self.words[low + 1 : high])

    def is_bound_by_word(self, n: int, k: int) -> bool:
        low, high = sorted((n, k))
        return self.words[low].owner or any(w.key in ("of", "by", "at") for w in self.words[low + 1 : high])

    def content_near(self, n: int) -> list[int]:
        """Words of content up to three places away."""
        return [k for k in range(n - 3, n + 4) if 0 <= k < len(self.words) and self.words[k].kind is Kind.CONTENT]

    def head(self, n: int) -> int | None:
        """The next word that something is said by, within the clause; what a deciding word is said of."""
        for k in range(n + 1, len(self.words)):
            if self.words[k].kind in SAID:
                return k
            if self.words[k].key == ";":
                return None
        return None


def _segments(words: Sequence[Word]) -> list[int]:
    out, count = [], 0
    for n, word in enumerate(words):
        double = 0 < n < len(words) - 1 and words[n - 1].says(words[n + 1])  # "sole and exclusive"
        count += (word.kind is Kind.JOIN and not double) or word.key == ";"
        out.append(count)
    return out


def _governors(words: Sequence[Word]) -> list[int]:
    """A condition at the beginning ends at the next comma, one between commas after a verb's auxiliary too; any other
    goes on to the end, to the next one, or to a further statement after a comma where none parts it from its own."""
    out, governor, ends_at_comma = [], -1, False
    for n, word in enumerate(words):
        if word.kind in GOVERNING:
            before = [w for w in words[:n] if w.kind in SAID or w.kind is Kind.MODAL]
            ends_at_comma = not before or before[-1].kind is Kind.MODAL or words[n - 1].key == ";"
            governor = n
        elif word.key == ";" or (word.key == "," and ends_at_comma):
            governor = -1
        elif governor > 0 and word.kind is Kind.JOIN and words[n - 1].key == "," and words[governor - 1].key != ",":
            ends = words[governor].key == "because" or has_subject_and_verb(words[n + 1 :])
            governor = -1 if ends else governor
        out.append(governor)
    return out


def has_subject_and_verb(words: Sequence[Word]) -> bool:
    """True if something that is named does what a modal says of it, before the next stop."""
    for n, word in enumerate(words):
        if word.kind in (Kind.STOP, Kind.JOIN, *GOVERNING):
            return False
        if word.kind is Kind.MODAL:
            return any(w.kind in SAID for w in words[:n])
    return False
