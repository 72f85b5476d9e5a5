"""What is around a match for a person: the whole sentence, what comes before and after, whether words there turn it.

A sentence may run over elements and over a page break. Nothing here changes a status.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from verify.bodies import PageView
from verify.domain.document import Element, ElementKind, Page
from verify.qualifiers import turned, turns_back
from verify.reader import Reader
from verify.sentences import Span, sentences

Touched = tuple[PageView, Element]

_MAX_REACH = 8
"""Elements that one sentence may run over on either side; a list of more parts is cut there."""

_MAX_ITEMS = 60
"""Items of a list that are passed over in search of its lead-in."""

_LONGEST = 600
"""Characters of what is shown before and after."""


class Surroundings(NamedTuple):
    """``sentence`` is the whole sentence or sentences around a match, with the next one if that turns it; ``partial``
    is True if the match leaves words of it out, or is an item of a list without its lead-in. ``before`` and ``after``
    are the sentences around, the lead-in of a list and the heading above."""

    sentence: str
    qualified: bool
    partial: bool
    before: str | None
    after: str | None


def surroundings(reader: Reader, touched: Sequence[Touched], start: int, end: int) -> Surroundings:
    """``start`` is an offset in the text of the first touched element, ``end`` one in that of the last."""
    before, after = list(_back(reader, touched[0])), list(_on(reader, touched[-1]))
    if len(touched) == 1 and not before and not after:
        view, element = touched[0]
        text, spans = element.text, view.sentences(element)
        match = Span(start, end)
    else:
        chain = [*reversed(before), *touched, *after]
        text, starts = _joined(reader, chain)
        spans = sentences(text)
        match = Span(starts[len(before)] + start, starts[len(before) + len(touched) - 1] + end)
    lead_in = _lead_in(reader, (before or touched[:1])[-1])
    return _judge(text, spans, match, lead_in, touched[0][1].heading_path)


def _joined(reader: Reader, chain: list[Touched]) -> tuple[str, list[int]]:
    parts, starts, at = [], [], 0
    for i, (view, element) in enumerate(chain):
        glue = "" if not i else "\n" if _runs_on(reader, chain[i - 1], (view, element)) else "\n\n"
        parts += [glue, element.text]
        starts.append(at + len(glue))
        at += len(glue) + len(element.text)
    return "".join(parts), starts


def _judge(text: str, spans: Sequence[Span], match: Span, lead_in: str | None, headings: Sequence[str]) -> Surroundings:
    inside = [i for i, s in enumerate(spans) if s.start < match.end and match.start < s.end]
    first, last = spans[inside[0]], spans[inside[-1]]
    whole = Span(first.start, last.end)
    qualified = turned(text, whole, match) or (lead_in is not None and _turned_by_lead_in(lead_in))
    following = spans[inside[-1] + 1] if inside[-1] + 1 < len(spans) else None
    turns = following is not None and turns_back(text, following)
    stop = following.end if following is not None and turns else last.end
    next_one = spans[inside[-1] + 1 + turns : inside[-1] + 2 + turns]
    before = [*headings[-1:], *([lead_in] if lead_in else [])]
    before += [text[s.start : s.end] for s in spans[max(0, inside[0] - 1) : inside[0]]]
    after = [text[s.start : s.end] for s in next_one]
    partial = lead_in is not None or is_partial(text, whole, match)
    shown = (("\n".join(before))[-_LONGEST:] or None, "".join(after)[:_LONGEST] or None)
    return Surroundings(text[first.start : stop], qualified or turns, partial, *shown)


def _turned_by_lead_in(lead_in: str) -> bool:
    end = Span(len(lead_in), len(lead_in))
    return turned(lead_in, Span(0, len(lead_in)), end)


_LEADING = re.compile(
    r"\s*(?:(?:[•·▪●○◦‣–—*-]|[§¶]+\s?\d*|[(\[]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlcIVXLC]{1,6})[.)\]]+"
    r"|\d{1,3}(?:\.\d{1,3})+)[.\s]*)*[\s\"'“‘«(\[]*"
)
"""Bullets and numbers before a sentence, which a quotation need not have."""

_TRAILING = re.compile(r"[\W_]*(?:(?<=[.?!…,;:\"'”’»)\]])\d{1,3}[\W_]*)?")
"""Marks behind a sentence, and the number of a note that touches one."""


def is_partial(text: str, sentence: Span, match: Span) -> bool:
    """True if letters or digits of the sentence are outside the match, whatever the language."""
    left, right = text[sentence.start : max(sentence.start, match.start)], Span(match.end, max(match.end, sentence.end))
    return _LEADING.fullmatch(left) is None or _TRAILING.fullmatch(text, right.start, right.end) is None


_STOPS = re.compile(r"[.?!][\"'”’»)\]*†‡¹²³]*(?:\s?\d{1,2})?\s*\Z")
_END = 60
"""Characters of an element's end that show how it ends."""

_TEXT_KINDS = frozenset({ElementKind.PARAGRAPH, ElementKind.LIST_ITEM})
_FULL_LINE = 97
"""Per cent of the element's width that its last line fills if the paragraph is to run on after a full stop."""


def _lead_in(reader: Reader, touched: Touched) -> str | None:
    """The sentence with a colon that introduces the list whose item this is, where the item does not run on from it."""
    if touched[1].kind is not ElementKind.LIST_ITEM:
        return None
    for _ in range(_MAX_ITEMS):
        before = _neighbour(reader, touched, -1)
        if before is None:
            return None
        touched = before
        if touched[1].kind is not ElementKind.LIST_ITEM:
            text = touched[1].text.rstrip()
            if not text.endswith((":", ":—", "—")):
                return None
            last = touched[0].sentences(touched[1])[-1]
            return text[last.start : last.end]
    return None


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

    Within a page an element that ends without a stop goes on in a list item, in lower case, and behind a colon,
    semicolon, "and" or "or" in any paragraph without a number. Over a page break it goes on in any text, but in a
    numbered paragraph only behind a comma, colon, semicolon, "and" or "or"; one that ends with a stop goes on in a
    paragraph if its last line is full.
    """
    (view, one), (other, two) = a, b
    if one.kind not in _TEXT_KINDS or two.kind not in _TEXT_KINDS:
        return False
    broken = view.page.index != other.page.index
    plain = two.kind is ElementKind.PARAGRAPH and not _NUMBERED.match(two.text)
    end = one.text[-_END:]
    if _STOPS.search(end):
        return broken and plain and _last_line_full(view.page, one)
    if broken:
        return plain or two.kind is ElementKind.LIST_ITEM or _OPEN.search(end) is not None
    return two.kind is ElementKind.LIST_ITEM or two.text[:1].islower() or (plain and _LISTS.search(end) is not None)


_NUMBERED = re.compile(r"[(\[]?(?:\d+(?:\.\d+)*|[A-Za-z]|[ivxIVX]+)[.)\]]|\d+(?:\.\d+)+\s")
_LISTS = re.compile(r"(?:[:;]|\b(?:and|or))\s*$")
_OPEN = re.compile(r"(?:[,:;–—-]|\b(?:and|or))\s*$")


def _last_line_full(page: Page, element: Element) -> bool:
    lines = page.lines[element.first_line : element.end_line]
    width = element.bbox.x1 - element.bbox.x0
    return len(lines) > 1 and (lines[-1].box.x1 - element.bbox.x0) * 100 >= width * _FULL_LINE
