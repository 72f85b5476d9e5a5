"""What the checks of one request have read of a source, kept so that each page is prepared once."""

from collections import OrderedDict
from collections.abc import Iterator

from verify.bodies import Body, PageView, break_body
from verify.currencies import named_dollars
from verify.domain.document import Page
from verify.domain.ids import Fingerprint
from verify.match import Quotation
from verify.ports import KnowsDollars, SourceView

KEPT_PAGES = 4096
"""Prepared pages kept at a time, about 100 kB each."""

KEPT_BREAKS = 256
"""Texts over page breaks kept at a time."""


class Reader:
    """The pages of one source, prepared on demand. Made for one request and dropped with it."""

    def __init__(self, source: SourceView) -> None:
        self.source = source
        self.record = source.record
        self._bytes_now: tuple[Fingerprint | None] | None = None
        self._views: OrderedDict[int, PageView | None] = OrderedDict()
        self._breaks: OrderedDict[tuple[int, int], Body | None] = OrderedDict()
        self._skeletons: dict[bool, _Letters] = {}
        self._dollars: frozenset[str] | None = None

    @property
    def bytes_now(self) -> Fingerprint | None:
        """The fingerprint of the bytes on disk, asked for once a request; None if they can't be read."""
        if self._bytes_now is None:
            self._bytes_now = (self.source.bytes_now(),)
        return self._bytes_now[0]

    @property
    def page_count(self) -> int:
        return self.record.page_count

    def view(self, index: int) -> PageView | None:
        """A prepared page; None where it could not be read or there is none."""
        if index in self._views:
            self._views.move_to_end(index)
            return self._views[index]
        page = self.source.page(index) if 0 <= index < self.page_count else None
        view = self._views[index] = None if page is None else PageView(page)
        if len(self._views) > KEPT_PAGES:
            self._views.popitem(last=False)
        return view

    def page(self, index: int) -> Page | None:
        view = self.view(index)
        return None if view is None else view.page

    def over_break(self, first: int, last: int) -> Body | None:
        """The running text of pages ``first`` to ``last``; None if one of them is missing."""
        key = (first, last)
        if key not in self._breaks:
            views = [self.view(i) for i in range(first, last + 1)]
            known = [v for v in views if v is not None]
            self._breaks[key] = break_body(known) if len(known) == len(views) else None
            if len(self._breaks) > KEPT_BREAKS:
                self._breaks.popitem(last=False)
        return self._breaks[key]

    def pages_with(self, quotation: Quotation) -> list[PageView]:
        """Pages, in order, whose letters hold the quotation's, in either profile, word boundaries aside."""
        found: set[int] = set()
        for typographic in (False, True):
            found.update(self._letters(typographic).pages_with(quotation.form(typographic).skeleton))
        return [view for i in sorted(found) if (view := self.view(i)) is not None]

    def _letters(self, typographic: bool) -> "_Letters":
        if typographic not in self._skeletons:
            views = (self.view(i) for i in range(self.page_count))
            self._skeletons[typographic] = _Letters([v.body.normal(typographic).skeleton if v else "" for v in views])
        return self._skeletons[typographic]

    def dollars(self) -> frozenset[str]:
        """Codes of the dollars that the document names."""
        if isinstance(self.source, KnowsDollars):
            return self.source.known_dollars()
        if self._dollars is None:
            views = (self.view(i) for i in range(self.page_count))
            self._dollars = frozenset(code for v in views if v for code in named_dollars(v.page.text))
        return self._dollars


class _Letters:
    """The skeletons of all pages, with the pages of each token as bits of a number."""

    def __init__(self, pages: list[str]) -> None:
        self._pages = pages
        self._having: dict[str, int] = {}
        for i, text in enumerate(pages):
            for token in set(text.split(" ")):
                self._having[token] = self._having.get(token, 0) | 1 << i

    def pages_with(self, text: str) -> list[int]:
        """All tokens but the first and last stand whole in a text that holds this one."""
        bits = (1 << len(self._pages)) - 1
        for token in text.split(" ")[1:-1]:
            bits &= self._having.get(token, 0)
        return [i for i in _ones(bits) if text in self._pages[i]]


def _ones(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
