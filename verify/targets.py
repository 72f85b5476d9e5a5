"""From locators to the target of a check: the smallest scope given (contract section 5, rule 2)."""

import re
from collections.abc import Iterable, Iterator

from verify.bodies import PageView, Scope, run_ranges
from verify.domain.document import Element, Word
from verify.domain.geometry import Box
from verify.reader import Reader
from verify.report import Reason
from verify.request import Check
from verify.sentences import Span

TOLERANCE = 50
"""By how much a word's centre may lie outside a box (0.5 pt)."""

_NO_BREAK = re.compile("[\u00a0\u202f]")
_BOUND = re.compile("[^\u00a0\u202f]+")

_PAGE_OF_ID = re.compile(r"p(0|[1-9][0-9]{0,9})-[et][0-9]+")


class Stop(Exception):
    """Ends a check with a reason; the first stage that fails decides."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def page_of_id(identifier: str) -> int | None:
    """The page that an element or table id names; None for what is no such id."""
    found = _PAGE_OF_ID.fullmatch(identifier)
    return int(found[1]) if found else None


def scope_of(check: Check, reader: Reader, view: PageView) -> Scope:
    """Raises Stop if the locators name nothing, or things that disagree."""
    element = _element(check, reader, view)
    if element is not None and element.start is None:
        return _own_scope(check, view, element)
    if check.bbox is None:
        start, end = (0, len(view.page.text)) if element is None else (element.start or 0, element.end or 0)
        hidden = tuple(i for i in view.hidden if start <= view.page.words[i].start <= end)
        return Scope(view, view.body, (Span(start, end),), hidden, element)
    words = in_box(view, view.visible, check.bbox)
    hidden = tuple(in_box(view, view.hidden, check.bbox))
    if element is not None:
        words = [i for i in words if (element.start or 0) <= view.page.words[i].start < (element.end or 0)]
        if not words:
            raise Stop(Reason.LOCATOR_CONFLICT)
    if not words and not hidden:
        raise Stop(Reason.NO_TEXT_IN_REGION)
    return Scope(view, view.body, tuple(run_ranges(view, words)), hidden, element)


def _element(check: Check, reader: Reader, view: PageView) -> Element | None:
    if check.element_id is None:
        return None
    element = view.element(check.element_id)
    if element is None:
        other = page_of_id(check.element_id)
        elsewhere = reader.view(other) if other is not None and other != check.page_index else None
        known = elsewhere is not None and elsewhere.element(check.element_id) is not None
        raise Stop(Reason.LOCATOR_CONFLICT if known else Reason.ELEMENT_NOT_FOUND)
    return element


def _own_scope(check: Check, view: PageView, element: Element) -> Scope:
    """An annotation or form field: its own text, whole, if the box holds any of it."""
    body = view.own_body(element)
    words = range(element.first_word, element.end_word)
    if check.bbox is not None and not in_box(view, words, check.bbox) and not check.bbox.overlaps(element.bbox):
        raise Stop(Reason.LOCATOR_CONFLICT)
    return Scope(view, body, (body.whole,), (), element)


def in_box(view: PageView, words: Iterable[int], box: Box) -> list[int]:
    """Words whose centres lie in the box, half a point beside it included.

    Of words that a no-break space binds into one, every part must lie in it.
    """
    return [i for i in words if all(box.holds_centre_of(part, TOLERANCE) for part in _parts(view.page.words[i]))]


def _parts(word: Word) -> Iterator[Box]:
    """The word's box, or the share of it along its longer side that each bound part takes by its characters."""
    if not _NO_BREAK.search(word.text):
        yield word.box
        return
    x0, y0, x1, y1 = word.box
    size = len(word.text)
    for found in _BOUND.finditer(word.text):
        start, end = found.span()
        if x1 - x0 >= y1 - y0:
            yield Box(x0 + (x1 - x0) * start // size, y0, x0 + (x1 - x0) * end // size, y1)
        else:
            yield Box(x0, y0 + (y1 - y0) * start // size, x1, y0 + (y1 - y0) * end // size)
