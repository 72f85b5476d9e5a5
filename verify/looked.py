"""What a look at the page does to a verdict (contract section 5, rule 6): it takes back or limits, and proves nothing.

The look itself is the source's (``ports.Looks``); here its facts meet the words that a check rests on.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from verify.bodies import PageView
from verify.differences import difference_of
from verify.domain.document import Element, ElementKind, Origin, Page, Word
from verify.domain.geometry import Box, union
from verify.domain.look import Look, Misread
from verify.ports import Looks
from verify.reader import Reader
from verify.report import CheckResult, Evidence, Limitation, Reason, Region, Role, Status

_ABOVE, _BELOW = 60, 35
"""Hundredths of a line's height: an insertion is written above its line, the mark for it at its foot."""
_CITED = frozenset({Role.TEXT, Role.CELL})
_OWN = {ElementKind.ANNOTATION: Limitation.ANNOTATION_TEXT, ElementKind.FORM_FIELD: Limitation.FIELD_TEXT}


class _Cited(NamedTuple):
    """The regions of a check on one page, and the words of the page's text that lie in them."""

    view: PageView
    regions: Sequence[Region]
    words: Sequence[int]
    start: int | None
    end: int | None

    def quotes(self, i: int) -> bool:
        """True if a word lies in the stretch of text that is cited, left-out marks included."""
        word = self.view.page.words[i]
        return (self.start is None or word.end > self.start) and (self.end is None or word.start < self.end)


def looked_at(result: CheckResult, reader: Reader) -> CheckResult:
    """The result after a look at the lines that it cites. Only a verified one can change."""
    evidence = result.evidence
    if result.status is not Status.VERIFIED or evidence is None or not evidence.regions:
        return result
    view = reader.view(evidence.page_index)
    own = _own_element(evidence, view) if view is not None else None
    if view is not None and own is not None:
        return _of_own(result, reader, evidence, own, view.page)
    added: list[Limitation] = []
    for cited in _cited(evidence, reader):
        added += [Limitation.OBJECT_INSIDE_QUOTE] if _holds_other_words(cited) else []
        look = _look(reader, cited.view.page.index, cited.words)
        if look is None:
            continue
        words = frozenset(cited.words)
        if words.intersection(look.unseen):
            return _taken_back(result, Reason.TEXT_NOT_VISIBLE)
        misread = [m for m in look.misread if _touches(m, words)]
        if misread:
            return _differs(result, cited.view, misread[0])
        added += _limits(cited, look, words)
    return _limited(result, added)


def _look(reader: Reader, index: int, words: Sequence[int]) -> Look | None:
    source = reader.source
    return source.look(index, tuple(words)) if isinstance(source, Looks) else None


def _cited(evidence: Evidence, reader: Reader) -> Iterator[_Cited]:
    pages = dict.fromkeys(r.page_index for r in evidence.regions)
    for view in filter(None, map(reader.view, pages)):
        index = view.page.index
        regions = [r for r in evidence.regions if r.page_index == index]
        boxes = [r.bbox for r in regions]
        within = [i for i in _near(view, boxes) if any(b.holds_centre_of(view.page.words[i].box) for b in boxes)]
        start = evidence.start if index == min(pages) else None
        end = evidence.end if index == max(pages) else None
        cited = _Cited(view, regions, within, start, end)
        yield cited._replace(words=[i for i in within if cited.quotes(i)])


def _limits(cited: _Cited, look: Look, words: frozenset[int]) -> Iterator[Limitation]:
    if look.failed:
        yield Limitation.NOT_LOOKED_AT
    if words.intersection(look.unread):
        yield Limitation.NOT_READ_AGAIN
    if words.intersection(look.struck):
        yield Limitation.STRUCK_THROUGH
    rows = _rows([r.bbox for r in cited.regions if r.role in _CITED])
    if any(_is_inside(box, row) for row in rows for box in look.objects):
        yield Limitation.OBJECT_INSIDE_QUOTE


def _rows(lines: Iterable[Box]) -> list[Box]:
    """The boxes of lines, those that go on along one row made one: what stands between them is among the words too."""
    rows: list[Box] = []
    for line in lines:
        last = rows[-1] if rows else line
        shared = min(line.y1, last.y1) - max(line.y0, last.y0)
        if line.x0 >= last.x1 and 2 * shared > line.y1 - line.y0:
            rows[-1] = union((last, line))
        else:
            rows.append(line)
    return rows


def _is_inside(box: Box, line: Box) -> bool:
    """True if the box lies among the line's words, or so near above or below that it was written into the line."""
    if line.y1 - line.y0 > 2 * (line.x1 - line.x0):  # a line that runs up or down the page
        wide = line.x1 - line.x0
        reach = wide * _ABOVE // 100
        return box.overlaps(line._replace(x0=line.x0 - reach, x1=line.x1 + reach))
    high = line.y1 - line.y0
    return box.overlaps(line._replace(y0=line.y0 - high * _ABOVE // 100, y1=line.y1 + high * _BELOW // 100))


def _holds_other_words(cited: _Cited) -> bool:
    """True if words of the page that are not the quotation's stand among its words, or straddle a line of it. Boxes of
    recognised words are too rough to tell."""
    lines = [_room(r.bbox) for r in cited.regions if r.role is Role.TEXT]
    words = cited.view.page.words
    return any(
        not cited.quotes(i) and _is_set(words[i]) and any(line.holds_centre_of(words[i].box) for line in lines)
        for i in _near(cited.view, lines)
    )


def _near(view: PageView, boxes: Sequence[Box]) -> Iterator[int]:
    """The page's words, by index and in their order, that are on a line which meets one of the boxes: a page has
    hundreds, and a check cites few lines."""
    rank = view.rank
    meeting = (line for line in view.page.lines if any(line.box.overlaps(box) for box in boxes))
    found = (i for line in meeting for i in range(line.first_word, line.end_word) if i in rank)
    return iter(sorted(found, key=rank.__getitem__))


def _is_set(word: Word) -> bool:
    return word.origin is Origin.NATIVE


def _room(line: Box) -> Box:
    reach = min(line.x1 - line.x0, line.y1 - line.y0) * 15 // 100
    return Box(line.x0, line.y0 - reach, line.x1, line.y1 + reach)


def _touches(misread: Misread, words: frozenset[int]) -> bool:
    if misread.first == misread.end:
        return misread.first in words and misread.first - 1 in words
    return any(i in words for i in range(misread.first, misread.end))


def _differs(result: CheckResult, view: PageView, misread: Misread) -> CheckResult:
    said = " ".join(view.page.words[i].text for i in range(misread.first, misread.end))
    taken = _taken_back(result, Reason.SEEN_DIFFERS)
    return replace(taken, difference=(difference_of(said, misread.seen),))


def _taken_back(result: CheckResult, reason: Reason) -> CheckResult:
    taken = replace(result, status=reason.status, reason=reason, match=None, occurrences=0)
    return replace(taken, limitations=(), alterations=())


def _limited(result: CheckResult, added: Iterable[Limitation]) -> CheckResult:
    limitations = {*result.limitations, *added}
    return replace(result, limitations=tuple(sorted(limitations, key=list(Limitation).index)))


def _own_element(evidence: Evidence, view: PageView) -> Element | None:
    found = (view.element(e) for e in evidence.element_ids)
    return next((e for e in found if e is not None and e.kind in _OWN), None)


def _of_own(result: CheckResult, reader: Reader, evidence: Evidence, own: Element, page: Page) -> CheckResult:
    """A verdict on an annotation or field is about what its appearance draws."""
    limits = [_OWN[own.kind]]
    look = _look(reader, evidence.page_index, ())
    if look is None:
        return _limited(result, limits)
    if look.failed:
        return _limited(result, [*limits, Limitation.NOT_LOOKED_AT])
    drawn = next((d for d in look.drawn if d.element_id == own.element_id), None)
    if drawn is None or drawn.text is None or not drawn.visible:
        return _taken_back(result, Reason.TEXT_NOT_VISIBLE)
    if not _says(drawn.text, own, page, (evidence.text or "").split()):
        return _taken_back(result, Reason.SEEN_DIFFERS)
    return _limited(result, limits)


def _says(drawn: str, own: Element, page: Page, cited: list[str]) -> bool:
    """True if the appearance draws the cited words, those of a field's printed label left out. A tick is no word."""
    words = page.words[own.first_word : own.end_word]
    value = [word.text for word in words if own.bbox.holds_centre_of(word.box)]
    label = [word.text for word in words if not own.bbox.holds_centre_of(word.box)]
    if not any(c.isalnum() for c in drawn) or _squeezed(value) == _squeezed([drawn]):
        return True
    rest = next(cited[len(label) - n :] for n in range(len(label) + 1) if cited[: len(label) - n] == label[n:])
    shown = drawn.split()
    return any(shown[n : n + len(rest)] == rest for n in range(len(shown) - len(rest) + 1))


def _squeezed(words: Iterable[str]) -> str:
    return "".join("".join(words).split())
