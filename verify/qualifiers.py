"""Words outside a quotation that turn the meaning of what is quoted (contract section 5, rule 5).

The list ``pincite-qualifiers-2`` is closed; ``words.toml`` holds it. A word of it counts by where it is:

- a negation near the quotation, or before it in the same clause ("shall not, without consent, assign");
- an exception or condition of the clause, near the quotation, at the head of its sentence or behind it in the clause;
- a limit ("other than") near the quotation;
- before the quotation, a word that makes what follows asked, alleged, forbidden or lacking, in the same clause;
- the next sentence, if it begins by turning this one.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from verify.sentences import Span
from verify.wordlists import WORDS, phrases

QUALIFIERS = "pincite-qualifiers-2"

_LISTS = WORDS["qualifiers"]
_NEAR = 6
"""Words between a negation and the quotation within which it turns it in whatever clause it is."""


def _words(*names: str) -> str:
    return phrases(word for name in names for word in _LISTS[name])


_FIND = re.compile(
    rf"(?P<harmless>\b(?:{_words('harmless')})\b)"
    rf"|(?P<exception>\b(?:{_words('exceptions')})\b)|(?P<limit>\b(?:{_words('limits')})\b)"
    rf"|(?P<negation>\b(?:{_words('negations')})\b(?!\.\s*\d))"
    rf"|(?P<condition>\b(?:{_words('conditions')})\b)|(?P<head>\b(?:{_words('heads')})\b)",
    re.IGNORECASE,
)
_LISTED = "no(?!\\.\\s*\\d)|not|cannot|nor|never|neither|none|in no event"
_OPENING = re.compile(
    r"(?:[(\[]?(?:\d{1,3}(?:\.\d{1,3})*[.)\]]*|[a-z][.)\]]+)\s+)?[\"“‘'(*†‡¹²³]*"
    rf"(?:{_words('openings', 'exceptions', 'limits')}|{_LISTED})\b",
    re.IGNORECASE,
)
_BREAK = re.compile(rf";|:\s|[,)]\s+(?:{_words('breaks')})\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_BROKEN = re.compile(r"\u00ad|[-‐][ \t]*\n\s*")
_REACH = 160
"""Characters within which ``_NEAR`` words are counted."""


_TOKEN = re.compile(r"[^\W\d_]+(?:['’]t\b)?")
_FIRST = frozenset(
    re.split(r"[\s,-]", word)[0] for name in _LISTS for word in _LISTS[name] if name not in ("openings", "breaks")
)
"""A cheap look: no entry of the list begins with any other word."""


class _Found(NamedTuple):
    kind: str
    start: int
    end: int


def turned(text: str, sentence: Span, quoted: Span) -> bool:
    """True if a word of the sentence outside the quotation turns what is quoted. Offsets are in ``text``."""
    if quoted.start <= sentence.start and sentence.end <= quoted.end:
        return False
    around = _Around(text, sentence, quoted)
    return any(around.governs(found) for found in _found(text, sentence))


def turns_back(text: str, following: Span) -> bool:
    """True if a sentence begins by turning the one before it."""
    return _OPENING.match(text, following.start, following.end) is not None


def left_out(text: str) -> bool:
    """True if words left out of a quotation hold a negation, an exception or a condition."""
    return any(f.kind != "head" for f in _found(text, Span(0, len(text))))


def _found(text: str, span: Span) -> Iterator[_Found]:
    """Words of the list between two offsets; those broken at a line end are put together first."""
    piece, origin = _joined(text, span)
    at = 0
    for word in _TOKEN.finditer(piece.lower()):
        if word.start() < at or not (word.group() in _FIRST or word.group().endswith(("n't", "n’t"))):
            continue
        negated = word.group() not in _FIRST
        found = word if negated else _FIND.match(piece, word.start())
        if found is not None:
            at = found.end()
            kind = "negation" if negated else found.lastgroup or ""
            if kind != "harmless":
                yield _Found(kind, origin(found.start()), origin(found.end() - 1) + 1)


def _joined(text: str, span: Span) -> tuple[str, Callable[[int], int]]:
    """The text of a span without its line-end hyphens, and where each character of it comes from."""
    piece = text[span.start : span.end]
    cuts = [m.span() for m in _BROKEN.finditer(piece)]
    if not cuts:
        return piece, lambda i: span.start + i
    kept: list[int] = []
    at = 0
    for start, end in [*cuts, (len(piece), len(piece))]:
        kept += range(at, start)
        at = end
    return "".join(piece[i] for i in kept), lambda i: span.start + kept[i]


class _Around:
    """Where the clauses next to a quotation end, looked for once."""

    def __init__(self, text: str, sentence: Span, quoted: Span) -> None:
        self._text, self._sentence, self._quoted = text, sentence, quoted
        before = [m.start() for m in _BREAK.finditer(text, sentence.start, max(sentence.start, quoted.start))]
        after = _BREAK.search(text, quoted.end, max(quoted.end, sentence.end))
        self._clause_from = before[-1] if before else sentence.start
        self._clause_to = after.start() if after else sentence.end
        self._semicolon = text.rfind(";", sentence.start, max(sentence.start, quoted.start))

    def governs(self, found: _Found) -> bool:
        before = found.end <= self._quoted.start
        if not before and found.start < self._quoted.end:
            cut = found.start < self._quoted.start or self._quoted.end < found.end
            return cut and found.kind in ("negation", "exception", "limit")
        if found.kind == "exception" and not self._is_conjunction(found):
            return False
        if found.kind in ("negation", "exception", "limit") and self._is_near(found, before):
            return True
        same_clause = self._clause_from < found.end if before else found.start <= self._clause_to
        if found.kind in ("exception", "condition"):
            return self._opens(found) if before else same_clause
        return before and same_clause and found.kind != "limit"

    def _is_near(self, found: _Found, before: bool) -> bool:
        start, end = (found.end, self._quoted.start) if before else (self._quoted.end, found.start)
        return end - start <= _REACH and len(_WORD.findall(self._text, start, end)) <= _NEAR

    def _is_conjunction(self, found: _Found) -> bool:
        """ "Provided" is a conjunction after a mark or at the head of the sentence, a verb elsewhere."""
        if self._text[found.start : found.end].lower() != "provided":
            return True
        before = self._text[max(self._sentence.start, found.start - _REACH) : found.start].rstrip()
        return not before or before[-1] in ";,.:("

    def _opens(self, found: _Found) -> bool:
        """An exception or condition before the quotation opens the sentence, or what follows its last semicolon."""
        start = max(self._sentence.start, self._semicolon + 1)
        near = 0 <= found.start - start <= _REACH
        return near and len(_WORD.findall(self._text, start, found.start)) <= _NEAR
