"""Under which headings and clauses a block stands, carried from page to page of a document."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from ingest.structure.headings import is_title
from ingest.structure.numbering import Marker, as_roman, bare, follows, value_of
from verify.domain.document import ElementKind

_UNNUMBERED = 50
_SECTION = re.compile(r"(?:section|clause)\s|§", re.IGNORECASE)
_COUNTED = (1, 10, 11, 12, 13)
"""Ranks whose order differs from paper to paper."""
_FIRSTS = ("1", "A", "I", "a", "i")
_BEFORE_TITLE = 60
"""Words of running text after which no heading is the document's title any more: a cover sheet, a filing note."""


class Placed(Protocol):
    """What is told of a block: its kind, a heading's title, its number, where it begins (1/100 pt), its type's size."""

    @property
    def kind(self) -> ElementKind: ...
    @property
    def title(self) -> str | None: ...
    @property
    def marker(self) -> Marker | None: ...
    @property
    def x0(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def word_count(self) -> int: ...
    @property
    def signs(self) -> bool:
        """True where the signatures begin, which belong to no clause."""
        ...


class _Heading(NamedTuple):
    depth: int
    size: int
    text: str
    mark: Marker | None
    x0: int
    is_title: bool
    is_first: bool
    """True for the first heading of the document, before its running text."""


class _Run(NamedTuple):
    """A clause number with those that it stands in."""

    steps: tuple[Marker, ...]
    x0: int


class HeadingPath:
    """The headings that a reader is under.

    A numbered heading closes those of its rank and deeper; an unnumbered one closes others of its size and smaller. A
    document's title stays over all of it, and a schedule or exhibit closes even that. A clause closes the heading whose
    number it follows. Clause numbers inside a section are the path's last step, put together as lawyers cite them:
    "7.2(b)".
    """

    def __init__(self) -> None:
        self._headings: list[_Heading] = []
        self._clause: list[Marker] = []
        self._runs: dict[int, _Run] = {}
        self._read = 0
        self._titled = False

    def to_json(self) -> list[Any]:
        """All that it knows, for a reading that goes on later."""
        runs = [[rank, run.steps, run.x0] for rank, run in self._runs.items()]
        return [self._headings, self._clause, runs, self._read, self._titled]

    @classmethod
    def from_json(cls, kept: list[Any]) -> "HeadingPath":
        """Raises ValueError or TypeError for what ``to_json`` does not make."""
        headings, clause, runs, read, titled = kept
        path = cls()
        path._headings = [_Heading(*row)._replace(mark=Marker(*row[3]) if row[3] else None) for row in headings]
        path._clause = [Marker(*step) for step in clause]
        path._runs = {rank: _Run(tuple(Marker(*step) for step in steps), x0) for rank, steps, x0 in runs}
        path._read, path._titled = read, titled
        return path

    def enter(self, found: Placed) -> tuple[str, ...]:
        """The path of this block; a heading's own path is what stands above it."""
        if found.signs:
            self._close()
        if found.kind is ElementKind.HEADING and found.title is not None:
            return self._enter_heading(found, found.title)
        if not self._titled:
            self._read += found.word_count
        mark = found.marker
        if mark and mark.rank < 20 and found.kind in (ElementKind.PARAGRAPH, ElementKind.LIST_ITEM):
            self._enter_clause(mark, found.x0)
        return self.path

    @property
    def path(self) -> tuple[str, ...]:
        clause = _clause_text(self._clause)
        return tuple(heading.text for heading in self._headings) + ((clause,) if clause else ())

    def _enter_heading(self, found: Placed, title: str) -> tuple[str, ...]:
        mark = found.marker
        first = not self._titled and self._read <= _BEFORE_TITLE and not self._headings and mark is None
        new = _Heading(self._depth_of(mark), found.size, title, mark, found.x0, self._is_title(mark, title), first)
        self._titled = self._titled or new.is_title or (mark is not None and mark.rank >= 0)
        self._clause, self._runs = [], {}
        while self._headings and not _above(self._headings[-1], new):
            self._headings.pop()
        above = self.path
        self._headings.append(new)
        return above

    def _close(self) -> None:
        """Leaves only the document's title, or the schedule's own."""
        self._headings = [n for n in self._headings if n.is_title or n.is_first or n.depth < 0]
        self._clause, self._runs = [], {}

    def _depth_of(self, mark: Marker | None) -> int:
        """What goes on from an open heading stands beside it, whatever its number's kind; what begins a count of
        another kind stands inside the last: "III." over "A." over "1.", but "1." over "A." where a paper says so."""
        usual = _depth(mark)
        numbered = [n for n in self._headings if n.mark is not None and n.mark.rank > 0]
        if mark is None or mark.rank not in _COUNTED or not numbered:
            return usual
        for heading in reversed(numbered):
            if heading.mark and heading.mark.rank == mark.rank and follows(heading.mark, mark):
                return heading.depth
        last = numbered[-1]
        if last.mark and bare(mark) in _FIRSTS and _style(last.mark) != _style(mark):
            return max(usual, last.depth + 1)
        return usual

    def _is_title(self, mark: Marker | None, title: str) -> bool:
        return not self._titled and mark is None and self._read <= _BEFORE_TITLE and is_title(title)

    def _enter_clause(self, found: Marker, x0: int) -> None:
        """Deeper marks stand inside, equal ones beside; one that continues an earlier run goes back to where it was."""
        mark = as_roman(found, self._last(11), self._last(12)) if found.rank == 11 else found
        while self._headings and self._ends(self._headings[-1], mark, x0):
            self._headings.pop()
            self._clause, self._runs = [], {}
        before = self._runs.get(mark.rank)
        if before is not None and follows(before.steps[-1], mark):
            above = before.steps[:-1]
        elif self._opens_list(mark):
            above = tuple(self._clause)
        elif mark.rank == 1 and self._clause and self._clause[-1].rank >= 10 and value_of(mark) == 1:
            above = tuple(self._clause)  # "1." inside "(c)"
        else:
            above = tuple(step for step in self._clause if step.rank < mark.rank)
        if mark.rank < 10 and not above:
            self._runs = {}
        self._clause = [*above, mark]
        self._runs[mark.rank] = _Run(tuple(self._clause), x0)

    def _opens_list(self, mark: Marker) -> bool:
        """True for the first of a kind that the clause has not yet: "(i)" under "(1)" as well as "(1)" under "(i)"."""
        in_brackets = mark.rank >= 10 and mark.text.rstrip(".").endswith(")")
        return in_brackets and bare(mark) in _FIRSTS and all(step.rank != mark.rank for step in self._clause)

    def _last(self, rank: int) -> Marker | None:
        run = self._runs.get(rank)
        return run.steps[-1] if run else None

    def _ends(self, heading: _Heading, mark: Marker, x0: int) -> bool:
        """True if a clause is no part of a heading's section: the next number of its kind, or one of a later section.

        Where a list inside the section counts as well, the number that stands nearer is the one that goes on.
        """
        if heading.mark is None or heading.mark.rank < 0:
            return False
        if heading.mark.rank == mark.rank and follows(heading.mark, mark):
            run = self._runs.get(mark.rank)
            inner = run is not None and follows(run.steps[-1], mark)
            return not inner or run is None or abs(x0 - heading.x0) <= abs(x0 - run.x0)
        if not 1 < mark.rank < 10 or heading.mark.rank > 1:
            return False
        section, clause = value_of(heading.mark), value_of(mark)
        return section is not None and clause is not None and section < clause <= section + 2


def _depth(mark: Marker | None) -> int:
    """Ranks with room between them: a section without a point stands between articles and plain numbers."""
    if mark is None:
        return _UNNUMBERED
    if mark.rank == 0 and _SECTION.match(mark.text):
        dots = bare(mark).rstrip(".:").count(".")
        return 10 * (1 + dots) if dots else 5
    return 10 * mark.rank


def _style(mark: Marker) -> tuple[int, bool]:
    return mark.rank, mark.rank == 10 and set(bare(mark)) <= set("IVX")


def _above(heading: _Heading, new: _Heading) -> bool:
    """True if ``heading`` stays open over a new one."""
    if new.depth < 0:
        return False
    if heading.is_title or heading.depth < 0:
        return True
    # a numbered section is not part of what has no number, unless that is much larger or heads the document
    step = 1.3 if heading.depth == _UNNUMBERED and new.depth < _UNNUMBERED and not heading.is_first else 1.08
    if new.size > heading.size * 1.08:
        return False
    if heading.size > new.size * step:
        return True
    return heading.depth < new.depth and heading.depth != _UNNUMBERED


def _clause_text(steps: Sequence[Marker]) -> str:
    """As lawyers cite it: "7.2(b)(ii)", "Section 4(c)(1)"."""
    text, last = "", ""
    for step in steps:
        number = step.text.rstrip(".:") if step.rank < 10 else step.text.strip("().")
        if not text or (last and number.startswith(last + ".")):
            text = number if step.rank < 10 else f"({number})"
        else:
            text += f"({number})"
        last = number if step.rank < 10 else ""
    return text
