"""What a reader must know beside a match: words around it that turn its meaning, and how its text came to be.

The list ``pincite-qualifiers-1`` is closed (contract section 5, rule 5).
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from verify.bodies import PageView
from verify.domain.document import Element, ElementKind, Origin, Page, Word
from verify.reader import Reader
from verify.report import Limitation, Reason
from verify.sentences import Span, sentences

QUALIFIERS = "pincite-qualifiers-1"

_LIST = (
    r"no(?!\.\s*\d)|not|cannot|nor|never|neither|none|without|except|excepting|excluding|unless|until|provided|"
    r"notwithstanding|however|subject\s+to|only\s+if|other\s+than|save\s+for|save\s+that|in\s+no\s+event"
)
_QUALIFIER = re.compile(rf"\b(?:{_LIST})\b", re.IGNORECASE)
_OPENING = re.compile(
    rf"(?:[(\[]?(?:\d{{1,3}}(?:\.\d{{1,3}})*[.)\]]*|[a-z][.)\]]+)\s+)?[\"“‘'(*†‡¹²³]*(?:(?:{_LIST})\b|this\s+does\s+not\s+apply\b)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+")
_FIRST_WORDS = frozenset(part.split("\\")[0].split("(")[0] for part in _LIST.split("|"))
"""A cheap look: a text without any of these words holds no qualifier."""

_BROKEN = re.compile(r"\u00ad|[-‐][ \t]*\n\s*")

Touched = tuple[PageView, Element]
_MAX_REACH = 8
"""Elements that one sentence may run over on either side; a list of more parts is cut there."""


class Surroundings(NamedTuple):
    """``sentence`` is the whole sentence or sentences around a match, with the next one if that qualifies it."""

    sentence: str
    qualified: bool


def surroundings(reader: Reader, touched: Sequence[Touched], start: int, end: int) -> Surroundings:
    """``start`` is an offset in the text of the first touched element, ``end`` one in that of the last."""
    before, after = list(_back(reader, touched[0])), list(_on(reader, touched[-1]))
    if len(touched) == 1 and not before and not after:
        view, element = touched[0]
        return _judge(element.text, view.sentences(element), start, end)
    chain = [*reversed(before), *touched, *after]
    text, starts = _joined(reader, chain)
    first = starts[len(before)]
    last = starts[len(before) + len(touched) - 1]
    return _judge(text, sentences(text), first + start, last + end)


def _joined(reader: Reader, chain: list[Touched]) -> tuple[str, list[int]]:
    text, starts = "", []
    for i, (view, element) in enumerate(chain):
        if i:
            text += "\n" if _runs_on(reader, chain[i - 1], (view, element)) else "\n\n"
        starts.append(len(text))
        text += element.text
    return text, starts


def _judge(text: str, spans: Sequence[Span], start: int, end: int) -> Surroundings:
    inside = [i for i, s in enumerate(spans) if s.start < end and start < s.end]
    first, last = spans[inside[0]], spans[inside[-1]]
    qualified = any(h.start < start or h.end > end for h in _hits(text, first.start, last.end))
    stop = last.end
    if inside[-1] + 1 < len(spans):
        following = spans[inside[-1] + 1]
        if _OPENING.match(text, following.start, following.end):
            qualified, stop = True, following.end
    return Surroundings(text[first.start : stop], qualified)


def _hits(text: str, start: int, end: int) -> Iterator[Span]:
    """Qualifiers between two offsets, those broken at a line end too."""
    if not _FIRST_WORDS.isdisjoint(_WORD.findall(text[start:end].lower())):
        for found in _QUALIFIER.finditer(text, start, end):
            yield Span(found.start(), found.end())
    if not _BROKEN.search(text, start, end):
        return
    kept = list(range(start, end))
    for gap in reversed(list(_BROKEN.finditer(text, start, end))):
        del kept[gap.start() - start : gap.end() - start]
    for found in _QUALIFIER.finditer("".join(text[i] for i in kept)):
        yield Span(kept[found.start()], kept[found.end() - 1] + 1)


_STOPS = re.compile(r"[.?!][\"'”’»)\]*†‡¹²³]*(?:\s?\d{1,2})?\s*$")
_TEXT_KINDS = frozenset({ElementKind.PARAGRAPH, ElementKind.LIST_ITEM})
_FULL_LINE = 97
"""Per cent of the element's width that its last line fills if the paragraph is to run on after a full stop."""


def _back(reader: Reader, touched: Touched) -> Iterator[Touched]:
    for _ in range(_MAX_REACH):
        before = _neighbour(reader, touched, -1)
        if before is None or not _runs_on(reader, before, touched):
            return
        yield before
        touched = before


def _on(reader: Reader, touched: Touched) -> Iterator[Touched]:
    for _ in range(_MAX_REACH):
        after = _neighbour(reader, touched, 1)
        if after is None or not _runs_on(reader, touched, after):
            return
        yield after
        touched = after


def _neighbour(reader: Reader, touched: Touched, step: int) -> Touched | None:
    """The running element before or after one, over a page break too."""
    view, element = touched
    running = view.running
    rank = view.running_rank.get(element.element_id)
    if rank is None:
        return None
    if 0 <= rank + step < len(running):
        return view, running[rank + step]
    other = reader.view(view.page.index + step)
    if other is None or not other.running:
        return None
    return other, other.running[0 if step > 0 else -1]


def _runs_on(reader: Reader, a: Touched, b: Touched) -> bool:
    """True if the sentence or paragraph that ends in ``a`` goes on in ``b``.

    Within a page an element that ends without a stop goes on in a list item or in lower case. Over a page break it
    goes on in any text, but in a numbered paragraph only behind a comma, colon, semicolon, "and" or "or"; one that
    ends with a stop goes on in a paragraph if its last line is full.
    """
    (view, one), (other, two) = a, b
    if one.kind not in _TEXT_KINDS or two.kind not in _TEXT_KINDS:
        return False
    broken = view.page.index != other.page.index
    plain = two.kind is ElementKind.PARAGRAPH and not _NUMBERED.match(two.text)
    if _STOPS.search(one.text):
        return broken and plain and _last_line_full(view.page, one)
    if broken:
        return plain or two.kind is ElementKind.LIST_ITEM or _OPEN.search(one.text) is not None
    return two.kind is ElementKind.LIST_ITEM or two.text[:1].islower()


_NUMBERED = re.compile(r"[(\[]?(?:\d+(?:\.\d+)*|[A-Za-z]|[ivxIVX]+)[.)\]]|\d+(?:\.\d+)+\s")
_OPEN = re.compile(r"(?:[,:;–—-]|\b(?:and|or))\s*$")


def _last_line_full(page: Page, element: Element) -> bool:
    lines = page.lines[element.first_line : element.end_line]
    width = element.bbox.x1 - element.bbox.x0
    return len(lines) > 1 and (lines[-1].box.x1 - element.bbox.x0) * 100 >= width * _FULL_LINE


_RUNNING = frozenset({ElementKind.HEADER, ElementKind.FOOTER, ElementKind.PAGE_NUMBER, ElementKind.STAMP})


def limitations_of_text(words: Sequence[tuple[Page, Word]], elements: Sequence[Element]) -> Iterator[Limitation]:
    """What the way the text came to be, and where on the page it stands, put on a match."""
    origins = {word.origin for _, word in words}
    if origins - {Origin.NATIVE}:
        yield Limitation.OCR_TEXT
    if Origin.EMBEDDED_OCR in origins:
        yield Limitation.EMBEDDED_OCR
    if any(e.kind in _RUNNING for e in elements):
        yield Limitation.HEADER_OR_FOOTER


_UNKNOWN_SIGN = re.compile("(?<!\ufffd)\ufffd{1,2}(?!\ufffd)")
"""A row of three or more is a leader of dots, which says nothing."""


_SIGN_BEFORE = re.compile(rf"{_UNKNOWN_SIGN.pattern}\s*\Z")


def number_after_unknown_sign(text: str, start: int) -> bool:
    """True if a number begins at ``start`` behind a sign that the file gives no character, which may be a minus."""
    return text[start : start + 1].isdigit() and _SIGN_BEFORE.search(text, max(start - 4, 0), start) is not None


def doubt(words: Sequence[tuple[Page, Word]], threshold: int) -> Reason | None:
    """Why what the words say has to be looked at; None if they can be relied on. ``threshold``: 0-1000."""
    if under_threshold(words, threshold):
        return Reason.OCR_LOW_CONFIDENCE
    # a sign that the file gives no character may be "<", or the tick of a form
    return Reason.GARBLED_TEXT if any(_UNKNOWN_SIGN.search(word.text) for _, word in words) else None


def under_threshold(words: Sequence[tuple[Page, Word]], threshold: int) -> bool:
    """True if any word that this program's OCR read has less confidence than ``threshold`` (0-1000)."""
    return any(word.origin is Origin.OCR and word.confidence < threshold for _, word in words)


def lowest_confidence(words: Sequence[tuple[Page, Word]]) -> int | None:
    return min((word.confidence for _, word in words if word.origin is Origin.OCR), default=None)


def speaks_english(page: Page) -> bool:
    """True unless the page's language is known to be another."""
    return page.language is None or page.language.lower().split("-")[0] == "en"
